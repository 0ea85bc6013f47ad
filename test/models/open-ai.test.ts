import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openAiDecisionModel } from '../../src/models/index.ts';
import { decisionModelContract } from '../../src/testing/decision-model-contract.ts';
import type { ContractAnswer, ContractBehaviour } from '../../src/testing/decision-model-contract.ts';
import { closeDecisionServers, serverThat } from './decision-server.ts';
import type { ReceivedCall, ServerReply } from './decision-server.ts';

interface WireQuestion {
  readonly type: string;
  readonly name: string;
  readonly instructions: string;
  readonly levels?: readonly { readonly label: string }[];
}

afterEach(async () => {
  vi.unstubAllEnvs();
  await closeDecisionServers();
});

/** What the decisions endpoint does, with its limits and its form of errors. */
function openAiReply(behaviour: ContractBehaviour): (call: ReceivedCall) => ServerReply {
  return (call) => {
    if (behaviour.fault === 'hang') return 'hang';
    if (behaviour.fault === 'garbage') return { json: { object: 'list', data: [] } };
    if (behaviour.fault === 'error')
      return { status: 400, json: { error: { message: 'model not found', type: 'invalid_request_error' } } };
    const { input, questions } = call.body as { readonly input: unknown; readonly questions: readonly WireQuestion[] };
    if (call.path !== '/v1/decisions' || typeof input !== 'string')
      return { status: 400, json: { error: { message: 'bad request' } } };
    if (questions.length < 1 || questions.length > 400) {
      return { status: 400, json: { error: { message: `questions: expected 1 to 400, got ${questions.length}` } } };
    }
    const answers = questions.map((question) =>
      encode(question, behaviour.answer?.(question.instructions) ?? { probability: 0.5 }),
    );
    return { json: { model: 'gpt-6-luna', answers, usage: { input_tokens: 42, output_tokens: 0, total_tokens: 42 } } };
  };
}

function encode(question: WireQuestion, answer: ContractAnswer): unknown {
  const { name, levels = [] } = question;
  if (answer === 'refusal') return { type: 'refusal', name };
  if (answer === 'wrong-type') return { type: 'box', name };
  if ('probability' in answer) return { type: 'predicate', name, probability: answer.probability };
  if ('choice' in answer) {
    const probabilities = Object.entries(answer.probabilities).map(([value, probability]) => ({ value, probability }));
    return { type: 'choice', name, choice: answer.choice, confidence: 0.8, probabilities };
  }
  const probabilities = answer.probabilities.map((probability, value) => ({
    value,
    label: levels[value]?.label,
    probability,
  }));
  return { type: 'score', name, score: answer.mean, confidence: 0.6, probabilities: probabilities.reverse() };
}

decisionModelContract({ describe, expect, it, onTestFinished }, 'openAiDecisionModel', {
  async start(behaviour) {
    const server = await serverThat(openAiReply(behaviour));
    return {
      model: openAiDecisionModel({ baseUrl: `${server.url}/v1`, apiKey: 'k' }),
      received: () => server.calls.map((call) => call.text),
    };
  },
});

const signal = new AbortController().signal;

