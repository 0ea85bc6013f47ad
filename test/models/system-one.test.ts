import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { systemOneDecisionModel } from '../../src/models/index.ts';
import type { DecisionModel, DecisionResponse } from '../../src/decision/port.ts';
import { decisionModelContract } from '../../src/testing/decision-model-contract.ts';
import { closeDecisionServers, serverThat } from './decision-server.ts';
import type { ServerReply } from './decision-server.ts';
import { systemOneReply } from './system-one-server.ts';

const limits = { maxQuestions: 128, maxBytes: 200_000, maxOptions: 255 };
afterEach(async () => {
  vi.unstubAllEnvs();
  await closeDecisionServers();
});

decisionModelContract({ describe, expect, it, onTestFinished }, 'systemOneDecisionModel', {
  async start(behaviour) {
    const server = await serverThat(systemOneReply(behaviour, limits));
    return {
      model: systemOneDecisionModel({ baseUrl: server.url, model: 'jev-1.13', apiKey: 'k' }),
      received: () => server.calls.map((call) => call.text),
    };
  },
});

const question = { a: { type: 'yes-no', text: 'Is it?' } } as const;
const ask = (model: DecisionModel): Promise<DecisionResponse> =>
  model.decide({ input: 'x', questions: question }, { signal: new AbortController().signal });
const answer = { json: { model: 'jev-1.13.0', answers: { a: { type: 'noul', noul: 0.9 } } } };

