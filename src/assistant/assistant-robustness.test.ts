import { describe, expect, it } from 'vitest';
import { ToolCallDecisions } from '../confirm/tool-call-decisions.ts';
import type { Message } from '../core/message.ts';
import type { Tool } from '../core/tool.ts';
import { createToolGate } from '../gate/create-tool-gate.ts';
import type { ToolGateOptions } from '../gate/options.ts';
import { tool } from '../schema/define-tool.ts';
import { memoryStore } from '../stores/memory.ts';
import { scriptedModel } from '../testing/scripted-model.ts';
import type { ScriptedStep } from '../testing/scripted-model.ts';
import { createAssistant } from './create-assistant.ts';
import { inProcessMemory } from './memory.ts';
import type { AssistantMemory } from './memory.ts';
import type { AssistantOptions } from './types.ts';

function make(name: string, execute: () => unknown, more: Partial<Tool> = {}): Tool {
  return { ...tool({ name, input: { type: 'object' }, execute: execute as never }), ...more };
}

interface Setting {
  readonly tools: readonly Tool[];
  readonly memory?: AssistantMemory;
  readonly gate?: Partial<ToolGateOptions>;
  readonly options?: Partial<AssistantOptions>;
}

function setUp(
  steps: readonly ScriptedStep[],
  { tools, memory = inProcessMemory(), gate = {}, options = {} }: Setting,
) {
  const model = scriptedModel(steps);
  const made = createToolGate({ tools, ...gate });
  const assistant = createAssistant({ model: model as never, gate: made, memory, maxRetries: 0, ...options });
  return { model, gate: made, memory, assistant };
}

const roles = (messages: readonly Message[]): string[] => messages.map(({ role }) => role);
const by = { principal: { id: 'boss' } };
const approve = { '0.call-0-0': { type: 'approve' as const } };

/** Every reply with calls is followed by one result for each of them. */
function isValid(messages: readonly Message[]): boolean {
  return messages.every((message, index) => {
    if (message.role !== 'assistant' || typeof message.content === 'string') return true;
    const calls = message.content.filter(({ type }) => type === 'tool-call').map(({ toolCallId }) => toolCallId);
    const next = messages[index + 1];
    const results = next?.role === 'tool' && typeof next.content !== 'string' ? next.content : [];
    return calls.length === 0 || results.map(({ toolCallId }) => toolCallId).join() === calls.join();
  });
}

