import { describe, expect, it } from 'vitest';
import { ToolCallDecisions } from '../confirm/tool-call-decisions.ts';
import type { Message } from '../core/message.ts';
import { resultText } from '../core/result.ts';
import type { Tool } from '../core/tool.ts';
import { createToolGate } from '../gate/create-tool-gate.ts';
import type { ToolGateOptions } from '../gate/options.ts';
import { tool } from '../schema/define-tool.ts';
import { memoryStore } from '../stores/memory.ts';
import { scriptedModel } from '../testing/scripted-model.ts';
import type { ScriptedStep } from '../testing/scripted-model.ts';
import { createAssistant } from './create-assistant.ts';
import { inProcessMemory } from './memory.ts';
import type { AssistantEvent } from './types.ts';

const KEY = ToolCallDecisions.AWAITING_DECISION_METADATA_KEY;

function tools(runs: string[]): Tool[] {
  const schema = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] } as const;
  return [
    tool({
      name: 'read',
      description: 'Reads a file',
      input: schema,
      execute: (args: { path: string }) => {
        runs.push(`read ${args.path}`);
        return `content of ${args.path}`;
      },
    }),
    tool({
      name: 'remove',
      description: 'Removes a file',
      input: schema,
      requiresConfirmation: true,
      execute: (args: { path: string }) => {
        runs.push(`remove ${args.path}`);
        return `removed ${args.path}`;
      },
    }),
    tool({
      name: 'fail',
      description: 'Always fails',
      input: { type: 'object' },
      execute: () => {
        throw new Error('disk full');
      },
    }),
    tool({
      name: 'show',
      description: 'Shows a picture to the user',
      input: { type: 'object' },
      returnBehavior: 'immediate',
      execute: () => 'picture',
    }),
  ];
}

function setUp(steps: readonly ScriptedStep[], gateOptions: Partial<ToolGateOptions> = {}) {
  const runs: string[] = [];
  const store = memoryStore();
  const memory = inProcessMemory();
  const make = (script: readonly ScriptedStep[]) => {
    const model = scriptedModel(script);
    const gate = createToolGate({ tools: tools(runs), store, ...gateOptions });
    return {
      model,
      gate,
      assistant: createAssistant({ model: model as never, gate, memory, system: 'Be brief.', maxRetries: 0 }),
    };
  };
  return { runs, store, memory, make, ...make(steps) };
}

const roles = (messages: readonly Message[]): string[] => messages.map(({ role }) => role);

