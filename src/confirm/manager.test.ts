import { describe, expect, it } from 'vitest';
import { memoryStore } from '../stores/memory.ts';
import { manualClock } from '../testing/manual-clock.ts';
import { countingTool, replyOf } from '../../test/confirm/tools.ts';
import { ToolCallConfirmationRequiredError, ToolgateError } from '../core/errors.ts';
import { ToolCallingManager } from './manager.ts';
import { ToolCallDecisions } from './tool-call-decisions.ts';

const user = [{ role: 'user', content: 'Please.' }];

async function failure(promise: Promise<unknown>): Promise<ToolgateError> {
  try {
    await promise;
  } catch (error) {
    expect(error).toBeInstanceOf(ToolgateError);
    return error as ToolgateError;
  }
  throw new Error('It did not fail.');
}

describe('a manager without a store', () => {
  it('runs free calls and gives one outcome for each, in order', async () => {
    const read = countingTool('read');
    const write = countingTool('write', { execute: () => ({ done: 1 }) });
    const manager = new ToolCallingManager();
    const execution = await manager.executeToolCalls(
      { messages: user, tools: [read, write] },
      replyOf(['a', 'read', { x: 1 }], ['b', 'write']),
    );
    expect(execution.outcomes.map(({ key, status }) => [key, status])).toEqual([
      ['0.a', 'succeeded'],
      ['1.b', 'succeeded'],
    ]);
    expect(execution.messages).toEqual([
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'a', toolName: 'read', output: { type: 'text', value: 'read done' } },
          { type: 'tool-result', toolCallId: 'b', toolName: 'write', output: { type: 'json', value: { done: 1 } } },
        ],
      },
    ]);
    expect(execution.returnDirect).toBe(false);
    expect(read.runs.map(({ args }) => args)).toEqual([{ x: 1 }]);
  });

  it('runs nothing of a reply while one of its calls waits, and names the waiting keys in order', async () => {
    const read = countingTool('read');
    const wipe = countingTool('wipe', { requiresConfirmation: true });
    const manager = new ToolCallingManager();
    const error = await failure(
      manager.executeToolCalls(
        { messages: user, tools: [read, wipe] },
        replyOf(['x', 'wipe', { n: 1 }], ['y', 'read'], ['x', 'wipe', { n: 2 }]),
      ),
    );
    expect(error).toBeInstanceOf(ToolCallConfirmationRequiredError);
    expect((error as ToolCallConfirmationRequiredError).toolCallIds).toEqual(['0.x', '2.x']);
    expect([read.runs.length, wipe.runs.length]).toEqual([0, 0]);
  });

  it('runs the batch as decided, with denied and answered calls beside it', async () => {
    const read = countingTool('read');
    const wipe = countingTool('wipe', { requiresConfirmation: true });
    const manager = new ToolCallingManager();
    const reply = replyOf(['x', 'wipe', { n: 1 }], ['y', 'read'], ['x', 'wipe', { n: 2 }], ['z', 'wipe', { n: 3 }]);
    const decisions = ToolCallDecisions.of({
      '0.x': { type: 'deny', message: 'not this one' },
      '2.x': { type: 'approve' },
      '3.z': { type: 'respond', result: 'I did it by hand.' },
    });
    const execution = await manager.executeToolCalls({ messages: user, tools: [read, wipe] }, reply, decisions);
    expect(execution.outcomes.map(({ status }) => status)).toEqual(['denied', 'succeeded', 'succeeded', 'responded']);
    expect(wipe.runs.map(({ args }) => args)).toEqual([{ n: 2 }]);
    expect(JSON.stringify(execution.messages)).toContain('not this one');
  });

  it.each([
    ['decision-missing', {}],
    ['decision-unknown-key', { '0.x': { type: 'approve' }, '7.q': { type: 'approve' } }],
    ['decision-not-needed', { '0.x': { type: 'approve' }, '1.y': { type: 'approve' } }],
    ['decision-invalid', { '0.x': { type: 'approve', arguments: { n: 'three' } } }],
  ] as const)('refuses a decision set with %s before anything runs', async (code, given) => {
    const read = countingTool('read');
    const wipe = countingTool('wipe', {
      requiresConfirmation: true,
      inputSchema: { type: 'object', properties: { n: { type: 'integer' } } },
    });
    const manager = new ToolCallingManager();
    const reply = replyOf(['x', 'wipe', { n: 1 }], ['y', 'read']);
    const error = await failure(
      manager.executeToolCalls({ messages: user, tools: [read, wipe] }, reply, ToolCallDecisions.of(given)),
    );
    expect(error.code).toBe(code);
    expect([read.runs.length, wipe.runs.length]).toEqual([0, 0]);
  });

  it('settles an invalid call with its error and does not hold its siblings', async () => {
    const read = countingTool('read', {
      inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
      requiresConfirmation: true,
    });
    const list = countingTool('list');
    const manager = new ToolCallingManager();
    const execution = await manager.executeToolCalls(
      { messages: user, tools: [read, list] },
      replyOf(['a', 'read', {}], ['b', 'list']),
    );
    expect(execution.outcomes.map(({ status }) => status)).toEqual(['invalid', 'succeeded']);
    expect(read.runs).toHaveLength(0);
  });

  it('gives four different answers for hidden, gone, unknown and not permitted, the last two alike', async () => {
    const tools = ['seen', 'hidden', 'secret'].map((name) => countingTool(name));
    const manager = new ToolCallingManager({
      authorise: (tool) => tool.name !== 'secret',
      wasKnown: (name) => name === 'gone' || name === 'secret',
    });
    const execution = await manager.executeToolCalls(
      { messages: user, tools, shown: new Set(['seen', 'secret']) },
      replyOf(['1', 'hidden'], ['2', 'gone'], ['3', 'absent'], ['4', 'secret']),
    );
    const texts = execution.outcomes.map(({ result }) => result.content[0]?.text ?? '');
    expect(execution.outcomes.map(({ status }) => status)).toEqual(['invalid', 'invalid', 'invalid', 'invalid']);
    expect(texts[0]).toContain('Call it again');
    expect(texts[1]).toContain('existed earlier');
    expect(texts[2]).toBe('Not executed. There is no tool named "absent". Available tools: seen.');
    expect(texts[3]).toBe('Not executed. There is no tool named "secret". Available tools: seen.');
    expect(execution.activated).toEqual(['hidden']);
    expect(tools.flatMap(({ runs }) => runs)).toEqual([]);
  });

  it('has the default policy of the design', async () => {
    const server = (trust: 'none' | 'annotations') => ({ name: 's', identity: `s-${trust}`, trust });
    const cases: [string, boolean, Parameters<typeof countingTool>[1]][] = [
      ['own', false, {}],
      ['own_destructive', false, { annotations: { destructiveHint: true } }],
      ['marked', true, { requiresConfirmation: true }],
      [
        'throwing_mark',
        true,
        {
          requiresConfirmation: () => {
            throw new Error('no');
          },
        },
      ],
      ['foreign_bare', true, { server: server('annotations') }],
      ['foreign_unbelieved', true, { server: server('none'), annotations: { readOnlyHint: true } }],
      ['foreign_read', false, { server: server('annotations'), annotations: { readOnlyHint: true } }],
      ['foreign_mild', false, { server: server('annotations'), annotations: { destructiveHint: false } }],
      ['foreign_destructive', true, { server: server('annotations'), annotations: { destructiveHint: true } }],
    ];
    const manager = new ToolCallingManager();
    for (const [name, waits, options] of cases) {
      const tool = countingTool(name, options);
      const result = await manager.executeToolCalls({ messages: user, tools: [tool] }, replyOf(['a', name])).then(
        () => false,
        (error: unknown) => error instanceof ToolCallConfirmationRequiredError,
      );
      expect([name, result, tool.runs.length]).toEqual([name, waits, waits ? 0 : 1]);
    }
  });
});