describe('a message that comes at a bad time', () => {
  it('leaves a call that runs to whoever runs it, and its results join the history afterwards', async () => {
    let finish = (): void => {};
    let started = (): void => {};
    const running = new Promise<void>((resolve) => (started = resolve));
    const done = new Promise<void>((resolve) => (finish = resolve));
    const tools = [
      make('remove', async () => {
        started();
        await done;
        return 'removed';
      }),
    ];
    const gate = { store: memoryStore(), confirm: { policy: { remove: true } } };
    const {
      assistant,
      memory,
      gate: made,
    } = setUp([{ calls: [{ toolName: 'remove' }] }, { text: 'About the other thing.' }, { text: 'It is removed.' }], {
      tools,
      gate,
    });
    const { pause } = await assistant.send('go', { conversation: 'c' });
    await made.confirmations.decide(pause?.id ?? '', approve, by);
    const resumed = assistant.resume(pause?.id ?? '');
    await running;
    expect((await assistant.send('something else', { conversation: 'c' })).text).toBe('About the other thing.');
    expect(roles(await memory.load('c'))).toEqual(['user', 'user', 'assistant']);
    finish();
    expect((await resumed).text).toBe('It is removed.');
    const history = await memory.load('c');
    expect(roles(history)).toEqual(['user', 'user', 'assistant', 'assistant', 'tool', 'assistant']);
    expect(isValid(history)).toBe(true);
  });

  it('settles nothing, writes nothing and asks nobody when it was given up before', async () => {
    const { assistant, memory, gate, model } = setUp([{ calls: [{ toolName: 'remove' }] }], {
      tools: [make('remove', () => 'removed')],
      gate: { store: memoryStore(), confirm: { policy: { remove: true } } },
    });
    const { pause } = await assistant.send('go', { conversation: 'c' });
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(assistant.send('next', { conversation: 'c', signal })).rejects.toMatchObject({ code: 'aborted' });
    expect((await gate.confirmations.get(pause?.id ?? ''))?.calls[0]?.state).toBe('awaiting');
    expect(roles(await memory.load('c'))).toEqual(['user']);
    expect(model.requests).toHaveLength(1);
  });

  it.each([
    ['without a store', undefined],
    ['with a store', memoryStore()],
  ])('that was given up while a tool ran keeps the results and ends with a typed error, %s', async (_, store) => {
    const controller = new AbortController();
    const { assistant, memory } = setUp([{ calls: [{ toolName: 'read' }] }], {
      gate: store === undefined ? {} : { store },
      tools: [
        make('read', () => {
          controller.abort(new Error('enough'));
          return 'read';
        }),
      ],
    });
    const failure = assistant.send('go', { conversation: 'c', signal: controller.signal });
    await expect(failure).rejects.toMatchObject({ code: 'aborted' });
    expect(isValid(await memory.load('c'))).toBe(true);
    expect(roles(await memory.load('c'))).toEqual(['user', 'assistant', 'tool']);
  });

  it.each([
    undefined,
    null,
    7,
    { role: 'assistant', content: 'x' },
    { role: 'user' },
    { role: 'user', content: [null] },
  ])('that is none is refused before anything is written: %j', async (message) => {
    const { assistant, memory } = setUp([], { tools: [] });
    const failure = assistant.send(message as never, { conversation: 'c' });
    await expect(failure).rejects.toMatchObject({ code: 'invalid-option', data: { option: 'message' } });
    expect(await memory.load('c')).toEqual([]);
  });
});

describe('a memory', () => {
  it('keeps the words of two principals apart that use one id, also when a pause is resumed by its id alone', async () => {
    const store = memoryStore();
    const { assistant, memory, gate } = setUp(
      [{ calls: [{ toolName: 'remove' }] }, { text: 'For Ben.' }, { text: 'For Ada.' }],
      { tools: [make('remove', () => 'removed')], gate: { store, confirm: { policy: { remove: true } } } },
    );
    const [ada, ben] = [{ id: 'ada' }, { id: 'ben' }];
    const { pause } = await assistant.send('secret', { conversation: 'c', principal: ada });
    await assistant.send('mine', { conversation: 'c', principal: ben });
    expect(JSON.stringify(await memory.load('c', ben))).not.toContain('secret');
    await gate.confirmations.decide(pause?.id ?? '', approve, by);
    const id = pause?.id ?? '';
    await expect(assistant.resume(id, { principal: ben })).rejects.toMatchObject({ code: 'not-permitted' });
    await expect(assistant.resume(id, { conversation: 'd' })).rejects.toMatchObject({ code: 'invalid-option' });
    expect((await assistant.resume(id)).text).toBe('For Ada.');
    expect(roles(await memory.load('c', ada))).toEqual(['user', 'assistant', 'tool', 'assistant']);
    expect(roles(await memory.load('c', ben))).toEqual(['user', 'assistant']);
  });

  it('gets the results of calls that have run although somebody wrote meanwhile', async () => {
    const memory = inProcessMemory();
    const { assistant } = setUp([{ calls: [{ toolName: 'pay' }] }, { text: 'Paid.' }], {
      memory,
      tools: [
        make('pay', async () => {
          await memory.append('c', 1, [{ role: 'user', content: 'from elsewhere' }]);
          return 'paid';
        }),
      ],
    });
    expect((await assistant.send('go', { conversation: 'c' })).text).toBe('Paid.');
    const history = await memory.load('c');
    expect(roles(history)).toEqual(['user', 'user', 'assistant', 'tool', 'assistant']);
    expect(isValid(history)).toBe(true);
  });

  it('that fails is a typed error, which names the calls that had run', async () => {
    const inner = inProcessMemory();
    const memory: AssistantMemory = {
      load: async (id) => await inner.load(id),
      append: async (id, length, messages) =>
        length > 0 ? Promise.reject(new Error('disk full')) : await inner.append(id, length, messages),
    };
    const { assistant } = setUp([{ calls: [{ toolName: 'pay' }] }], { memory, tools: [make('pay', () => 'paid')] });
    const error: unknown = await assistant.send('go', { conversation: 'c' }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'store-failed', data: { operation: 'memory.append' } });
    expect(String(error)).toMatch(/disk full.*had run.*pay|had run.*pay.*disk full/u);
    const broken = { load: async () => 'none' as never, append: async () => true };
    const failure = setUp([], { memory: broken, tools: [] }).assistant.send('go', { conversation: 'c' });
    await expect(failure).rejects.toMatchObject({ code: 'store-failed', data: { operation: 'memory.load' } });
  });
});