describe('createAssistant', () => {
  it('answers without tools and remembers', async () => {
    const { assistant, model, memory } = setUp([{ text: 'Hello.' }, { text: 'Again.' }]);
    expect(await assistant.send('hi', { conversation: 'c' })).toMatchObject({
      text: 'Hello.',
      finishReason: 'stop',
      outcomes: [],
    });
    await assistant.send('hi again', { conversation: 'c' });
    expect(roles(await memory.load('c'))).toEqual(['user', 'assistant', 'user', 'assistant']);
    expect(model.requests[1]?.prompt.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual(['read', 'remove', 'fail', 'show']);
  });

  it('runs calls and goes on, and gives errors of arguments and of tools back to the model', async () => {
    const { assistant, model, runs } = setUp([
      {
        calls: [
          { toolName: 'read', input: { path: 'a' } },
          { toolName: 'read', input: {} },
          { toolName: 'fail' },
          { toolName: 'nothing' },
          { toolName: 'read', input: '{"path": "b"' },
        ],
      },
      { text: 'Done.' },
    ]);
    const response = await assistant.send('go', { conversation: 'c' });
    expect(response.outcomes.map(({ status }) => status)).toEqual([
      'succeeded',
      'invalid',
      'failed',
      'invalid',
      'invalid',
    ]);
    expect(runs).toEqual(['read a']);
    const texts = response.outcomes.map(({ result }) => resultText(result));
    expect(texts[0]).toBe('content of a');
    expect(texts[1]).toContain('path');
    expect(texts[2]).toContain('disk full');
    expect(texts[3]).toContain('read');
    expect(response.text).toBe('Done.');
    const last = model.requests[1]?.prompt.at(-1);
    expect(last?.role).toBe('tool');
    expect(last?.content).toHaveLength(5);
  });

  it('[confirmation.loop] [confirmation.metadata] pauses a mixed reply with nothing run, and returns the reply as the model gave it', async () => {
    const { assistant, runs, memory } = setUp([
      {
        text: 'I will.',
        calls: [
          { toolName: 'read', input: { path: 'a' } },
          { toolName: 'remove', input: { path: 'b' } },
        ],
      },
    ]);
    const response = await assistant.send('go', { conversation: 'c' });
    expect(runs).toEqual([]);
    expect(response.finishReason).toBe('awaiting-decision');
    expect(response.metadata).toEqual({ [KEY]: ['1.call-0-1'] });
    expect(response.pause?.id).toMatch(/^pause_/);
    expect(response.reply).toEqual({
      role: 'assistant',
      id: 'response-0',
      content: [
        { type: 'text', text: 'I will.' },
        { type: 'tool-call', toolCallId: 'call-0-0', toolName: 'read', input: { path: 'a' } },
        { type: 'tool-call', toolCallId: 'call-0-1', toolName: 'remove', input: { path: 'b' } },
      ],
    });
    expect(roles(await memory.load('c'))).toEqual(['user']);
  });

  it('goes on in another process after mixed decisions, with one result for each call in order', async () => {
    const { assistant, runs, memory, make } = setUp([
      {
        calls: [
          { toolName: 'remove', input: { path: 'a' } },
          { toolName: 'read', input: { path: 'b' } },
          { toolName: 'remove', input: { path: 'c' } },
        ],
      },
    ]);
    const paused = await assistant.send('go', { conversation: 'c' });
    const pause = paused.pause?.id as string;
    const other = make([{ text: 'One removed, one kept.' }]);
    const answers = await other.gate.confirmations.decide(
      pause,
      { '0.call-0-0': { type: 'approve' }, '2.call-0-2': { type: 'deny', message: 'keep it' } },
      { principal: { id: 'ann' } },
    );
    expect(answers.map(({ answer }) => answer)).toEqual(['accepted', 'accepted']);
    const response = await other.assistant.resume(pause);
    expect(response.outcomes.map(({ key, status }) => [key, status])).toEqual([
      ['0.call-0-0', 'succeeded'],
      ['1.call-0-1', 'succeeded'],
      ['2.call-0-2', 'denied'],
    ]);
    expect(resultText(response.outcomes[2]?.result ?? { content: [] })).toContain('keep it');
    expect(runs.toSorted()).toEqual(['read b', 'remove a']);
    expect(response.text).toBe('One removed, one kept.');
    expect(roles(await memory.load('c'))).toEqual(['user', 'assistant', 'tool', 'assistant']);
    const again = await other.assistant.resume(pause);
    expect(again.text).toBe('One removed, one kept.');
    expect(runs).toHaveLength(2);
    expect(roles(await memory.load('c'))).toEqual(['user', 'assistant', 'tool', 'assistant']);
  });

  it('tells calls apart that carry one id, in one reply and in the next', async () => {
    const same = [
      { toolName: 'remove', input: { path: 'a' }, toolCallId: 'x' },
      { toolName: 'remove', input: { path: 'b' }, toolCallId: 'x' },
    ];
    const { assistant, runs, make } = setUp([{ calls: same, responseId: null }]);
    const first = await assistant.send('go', { conversation: 'c' });
    expect(first.metadata).toEqual({ [KEY]: ['0.x', '1.x'] });
    const next = same.map((call) => ({ ...call, input: { path: `${call.input.path}2` } }));
    const second = make([{ calls: next, responseId: null }]);
    await second.gate.confirmations.decide(
      first.pause?.id as string,
      { '0.x': { type: 'approve' }, '1.x': { type: 'deny' } },
      { principal: { id: 'ann' } },
    );
    const paused = await second.assistant.resume(first.pause?.id as string);
    expect(runs).toEqual(['remove a']);
    expect(paused.finishReason).toBe('awaiting-decision');
    expect(paused.metadata).toEqual({ [KEY]: ['0.x', '1.x'] });
    expect(paused.pause?.id).not.toBe(first.pause?.id);
    const third = make([{ text: 'ok' }]);
    await third.gate.confirmations.decide(
      paused.pause?.id as string,
      { '0.x': { type: 'approve' }, '1.x': { type: 'approve' } },
      { principal: { id: 'ann' } },
    );
    await third.assistant.resume(paused.pause?.id as string);
    expect(runs).toEqual(['remove a', 'remove a2', 'remove b2']);
  });

  it('settles what waits as superseded when the user writes something else', async () => {
    const { assistant, runs, memory, make } = setUp([{ calls: [{ toolName: 'remove', input: { path: 'a' } }] }]);
    const paused = await assistant.send('go', { conversation: 'c' });
    const other = make([{ text: 'Never mind.' }]);
    expect((await other.assistant.send('stop, something else', { conversation: 'c' })).text).toBe('Never mind.');
    expect(roles(await memory.load('c'))).toEqual(['user', 'assistant', 'tool', 'user', 'assistant']);
    const late = await other.gate.confirmations.decide(
      paused.pause?.id as string,
      { '0.call-0-0': { type: 'approve' } },
      { principal: { id: 'ann' } },
    );
    expect(late[0]?.answer).toBe('already-decided');
    expect(runs).toEqual([]);
  });

  it('works without a store: the paused response is all that is needed to go on', async () => {
    const { runs, make } = setUp([]);
    const first = make([
      {
        calls: [
          { toolName: 'read', input: { path: 'r' } },
          { toolName: 'remove', input: { path: 'a' } },
        ],
      },
    ]);
    const gateOptions = { tools: tools(runs) };
    const assistant = createAssistant({
      model: first.model as never,
      gate: createToolGate(gateOptions),
      maxRetries: 0,
    });
    const paused = await assistant.send('go');
    expect(paused.finishReason).toBe('awaiting-decision');
    const { reply } = JSON.parse(JSON.stringify(paused)) as typeof paused;
    const decisions = ToolCallDecisions.of({ '1.call-0-1': { type: 'approve' } });
    const other = createAssistant({
      model: scriptedModel([{ text: 'Done.' }]) as never,
      gate: createToolGate(gateOptions),
    });
    const response = await other.resume({ reply, decisions, messages: [{ role: 'user', content: 'go' }] });
    expect(response.text).toBe('Done.');
    expect(runs.toSorted()).toEqual(['read r', 'remove a']);
  });

  it('refuses incomplete and foreign decisions before anything runs', async () => {
    const { runs } = setUp([]);
    const gate = createToolGate({ tools: tools(runs) });
    const model = scriptedModel([
      {
        calls: [
          { toolName: 'remove', input: { path: 'a' } },
          { toolName: 'remove', input: { path: 'b' } },
        ],
      },
    ]);
    const assistant = createAssistant({ model: model as never, gate });
    const { reply } = await assistant.send('go');
    const messages = [{ role: 'user', content: 'go' }];
    await expect(
      assistant.resume({ reply, messages, decisions: ToolCallDecisions.of({ '0.call-0-0': { type: 'approve' } }) }),
    ).rejects.toMatchObject({
      code: 'decision-missing',
    });
    await expect(
      assistant.resume({
        reply,
        messages,
        decisions: ToolCallDecisions.of({
          '0.call-0-0': { type: 'approve' },
          '1.call-0-1': { type: 'approve' },
          '7.x': { type: 'approve' },
        }),
      }),
    ).rejects.toMatchObject({ code: 'decision-unknown-key' });
    expect(runs).toEqual([]);
  });

  it('streams what happens, and ends with the pause', async () => {
    const { assistant } = setUp([
      { text: 'Let me look.', calls: [{ toolName: 'read', input: { path: 'a' } }] },
      { text: 'Now remove it.', calls: [{ toolName: 'remove', input: { path: 'a' } }] },
    ]);
    const events: AssistantEvent[] = [];
    for await (const event of assistant.stream('go', { conversation: 'c' })) events.push(event);
    const types = events.map(({ type }) => type).filter((type, index, all) => type !== all[index - 1]);
    expect(types).toEqual(['selection', 'text', 'reply', 'outcome', 'selection', 'text', 'reply', 'paused']);
    expect(events.at(-1)).toMatchObject({ finishReason: 'awaiting-decision', toolCallIds: ['0.call-1-0'] });
    expect(
      events
        .filter((event) => event.type === 'text')
        .map(({ delta }) => delta)
        .join(''),
    ).toBe('Let me look.Now remove it.');
  });

  it('returns results directly when all calls ask for it', async () => {
    const { assistant } = setUp([{ calls: [{ toolName: 'show' }] }]);
    const response = await assistant.send('go', { conversation: 'c' });
    expect(response.finishReason).toBe('returned-directly');
    expect(resultText(response.outcomes[0]?.result ?? { content: [] })).toBe('picture');
  });

  it('stops at the round limit and when it is aborted', async () => {
    const loop = Array.from({ length: 3 }, () => ({ calls: [{ toolName: 'read', input: { path: 'a' } }] }));
    const { gate } = setUp([]);
    const assistant = createAssistant({ model: scriptedModel(loop) as never, gate, maxRounds: 3 });
    await expect(assistant.send('go', { conversation: 'r' })).rejects.toMatchObject({ code: 'round-limit' });
    const controller = new AbortController();
    controller.abort(new Error('enough'));
    await expect(assistant.send('go', { conversation: 's', signal: controller.signal })).rejects.toMatchObject({
      code: 'aborted',
    });
  });

  it('passes a failure of the model on, in streams too, and keeps the conversation valid', async () => {
    const { assistant, memory } = setUp([{ error: new Error('model down') }, { error: new Error('model down') }]);
    await expect(assistant.send('go', { conversation: 'c' })).rejects.toThrow('model down');
    await expect(
      (async () => {
        for await (const _event of assistant.stream('again', { conversation: 'c' })) void _event;
      })(),
    ).rejects.toThrow('model down');
    expect(roles(await memory.load('c'))).toEqual(['user', 'user']);
  });
});