describe('openAiDecisionModel', () => {
  it('sends the documented body and reads the documented answer', async () => {
    const server = await serverThat(() => ({
      json: {
        model: 'gpt-6-luna',
        answers: [
          { type: 'predicate', name: null, probability: 0.93 },
          {
            type: 'choice',
            name: 'team',
            choice: 'billing',
            confidence: 0.8,
            probabilities: [{ value: 'billing', probability: 0.88 }],
          },
          {
            type: 'score',
            name: 'sev',
            score: 1.4,
            confidence: 0.6,
            probabilities: [{ value: 0, label: 'Calm', probability: 0.05 }],
          },
          { type: 'refusal', name: 'x' },
        ],
        usage: { input_tokens: 42, output_tokens: 0 },
      },
    }));
    const model = openAiDecisionModel({ baseUrl: `${server.url}/v1`, apiKey: 'k', promptCacheKey: 'agent-7' });
    const response = await model.decide(
      {
        input: { messages: [{ role: 'user', text: 'hi' }] },
        questions: {
          tool0: { type: 'yes-no', text: 'Tool?', yesWhen: 'it helps', noWhen: 'it does not' },
          team: { type: 'choice', text: 'Who?', options: { billing: 'Payments', other: null } },
          sev: {
            type: 'scale',
            text: 'How?',
            levels: [{ label: 'Calm', description: 'still' }, { label: 'Angry' }, { label: 'Furious' }],
          },
          x: { type: 'yes-no', text: 'X?' },
        },
      },
      { signal },
    );
    expect(server.calls[0]?.body).toEqual({
      model: 'gpt-6-luna',
      input: '{"messages":[{"role":"user","text":"hi"}]}',
      questions: [
        {
          type: 'predicate',
          name: 'tool0',
          instructions: 'Tool?\nAnswer yes when: it helps\nAnswer no when: it does not',
        },
        {
          type: 'choice',
          name: 'team',
          instructions: 'Who?',
          choices: [{ value: 'billing', description: 'Payments' }, { value: 'other' }],
        },
        {
          type: 'score',
          name: 'sev',
          instructions: 'How?',
          levels: [{ label: 'Calm', description: 'still' }, { label: 'Angry' }, { label: 'Furious' }],
        },
        { type: 'predicate', name: 'x', instructions: 'X?' },
      ],
      prompt_cache_key: 'agent-7',
    });
    expect(response).toEqual({
      answers: {
        tool0: { type: 'yes-no', probability: 0.93 },
        team: { type: 'choice', value: 'billing', probabilities: { billing: 0.88 }, confidence: 0.8 },
        sev: { type: 'scale', mean: 1.4, probabilities: [0.05, 0, 0], confidence: 0.6 },
        x: { type: 'refusal' },
      },
      modelId: 'gpt-6-luna',
      usage: { inputTokens: 42, outputTokens: 0 },
    });
  });

  it.each([
    [
      'two answers to one question',
      [
        { type: 'predicate', name: 'a', probability: 1 },
        { type: 'predicate', name: 'a', probability: 0 },
      ],
    ],
    ['an answer to a question that was not put', [{ type: 'predicate', name: 'zzz', probability: 1 }]],
    [
      'more answers than questions',
      [
        { type: 'predicate', name: null, probability: 1 },
        { type: 'predicate', name: null, probability: 1 },
      ],
    ],
    ['a missing answer', []],
    ['an answer that is no object', ['yes']],
    ['the wrong type', [{ type: 'choice', name: 'a', choice: 'yes' }]],
  ])('refuses %s, without asking again', async (_, answers) => {
    const server = await serverThat(() => ({ json: { model: 'm', answers } }));
    const model = openAiDecisionModel({ baseUrl: server.url, apiKey: 'k' });
    const questions = { a: { type: 'yes-no', text: 'A?' } } as const;
    await expect(model.decide({ input: 'x', questions }, { signal })).rejects.toMatchObject({
      code: 'decision-model-invalid-response',
    });
    expect(server.calls).toHaveLength(1);
  });

  it.each([
    [
      'a level twice',
      [
        { value: 0, probability: 0.5 },
        { value: 0, probability: 0.5 },
      ],
    ],
    ['a level that does not exist', [{ value: 2, probability: 1 }]],
    ['half a level', [{ value: 0.5, probability: 1 }]],
  ])('refuses a scale with %s', async (_, probabilities) => {
    const server = await serverThat(() => ({
      json: { answers: [{ type: 'score', name: 's', score: 0, probabilities }] },
    }));
    const questions = { s: { type: 'scale', text: 'S?', levels: [{ label: 'a' }, { label: 'b' }] } } as const;
    await expect(
      openAiDecisionModel({ baseUrl: server.url, apiKey: 'k' }).decide({ input: 'x', questions }, { signal }),
    ).rejects.toMatchObject({
      code: 'decision-model-invalid-response',
    });
  });

  it('asks for a key before anything is sent, and reads the usual variable', async () => {
    vi.stubEnv('OPENAI_API_KEY', '');
    const server = await serverThat(openAiReply({}));
    vi.stubEnv('OPENAI_BASE_URL', `${server.url}/v1`);
    const questions = { a: { type: 'yes-no', text: 'A?' } } as const;
    await expect(openAiDecisionModel().decide({ input: 'x', questions }, { signal })).rejects.toMatchObject({
      code: 'invalid-option',
    });
    expect(server.calls).toEqual([]);
    vi.stubEnv('OPENAI_API_KEY', 'from-environment');
    await openAiDecisionModel().decide({ input: 'x', questions }, { signal });
    expect(server.calls[0]?.headers.authorization).toBe('Bearer from-environment');
  });
});