describe('resuming', () => {
  it('again gives the answer to that reply, not to what was said since', async () => {
    const { assistant, gate, model } = setUp(
      [{ calls: [{ toolName: 'remove' }] }, { text: 'Removed.' }, { text: 'The weather is fine.' }],
      {
        tools: [make('remove', () => 'removed')],
        gate: { store: memoryStore(), confirm: { policy: { remove: true } } },
      },
    );
    const { pause } = await assistant.send('go', { conversation: 'c' });
    await gate.confirmations.decide(pause?.id ?? '', approve, by);
    expect((await assistant.resume(pause?.id ?? '')).text).toBe('Removed.');
    await assistant.send('and the weather?', { conversation: 'c' });
    expect((await assistant.resume(pause?.id ?? '')).text).toBe('Removed.');
    expect(model.requests).toHaveLength(3);
  });

  it('twice at once runs once, and leaves a valid history', async () => {
    let runs = 0;
    const { assistant, gate, memory } = setUp(
      [{ calls: [{ toolName: 'remove' }] }, { text: 'Removed.' }, { text: 'Removed.' }],
      {
        tools: [make('remove', () => `removed ${(runs += 1)}`)],
        gate: { store: memoryStore(), confirm: { policy: { remove: true } } },
      },
    );
    const { pause } = await assistant.send('go', { conversation: 'c' });
    await gate.confirmations.decide(pause?.id ?? '', approve, by);
    const both = await Promise.allSettled([assistant.resume(pause?.id ?? ''), assistant.resume(pause?.id ?? '')]);
    expect(both.some(({ status }) => status === 'fulfilled')).toBe(true);
    expect(runs).toBe(1);
    expect(isValid(await memory.load('c'))).toBe(true);
    expect(roles(await memory.load('c')).filter((role) => role === 'tool')).toHaveLength(1);
  });

  it('that is given up while the call runs ends with a typed error, and gives the recorded result the next time', async () => {
    let runs = 0;
    const controller = new AbortController();
    const remove = (): string => {
      controller.abort(new Error('enough'));
      return `removed ${(runs += 1)}`;
    };
    const { assistant, gate, memory } = setUp([{ calls: [{ toolName: 'remove' }] }, { text: 'Removed.' }], {
      tools: [make('remove', remove)],
      gate: { store: memoryStore(), confirm: { policy: { remove: true } } },
    });
    const { pause } = await assistant.send('go', { conversation: 'c' });
    const id = pause?.id ?? '';
    await gate.confirmations.decide(id, approve, by);
    await expect(assistant.resume(id, { signal: controller.signal })).rejects.toMatchObject({ code: 'aborted' });
    expect((await assistant.resume(id)).text).toBe('Removed.');
    expect(runs).toBe(1);
    expect(roles(await memory.load('c'))).toEqual(['user', 'assistant', 'tool', 'assistant']);
  });

  it('with the reply itself runs it once where the memory knows that it has run', async () => {
    let runs = 0;
    const { assistant, memory } = setUp([{ calls: [{ toolName: 'remove' }] }, { text: 'Removed.' }], {
      tools: [make('remove', () => `removed ${(runs += 1)}`)],
      gate: { confirm: { policy: { remove: true } } },
    });
    const { reply } = await assistant.send('go', { conversation: 'c' });
    const resume = { reply, decisions: ToolCallDecisions.of(approve) };
    expect((await assistant.resume(resume, { conversation: 'c' })).text).toBe('Removed.');
    expect((await assistant.resume(resume, { conversation: 'c' })).text).toBe('Removed.');
    expect(runs).toBe(1);
    expect(roles(await memory.load('c'))).toEqual(['user', 'assistant', 'tool', 'assistant']);
  });

  it('with equal calls as earlier in the conversation runs them, when the provider gives no ids', async () => {
    let runs = 0;
    const call = { calls: [{ toolName: 'remove', toolCallId: 'x' }], responseId: null };
    const { assistant, memory } = setUp([call, call, { text: 'Both.' }], {
      tools: [make('remove', () => `removed ${(runs += 1)}`)],
      gate: { confirm: { policy: { remove: true } } },
    });
    const decisions = ToolCallDecisions.of({ '0.x': { type: 'approve' } });
    const first = await assistant.send('go', { conversation: 'c' });
    const second = await assistant.resume({ reply: first.reply, decisions }, { conversation: 'c' });
    expect(second.finishReason).toBe('awaiting-decision');
    expect((await assistant.resume({ reply: second.reply, decisions }, { conversation: 'c' })).text).toBe('Both.');
    expect(runs).toBe(2);
    expect(isValid(await memory.load('c'))).toBe(true);
  });

  it('takes messages that hold the reply already, and goes on from them beside any memory', async () => {
    const { assistant, memory } = setUp([{ calls: [{ toolName: 'remove' }] }, { text: 'Removed.' }], {
      tools: [make('remove', () => 'removed')],
      gate: { confirm: { policy: { remove: true } } },
    });
    const { reply } = await assistant.send('go', { conversation: 'c' });
    const messages = [{ role: 'user', content: 'go, as the client tells it' }, reply];
    const decisions = ToolCallDecisions.of(approve);
    const response = await assistant.resume({ reply, decisions, messages }, { conversation: 'c' });
    expect(response.text).toBe('Removed.');
    expect(roles(response.messages)).toEqual(['assistant', 'tool', 'assistant']);
    expect(roles(await memory.load('c'))).toEqual(['user']);
  });

  it.each([undefined, null, 7, {}, { reply: { role: 'user' } }])('of nothing is refused: %j', async (pause) => {
    const { assistant } = setUp([], { tools: [] });
    await expect(assistant.resume(pause as never)).rejects.toMatchObject({ code: 'invalid-option' });
  });
});