describe('systemOneDecisionModel', () => {
  it('sends the documented body and reads the documented answer', async () => {
    const server = await serverThat(() => ({
      json: {
        model: 'jev-1.13.0',
        answers: {
          tool0: { type: 'noul', noul: 0.95 },
          team: {
            type: 'choice',
            choice: 'billing',
            probabilities: { billing: 0.88, support: 0.12 },
            confidence: 0.81,
          },
          sev: {
            type: 'score',
            score: 1.44,
            legend: {},
            probabilities: { '2': 0.5, '0': 0.06, '1': 0.44 },
            confidence: 0.78,
          },
        },
        usage: { input_tokens: 318, output_tokens: 34 },
      },
    }));
    const model = systemOneDecisionModel({
      baseUrl: `${server.url}/`,
      model: 'jev-1.13',
      apiKey: () => 'key-from-function',
    });
    const response = await model.decide(
      {
        input: { messages: [] },
        questions: {
          tool0: { type: 'yes-no', text: 'Tool?', yesWhen: 'it helps' },
          team: { type: 'choice', text: 'Who?', options: { billing: 'Payments', support: null } },
          sev: {
            type: 'scale',
            text: 'How?',
            levels: [{ label: 'Calm' }, { label: 'Cross', description: 'loud' }, { label: 'Angry' }],
          },
        },
      },
      { signal: new AbortController().signal },
    );
    expect(server.calls[0]?.path).toBe('/v1/systemone');
    expect(server.calls[0]?.headers.authorization).toBe('Bearer key-from-function');
    expect(server.calls[0]?.body).toEqual({
      model: 'jev-1.13',
      state: { messages: [] },
      questions: {
        tool0: { type: 'noul', instructions: 'Tool?', criteria: { true: 'it helps', false: '' } },
        team: { type: 'choice', instructions: 'Who?', criteria: { billing: 'Payments', support: null } },
        sev: { type: 'score', instructions: 'How?', criteria: ['Calm', 'Cross: loud', 'Angry'] },
      },
    });
    expect(response).toEqual({
      answers: {
        tool0: { type: 'yes-no', probability: 0.95 },
        team: { type: 'choice', value: 'billing', probabilities: { billing: 0.88, support: 0.12 }, confidence: 0.81 },
        sev: { type: 'scale', mean: 1.44, probabilities: [0.06, 0.44, 0.5], confidence: 0.78 },
      },
      modelId: 'jev-1.13.0',
      usage: { inputTokens: 318, outputTokens: 34 },
    });
  });

  it('accepts servers that leave out type, distribution, confidence, usage and model', async () => {
    const server = await serverThat(() => ({ json: { answers: { a: { noul: 0.4 }, c: { choice: 'y' } } } }));
    const response = await systemOneDecisionModel({ baseUrl: server.url, model: 'm' }).decide(
      { input: 'x', questions: { ...question, c: { type: 'choice', text: 'C?', options: { x: null, y: null } } } },
      { signal: new AbortController().signal },
    );
    expect(response).toEqual({
      answers: { a: { type: 'yes-no', probability: 0.4 }, c: { type: 'choice', value: 'y', probabilities: {} } },
    });
  });

  it.each([
    ['an unknown option', { c: { choice: 'z' } }],
    ['a probability for an unknown option', { c: { choice: 'x', probabilities: { z: 1 } } }],
    ['a mean outside the scale', { s: { score: 2.1 } }],
    ['a level that does not exist', { s: { score: 1, probabilities: { '2': 1 } } }],
    ['a level with a leading zero', { s: { score: 1, probabilities: { '01': 1 } } }],
    ['a confidence above 1', { c: { choice: 'x', confidence: 3 } }],
    ['a probability that is a text', { a: { noul: '0.9' } }],
  ])('refuses %s', async (_, answers) => {
    const server = await serverThat(() => ({ json: { answers } }));
    const all = {
      ...question,
      c: { type: 'choice', text: 'C?', options: { x: null, y: null } },
      s: { type: 'scale', text: 'S?', levels: [{ label: 'low' }, { label: 'high' }] },
    } as const;
    const model = systemOneDecisionModel({ baseUrl: server.url, model: 'm' });
    await expect(
      model.decide({ input: 'x', questions: all }, { signal: new AbortController().signal }),
    ).rejects.toMatchObject({
      code: 'decision-model-invalid-response',
    });
    expect(server.calls).toHaveLength(1);
  });

  it('tries again after 429, 529 and a dropped connection, and not after 400', async () => {
    const replies: ServerReply[] = [{ status: 529, json: { message: 'overloaded' } }, 'drop', answer];
    const server = await serverThat((call) => replies[call.attempt] ?? answer);
    const model = systemOneDecisionModel({ baseUrl: server.url, model: 'm', random: () => 0 });
    expect((await ask(model)).answers).toEqual({ a: { type: 'yes-no', probability: 0.9 } });
    expect(server.calls).toHaveLength(3);
    const refusing = await serverThat(() => ({ status: 400, json: { detail: 'bad question' } }));
    await expect(ask(systemOneDecisionModel({ baseUrl: refusing.url, model: 'm' }))).rejects.toMatchObject({
      code: 'decision-model-failed',
      message: expect.stringContaining('bad question') as string,
      data: { status: 400, retryable: false },
    });
    expect(refusing.calls).toHaveLength(1);
  });

  it('never shows the key, also when the service repeats it', async () => {
    const server = await serverThat((call) => ({
      status: 401,
      json: { error: `invalid key ${String(call.headers.authorization).slice(7)}` },
    }));
    const model = systemOneDecisionModel({ baseUrl: server.url, model: 'm', apiKey: 'sk-very-secret' });
    const error: unknown = await ask(model).catch((reason: unknown) => reason);
    expect(String(error)).toContain('invalid key [key]');
    expect(JSON.stringify(error)).not.toContain('sk-very-secret');
    expect(JSON.stringify(model)).not.toContain('sk-very-secret');
  });

  it('never shows half a key or a key that is no header either', async () => {
    const server = await serverThat(() => ({ status: 400, text: `${'x'.repeat(292)}sk-very-secret` }));
    const model = systemOneDecisionModel({ baseUrl: server.url, model: 'm', apiKey: 'sk-very-secret' });
    const error: unknown = await ask(model).catch((reason: unknown) => reason);
    expect(String(error)).not.toContain('sk-very');
    const broken = systemOneDecisionModel({
      baseUrl: server.url,
      model: 'm',
      apiKey: 'sk-very\nsecret',
      maxRetries: 0,
    });
    const other: unknown = await ask(broken).catch((reason: unknown) => reason);
    expect(other).toMatchObject({ code: 'decision-model-failed' });
    expect(JSON.stringify([other, String(other)])).not.toContain('sk-very');
  });

  it('does not follow a redirect', async () => {
    const target = await serverThat(() => answer);
    const server = await serverThat(() => ({
      status: 307,
      headers: { location: `${target.url}/v1/systemone` },
      text: '',
    }));
    await expect(ask(systemOneDecisionModel({ baseUrl: server.url, model: 'm' }))).rejects.toMatchObject({
      data: { status: 307 },
    });
    expect(target.calls).toEqual([]);
  });

  it("sends a vendor's key from the environment to the vendor's own address only", async () => {
    vi.stubEnv('TYPESAFE_API_KEY', 'typesafe-key');
    const server = await serverThat(() => answer);
    await ask(systemOneDecisionModel({ baseUrl: server.url, model: 'm' }));
    expect(server.calls[0]?.headers.authorization).toBeUndefined();
    vi.stubEnv('TYPESAFE_BASE_URL', server.url);
    await ask(systemOneDecisionModel());
    expect(server.calls[1]?.headers.authorization).toBe('Bearer typesafe-key');
    expect(server.calls[1]?.body).toMatchObject({ model: 'jev-latest' });
  });

  it('is told what it needs', () => {
    expect(() => systemOneDecisionModel({ baseUrl: 'https://example.test' })).toThrow('The option model is required');
    expect(() => systemOneDecisionModel({ baseUrl: 'ftp://example.test', model: 'm' })).toThrow(
      'must start with https://',
    );
    expect(() => systemOneDecisionModel({ baseUrl: 'https://a:b@example.test', model: 'm' })).toThrow('credentials');
    expect(() => systemOneDecisionModel({ baseUrl: 'https://example.test', model: 'm', maxRetries: 0.5 })).toThrow(
      'maxRetries',
    );
    expect(systemOneDecisionModel({ baseUrl: 'https://openrouter.ai/api', model: 'typesafe/jev-1.13' }).provider).toBe(
      'openrouter',
    );
  });
});
