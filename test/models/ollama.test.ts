import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Message } from '../../src/core/message.ts';
import type { ToolDefinition } from '../../src/core/tool.ts';
import { ollamaDecisionModel } from '../../src/models/index.ts';
import { selectTools } from '../../src/select/select-tools.ts';
import { decisionModelContract } from '../../src/testing/decision-model-contract.ts';
import { closeDecisionServers, serverThat } from './decision-server.ts';
import type { ReceivedCall, ServerReply } from './decision-server.ts';
import { systemOneReply } from './system-one-server.ts';

const limits = { maxQuestions: 64, maxBytes: 65_536, maxOptions: 26 };
afterEach(async () => {
  vi.unstubAllEnvs();
  await closeDecisionServers();
});

decisionModelContract({ describe, expect, it, onTestFinished }, 'ollamaDecisionModel', {
  async start(behaviour) {
    const server = await serverThat(systemOneReply(behaviour, limits));
    return {
      model: ollamaDecisionModel({ baseUrl: server.url, model: 'tev1' }),
      received: () => server.calls.map((call) => call.text),
    };
  },
});

/** Refuses, as Ollama does, a prompt of more than 2,048 tokens: at four characters each, less strict than our own estimate. */
function withTokenLimit(reply: (call: ReceivedCall) => ServerReply): (call: ReceivedCall) => ServerReply {
  return (call) => {
    const { state, questions } = call.body as { state: unknown; questions: Record<string, { instructions: string }> };
    const longest = Math.max(...Object.values(questions).map((question) => question.instructions.length));
    if ((JSON.stringify(state).length + longest) / 4 > 2048)
      return { status: 400, json: { error: 'prompt is too long' } };
    return reply(call);
  };
}

const signal = new AbortController().signal;

describe('ollamaDecisionModel', () => {
  it('keeps to 64 questions, 64 KiB and 2,048 tokens by itself, also with long conversations and descriptions', async () => {
    const server = await serverThat(
      withTokenLimit(systemOneReply({ answer: (text) => ({ probability: text.includes('t7"') ? 0.9 : 0.1 }) }, limits)),
    );
    const tools: ToolDefinition[] = Array.from({ length: 150 }, (_, index) => ({
      name: `t${index}`,
      description: 'Reads the tide tables of a harbour. '.repeat(index % 3 === 0 ? 200 : 3),
      inputSchema: { type: 'object' },
    }));
    const messages: Message[] = Array.from({ length: 9 }, (_, index) => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: `message ${index} ${'and more '.repeat(400)}`,
    }));
    const selection = await selectTools(
      tools,
      { messages, userMessage: { role: 'user', content: 'use t7' } },
      { decisionModel: ollamaDecisionModel({ baseUrl: server.url, model: 'tev1' }) },
    );
    expect(selection.report.notes).toEqual(['The conversation was shortened to what the decision model takes.']);
    expect(selection.kept).toEqual([7]);
    expect(selection.report).toMatchObject({ mode: 'select', asked: 150, failed: 0, degraded: false });
    expect(server.calls.length).toBeGreaterThanOrEqual(3);
    for (const call of server.calls) {
      expect(Object.keys((call.body as { questions: object }).questions).length).toBeLessThanOrEqual(64);
      expect(Buffer.byteLength(call.text)).toBeLessThanOrEqual(65_536);
      expect(call.text).toContain('use t7');
    }
  });

  it('refuses a choice with more options than the service takes, before anything is sent', async () => {
    const server = await serverThat(systemOneReply({}, limits));
    const options = Object.fromEntries(Array.from({ length: 27 }, (_, index) => [`o${index}`, null]));
    const model = ollamaDecisionModel({ baseUrl: server.url, model: 'tev1' });
    await expect(
      model.decide({ input: 'x', questions: { c: { type: 'choice', text: 'C?', options } } }, { signal }),
    ).rejects.toMatchObject({
      code: 'decision-model-unsupported',
      data: { limit: 'maxOptions' },
    });
    await expect(
      model.decide({ input: 'x'.repeat(70_000), questions: { a: { type: 'yes-no', text: 'A?' } } }, { signal }),
    ).rejects.toMatchObject({
      code: 'decision-model-unsupported',
      data: { limit: 'maxRequestBytes' },
    });
    expect(server.calls).toEqual([]);
  });

  it('says which model was not pulled', async () => {
    const server = await serverThat(() => ({
      status: 404,
      json: { error: "model 'nimble' not found, try pulling it first" },
    }));
    const model = ollamaDecisionModel({ baseUrl: server.url, model: 'nimble' });
    await expect(
      model.decide({ input: 'x', questions: { a: { type: 'yes-no', text: 'A?' } } }, { signal }),
    ).rejects.toThrow(
      "The decision model of ollama answered with status 404: model 'nimble' not found, try pulling it first.",
    );
  });

  it('finds the server where OLLAMA_HOST says', async () => {
    const server = await serverThat(systemOneReply({}, limits));
    vi.stubEnv('OLLAMA_HOST', server.url.replace('http://', ''));
    await ollamaDecisionModel({ model: 'tev1' }).decide(
      { input: 'x', questions: { a: { type: 'yes-no', text: 'A?' } } },
      { signal },
    );
    expect(server.calls).toHaveLength(1);
  });
});