describe('the round limit', () => {
  it('lets parallel calls of the last round run, keeps the history valid and selects nothing more', async () => {
    let selections = 0;
    const step = { calls: [{ toolName: 'read' }, { toolName: 'read' }, { toolName: 'none' }] };
    const { assistant, memory } = setUp([step, step], {
      tools: [make('read', () => 'x')],
      gate: { onSelection: () => void (selections += 1) },
      options: { maxRounds: 2 },
    });
    await expect(assistant.send('go', { conversation: 'c' })).rejects.toMatchObject({ code: 'round-limit' });
    expect(roles(await memory.load('c'))).toEqual(['user', 'assistant', 'tool', 'assistant', 'tool']);
    expect(isValid(await memory.load('c'))).toBe(true);
    expect(selections).toBe(2);
  });
});

describe('options', () => {
  const gate = createToolGate({});
  const model = scriptedModel([]) as never;
  it.each([
    ['model', undefined],
    ['model', { gate }],
    ['model', { gate, model: '' }],
    ['gate', { model }],
    ['memory', { model, gate, memory: {} }],
    ['maxRounds', { model, gate, maxRounds: 0 }],
    ['maxRetries', { model, gate, maxRetries: -1 }],
    ['system', { model, gate, system: 7 }],
  ])('that are wrong are refused with their name: %s', (option, options) => {
    expect(() => createAssistant(options as never)).toThrow(
      expect.objectContaining({ code: 'invalid-option', data: { option } }),
    );
  });
});
