import { describe, expect, it } from 'vitest';
import type { Message, MessagePart } from '../core/message.ts';
import { createToolGate } from '../gate/create-tool-gate.ts';
import { tool } from '../schema/define-tool.ts';
import { createAssistant } from './create-assistant.ts';
import { inProcessMemory } from './memory.ts';
import type { AssistantEvent, AssistantModel } from './types.ts';

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };

interface Step {
  readonly content: readonly Readonly<Record<string, unknown>>[];
  readonly finish?: string;
}

interface Prompted {
  readonly prompt: readonly Message[];
  readonly tools?: readonly { readonly name: string }[];
  readonly abortSignal?: AbortSignal;
}

/** A model that replies with raw parts, as a provider would give them. */
function rawModel(steps: readonly Step[], stream?: (request: Prompted) => ReadableStream<unknown>) {
  const requests: Prompted[] = [];
  const model = {
    specificationVersion: 'v4',
    provider: 'test',
    modelId: 'raw',
    supportedUrls: {},
    async doGenerate(request: Prompted) {
      const step = steps[requests.length];
      requests.push(request);
      const { content = [], finish = 'stop' } = step ?? {};
      return { content, finishReason: { unified: finish, raw: finish }, usage, warnings: [] };
    },
    async doStream(request: Prompted) {
      requests.push(request);
      return { stream: stream?.(request) ?? new ReadableStream({ start: (controller) => controller.close() }) };
    },
  };
  return { model: model as unknown as AssistantModel, requests };
}

const call = (toolName: string, more: object = {}) => ({
  type: 'tool-call',
  toolCallId: `id-${toolName}`,
  toolName,
  input: '{}',
  ...more,
});

function setUp(model: AssistantModel, runs: string[] = [], names: readonly string[] = ['read']) {
  const tools = names.map((name) =>
    tool({
      name,
      input: { type: 'object' },
      execute: () => {
        runs.push(name);
        return `done ${name}`;
      },
    }),
  );
  const memory = inProcessMemory();
  return { memory, assistant: createAssistant({ model, gate: createToolGate({ tools }), memory, maxRetries: 0 }) };
}

/** Text word by word, then what `end` does. */
function streaming(words: readonly string[], end: (controller: ReadableStreamDefaultController<unknown>) => void) {
  return new ReadableStream<unknown>({
    start(controller) {
      controller.enqueue({ type: 'stream-start', warnings: [] });
      controller.enqueue({ type: 'text-start', id: 't' });
      for (const delta of words) controller.enqueue({ type: 'text-delta', id: 't', delta });
      end(controller);
    },
  });
}

describe('what a provider replies', () => {
  it('ends with the provider’s reason when it was cut, and leaves no empty message behind', async () => {
    const { model, requests } = rawModel([
      { content: [], finish: 'length' },
      { content: [{ type: 'text', text: 'Hello.' }] },
    ]);
    const { assistant, memory } = setUp(model);
    const cut = await assistant.send('go', { conversation: 'c' });
    expect([cut.finishReason, cut.text]).toEqual(['length', '']);
    expect((await memory.load('c')).map(({ role }) => role)).toEqual(['user']);
    expect((await assistant.send('again', { conversation: 'c' })).text).toBe('Hello.');
    expect(requests[1]?.prompt.every(({ content }) => content.length > 0)).toBe(true);
  });

  it('is kept with calls that the provider ran, their results and their failures; none runs here', async () => {
    const runs: string[] = [];
    const provided = { providerExecuted: true };
    const first = [
      call('read', provided),
      { type: 'tool-result', toolCallId: 'id-read', toolName: 'read', result: { pages: 2 }, ...provided },
      call('look', provided),
      { type: 'tool-result', toolCallId: 'id-look', toolName: 'look', result: 'too many', isError: true, ...provided },
      { type: 'text', text: 'Here.' },
    ];
    const { model, requests } = rawModel([{ content: first }, { content: [{ type: 'text', text: 'Yes.' }] }]);
    const { assistant } = setUp(model, runs);
    const { reply, outcomes } = await assistant.send('go', { conversation: 'c' });
    expect(runs).toEqual([]);
    expect(outcomes).toEqual([]);
    expect((reply.content as { type: string }[]).map(({ type }) => type)).toEqual([
      'tool-call',
      'tool-result',
      'tool-call',
      'tool-result',
      'text',
    ]);
    expect((await assistant.send('sure?', { conversation: 'c' })).text).toBe('Yes.');
    const sent = JSON.stringify(requests[1]?.prompt);
    expect(sent).toContain('too many');
    expect(sent).toContain('"pages":2');
  });

  it('with arguments that are no object is kept as it is and sent in a form that providers take', async () => {
    const { model, requests } = rawModel([
      { content: [call('read', { input: '{"path": ' })], finish: 'tool-calls' },
      { content: [{ type: 'text', text: 'Sorry.' }] },
    ]);
    const { assistant, memory } = setUp(model);
    const response = await assistant.send('go', { conversation: 'c' });
    expect(response.outcomes[0]?.status).toBe('invalid');
    expect(JSON.stringify(await memory.load('c'))).toContain('"input":"{\\"path\\": "');
    const sent = requests[1]?.prompt.find(({ role }) => role === 'assistant')?.content;
    expect((sent as readonly MessagePart[]).map(({ input }) => input)).toEqual([{}]);
  });

  it('may call tools that are named like what every object has', async () => {
    const runs: string[] = [];
    const odd = ['__proto__', 'constructor', 'toString'];
    const { model, requests } = rawModel([
      { content: [...odd, 'valueOf'].map((name) => call(name)), finish: 'tool-calls' },
      { content: [{ type: 'text', text: 'Done.' }] },
    ]);
    const { outcomes } = await setUp(model, runs, odd).assistant.send('go');
    expect(requests[0]?.tools?.map(({ name }) => name)).toEqual(odd);
    expect(outcomes.map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'succeeded', 'invalid']);
    expect(runs).toEqual(odd);
  });
});