describe('a manager with a store', () => {
  const conversation = { id: 'c1', messages: user, principal: { id: 'alice' } };
  const approver = { principal: { id: 'bob' }, via: 'page' };

  it('writes the pause first, records the decision, and runs once however often it is delivered', async () => {
    const clock = manualClock(1_767_225_600_000);
    const wipe = countingTool('wipe', { requiresConfirmation: true });
    const manager = new ToolCallingManager({ store: memoryStore({ clock }), clock, tools: [wipe] });
    const reply = replyOf(['x', 'wipe', { n: 1 }]);
    const error = (await failure(
      manager.executeToolCalls({ ...conversation, tools: [wipe] }, reply),
    )) as ToolCallConfirmationRequiredError;
    const pauseId = error.pause?.id ?? '';
    const seen = await manager.confirmations.get(pauseId);
    expect(seen?.calls[0]).toMatchObject({ key: '0.x', state: 'awaiting', proposedArguments: { n: 1 } });
    const again = (await failure(
      manager.executeToolCalls({ ...conversation, tools: [wipe] }, reply),
    )) as ToolCallConfirmationRequiredError;
    expect(again.pause?.id).toBe(pauseId);

    const answers = await Promise.all([
      manager.confirmations.decide(pauseId, { '0.x': { type: 'approve' } }, approver),
      manager.confirmations.decide(pauseId, { '0.x': { type: 'approve' } }, approver),
    ]);
    expect(answers.flat()).toEqual([
      { key: '0.x', answer: 'accepted', state: 'approved' },
      { key: '0.x', answer: 'accepted', state: 'approved' },
    ]);
    expect(wipe.runs).toHaveLength(0);
    const executions = await Promise.all([
      manager.resume(pauseId),
      manager.resume(pauseId),
      manager.executeToolCalls({ ...conversation, tools: [wipe] }, reply),
    ]);
    expect(wipe.runs).toHaveLength(1);
    for (const execution of executions) {
      expect(execution.outcomes).toEqual([
        {
          key: '0.x',
          toolCallId: 'x',
          toolName: 'wipe',
          status: 'succeeded',
          by: approver,
          result: { content: [{ type: 'text', text: 'wipe done' }] },
        },
      ]);
    }
    const late = await manager.confirmations.decide(
      pauseId,
      { '0.x': { type: 'deny' } },
      { principal: { id: 'carol' } },
    );
    expect(late).toEqual([
      { key: '0.x', answer: 'already-decided', state: 'succeeded', by: approver, at: 1_767_225_600_000 },
    ]);
  });

  it('takes decisions with the reply, each on its own', async () => {
    const wipe = countingTool('wipe', { requiresConfirmation: true });
    const manager = new ToolCallingManager({ store: memoryStore() });
    const chat = { ...conversation, tools: [wipe] };
    const reply = replyOf(['x', 'wipe', { n: 1 }], ['y', 'wipe', { n: 2 }]);
    await failure(manager.executeToolCalls(chat, reply));
    const half = await failure(
      manager.executeToolCalls(chat, reply, ToolCallDecisions.of({ '0.x': { type: 'approve' } })),
    );
    expect((half as ToolCallConfirmationRequiredError).toolCallIds).toEqual(['1.y']);
    expect(wipe.runs).toHaveLength(0);
    const wrong = await failure(
      manager.executeToolCalls(
        chat,
        reply,
        ToolCallDecisions.of({ '9.q': { type: 'approve' }, '1.y': { type: 'deny' } }),
      ),
    );
    expect(wrong.code).toBe('decision-unknown-key');
    const execution = await manager.executeToolCalls(chat, reply);
    expect(execution.outcomes.map(({ status }) => status)).toEqual(['succeeded', 'denied']);
    expect(wipe.runs).toHaveLength(1);
    const conflict = await failure(
      manager.executeToolCalls(chat, reply, ToolCallDecisions.of({ '0.x': { type: 'deny' } })),
    );
    expect(conflict.code).toBe('decision-conflict');
  });

  it('refuses decisions about a reply that is not stored', async () => {
    const wipe = countingTool('wipe', { requiresConfirmation: true });
    const manager = new ToolCallingManager({ store: memoryStore() });
    const error = await failure(
      manager.executeToolCalls(
        { ...conversation, tools: [wipe] },
        replyOf(['x', 'wipe']),
        ToolCallDecisions.of({ '0.x': { type: 'approve' } }),
      ),
    );
    expect(error.code).toBe('pause-not-found');
    expect((await failure(manager.resume('pause_unknown', { tools: [wipe] }))).code).toBe('pause-not-found');
    expect(wipe.runs).toHaveLength(0);
  });

  it('runs the free calls at once with run-now, once, and keeps their results', async () => {
    const read = countingTool('read');
    const wipe = countingTool('wipe', { requiresConfirmation: true });
    const manager = new ToolCallingManager({ store: memoryStore(), siblings: 'run-now' });
    const chat = { ...conversation, tools: [read, wipe] };
    const reply = replyOf(['x', 'wipe'], ['y', 'read']);
    const error = (await failure(manager.executeToolCalls(chat, reply))) as ToolCallConfirmationRequiredError;
    expect(error.toolCallIds).toEqual(['0.x']);
    expect([read.runs.length, wipe.runs.length]).toEqual([1, 0]);
    await manager.confirmations.decide(error.pause?.id ?? '', { '0.x': { type: 'approve' } }, approver);
    const execution = await manager.executeToolCalls(chat, reply);
    expect(execution.outcomes.map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
    expect([read.runs.length, wipe.runs.length]).toEqual([1, 1]);
    expect(() => new ToolCallingManager({ siblings: 'run-now' })).toThrow(/needs a store/);
  });

  it('serves single calls: an outcome, or a pause of their own', async () => {
    const read = countingTool('read');
    const wipe = countingTool('wipe', { requiresConfirmation: true });
    const manager = new ToolCallingManager({ store: memoryStore(), tools: [read, wipe] });
    const chat = { ...conversation, messages: [], tools: [read, wipe] };
    const outcome = await manager.executeToolCall(
      { toolName: 'read', input: {} },
      { conversation: chat, execute: () => 'from outside' },
    );
    expect(outcome).toMatchObject({
      status: 'succeeded',
      result: { content: [{ type: 'text', text: 'from outside' }] },
    });
    const call = { toolCallId: 'k', toolName: 'wipe', input: { n: 1 } };
    const error = (await failure(
      manager.executeToolCall(call, { conversation: chat }),
    )) as ToolCallConfirmationRequiredError;
    await manager.confirmations.decide(
      error.pause?.id ?? '',
      { '0.k': { type: 'approve', arguments: { n: 2 } } },
      approver,
    );
    const execution = await manager.resume(error.pause?.id ?? '');
    expect(execution.outcomes[0]).toMatchObject({
      status: 'succeeded',
      note: expect.stringContaining('{"n":2}') as string,
    });
    expect(wipe.runs.map(({ args }) => args)).toEqual([{ n: 2 }]);
  });

  it('hands the right to run to hosts that run calls themselves', async () => {
    const wipe = countingTool('wipe', { requiresConfirmation: true });
    const manager = new ToolCallingManager({ store: memoryStore() });
    const options = { conversation: { ...conversation, tools: [wipe] } };
    const call = { toolCallId: 'k', toolName: 'wipe', input: { n: 1 } };
    const error = (await failure(manager.claim(call, options))) as ToolCallConfirmationRequiredError;
    await manager.confirmations.decide(error.pause?.id ?? '', { '0.k': { type: 'approve' } }, approver);
    const first = await manager.claim(call, options);
    if (first.type !== 'run') throw new Error('It should run.');
    expect(first.claim).toMatchObject({ key: '0.k', fence: 1, arguments: { n: 1 } });
    const outcome = await manager.finish(first.claim, 'by the host');
    expect(outcome).toMatchObject({ status: 'succeeded', by: approver });
    expect(await manager.claim(call, options)).toEqual({ type: 'settled', outcome });
    expect(wipe.runs).toHaveLength(0);
  });

  it('needs a conversation id', async () => {
    const manager = new ToolCallingManager({ store: memoryStore() });
    const error = await failure(manager.executeToolCalls({ messages: user, tools: [] }, replyOf(['x', 'wipe'])));
    expect(error.message).toContain('conversation needs an id');
  });
});