describe('a stream', () => {
  const failing = { type: 'error', error: new Error('connection lost') };

  it.each([
    [
      'reports an error',
      (controller: ReadableStreamDefaultController<unknown>) => (controller.enqueue(failing), controller.close()),
    ],
    [
      'breaks',
      (controller: ReadableStreamDefaultController<unknown>) => controller.error(new Error('connection lost')),
    ],
  ])('that %s half way passes it on, runs nothing and writes nothing', async (_, end) => {
    const runs: string[] = [];
    const { model } = rawModel([], () =>
      streaming(['Let ', 'me '], (controller) => {
        controller.enqueue(call('read'));
        queueMicrotask(() => end(controller));
      }),
    );
    const { assistant, memory } = setUp(model, runs);
    const seen: string[] = [];
    await expect(
      (async () => {
        for await (const event of assistant.stream('go', { conversation: 'c' })) seen.push(event.type);
      })(),
    ).rejects.toThrow('connection lost');
    expect(runs).toEqual([]);
    expect(seen).not.toContain('finished');
    expect((await memory.load('c')).map(({ role }) => role)).toEqual(['user']);
  });

  it('that is given up half way ends with an error, also when the provider never does', async () => {
    const controller = new AbortController();
    const { model } = rawModel([], () => streaming(['Let ', 'me '], () => {}));
    const { assistant, memory } = setUp(model);
    const events: AssistantEvent[] = [];
    await expect(
      (async () => {
        for await (const event of assistant.stream('go', { conversation: 'c', signal: controller.signal })) {
          events.push(event);
          if (event.type === 'text') controller.abort(new Error('enough'));
        }
      })(),
    ).rejects.toMatchObject({ code: 'aborted' });
    expect((await memory.load('c')).map(({ role }) => role)).toEqual(['user']);
  });

  it('and an answer at once are given up alike, also when the model does not listen', async () => {
    const controller = new AbortController();
    const { model } = rawModel([]);
    const deaf = Object.assign(model as object, {
      doGenerate: async () => {
        controller.abort(new Error('enough'));
        return await new Promise<never>(() => {});
      },
    }) as unknown as AssistantModel;
    const failure = setUp(deaf).assistant.send('go', { signal: controller.signal });
    await expect(failure).rejects.toMatchObject({ code: 'aborted' });
  });

  it('whose reader leaves early runs its calls to the end and writes them', async () => {
    const runs: string[] = [];
    let step = 0;
    const { model } = rawModel([], () =>
      streaming(['word '], (controller) => {
        controller.enqueue({ type: 'text-end', id: 't' });
        if (step === 0) controller.enqueue(call('read'));
        const finish = step === 0 ? 'tool-calls' : 'stop';
        step += 1;
        controller.enqueue({ type: 'finish', finishReason: { unified: finish, raw: finish }, usage });
        controller.close();
      }),
    );
    const { assistant, memory } = setUp(model, runs);
    for await (const event of assistant.stream('go', { conversation: 'c' })) if (event.type === 'text') break;
    await expect
      .poll(async () => (await memory.load('c')).map(({ role }) => role))
      .toEqual(['user', 'assistant', 'tool', 'assistant']);
    expect(runs).toEqual(['read']);
  });
});
