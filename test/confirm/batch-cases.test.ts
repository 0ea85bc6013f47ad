import { describe, expect, it } from 'vitest';
import { ToolCallDecisions } from '../../src/confirm/tool-call-decisions.ts';
import { countingTool, replyOf } from './tools.ts';
import { statuses, texts, user, world } from './world.ts';

describe('approving several calls of one reply', () => {
  it('AP-01 runs the approved call, answers the refused one, both in one message and in order', async () => {
    const [read, remove] = [
      countingTool('read', { requiresConfirmation: true }),
      countingTool('delete', { requiresConfirmation: true }),
    ];
    const { pause, decide, execute } = world([read, remove]);
    const reply = replyOf(['c1', 'read'], ['c2', 'delete', { id: 1 }]);
    const { id } = await pause(reply);
    await decide(id, { '0.c1': { type: 'approve' }, '1.c2': { type: 'deny', message: 'not this one' } });
    const execution = await execute(reply);
    expect(statuses(execution)).toEqual(['succeeded', 'denied']);
    expect(execution.messages).toEqual([
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'c1', toolName: 'read', output: { type: 'text', value: 'read done' } },
          {
            type: 'tool-result',
            toolCallId: 'c2',
            toolName: 'delete',
            output: { type: 'execution-denied', reason: expect.stringContaining('"not this one"') as string },
          },
        ],
      },
    ]);
    expect([read.runs.length, remove.runs.length]).toEqual([1, 0]);
  });

  it('AP-05 tells calls with repeated, empty and missing ids apart, and gives the pause an id of its own', async () => {
    const tools = ['read_file', 'delete_file', 'list'].map((name) => countingTool(name));
    const { pause, decide, execute, manager } = world(tools, { policy: { delete_file: true } });
    const reply = replyOf(
      ['dup', 'read_file', { p: 'a' }],
      ['dup', 'delete_file', { p: 'a' }],
      ['', 'list'],
      [undefined, 'list'],
    );
    expect(ToolCallDecisions.toolCallKeys(reply)).toEqual(['0.dup', '1.dup', '2.', '3.']);
    const { id, keys } = await pause(reply);
    expect(keys).toEqual(['1.dup']);
    expect(id).not.toContain('dup');
    expect(await decide(id, { '0.dup': { type: 'approve' } })).toMatchObject([{ key: '0.dup', answer: 'invalid' }]);
    expect((await manager.confirmations.get(id))?.calls.map(({ state }) => state)).toEqual([
      'free',
      'awaiting',
      'free',
      'free',
    ]);
    await decide(id, { '1.dup': { type: 'deny' } });
    expect(statuses(await execute(reply))).toEqual(['succeeded', 'denied', 'succeeded', 'succeeded']);
    expect(tools.map(({ runs }) => runs.length)).toEqual([1, 0, 2]);
  });

  it('AP-21 never calls the function of a refused tool', async () => {
    const tool = countingTool('custom', { requiresConfirmation: true });
    const { pause, decide, execute } = world([tool]);
    const reply = replyOf(['c1', 'custom', { n: 1 }], ['c2', 'custom', { n: 2 }]);
    const { id } = await pause(reply);
    await decide(id, { '0.c1': { type: 'deny' }, '1.c2': { type: 'approve' } });
    await execute(reply);
    expect(tool.runs.map(({ args }) => args)).toEqual([{ n: 2 }]);
  });

  it('AP-37 matches decisions by key, whatever their order and however alike the calls', async () => {
    const ends: (() => void)[] = [];
    const paint = countingTool('paint_tile', {
      requiresConfirmation: true,
      execute: (args: { readonly k: string }) =>
        new Promise((resolve) => {
          ends.push(() => resolve(`painted ${args.k}`));
        }),
    });
    const { pause, decide, execute } = world([paint]);
    const reply = replyOf(
      ['c1', 'paint_tile', { k: 'round' }],
      ['c2', 'paint_tile', { k: 'edge' }],
      ['c3', 'paint_tile', { k: 'edge' }],
    );
    const { id, keys } = await pause(reply);
    expect(keys).toEqual(['0.c1', '1.c2', '2.c3']);
    await decide(id, { '2.c3': { type: 'deny' } });
    await decide(id, { '0.c1': { type: 'approve' } });
    await decide(id, { '1.c2': { type: 'approve', arguments: { k: 'star' } } });
    const running = execute(reply);
    await expect.poll(() => ends.length).toBe(2);
    // They end in the other order.
    for (const end of ends.toReversed()) end();
    const execution = await running;
    expect(statuses(execution)).toEqual(['succeeded', 'succeeded', 'denied']);
    expect(texts(execution).slice(0, 2)).toEqual(['painted round', 'painted star']);
  });

  it.each(['hold', 'run-now'] as const)(
    'AP-45 lets a refusal touch its own call only (siblings: %s)',
    async (siblings) => {
      const [edit, shell, read] = ['edit', 'shell', 'read'].map((name) => countingTool(name)) as [
        ReturnType<typeof countingTool>,
        ReturnType<typeof countingTool>,
        ReturnType<typeof countingTool>,
      ];
      const { pause, decide, execute } = world([edit, shell, read], { policy: { edit: true, shell: true }, siblings });
      const reply = replyOf(['c1', 'edit', { f: 'a' }], ['c2', 'shell', { cmd: 'make' }], ['c3', 'read', { f: 'b' }]);
      const { id, keys } = await pause(reply);
      expect(keys).toEqual(['0.c1', '1.c2']);
      expect(read.runs.length).toBe(siblings === 'hold' ? 0 : 1);
      await decide(id, { '0.c1': { type: 'deny' } });
      expect(shell.runs).toHaveLength(0);
      await decide(id, { '1.c2': { type: 'approve' } });
      const execution = await execute(reply);
      expect(statuses(execution)).toEqual(['denied', 'succeeded', 'succeeded']);
      expect([edit.runs.length, shell.runs.length, read.runs.length]).toEqual([0, 1, 1]);
      const later = [...user, reply, ...execution.messages];
      expect((await pause(replyOf(['c4', 'edit', { f: 'a2' }]), { messages: later })).keys).toEqual(['0.c4']);
    },
  );

  it('AP-46 gives the model the result of the tool and nothing of the decision', async () => {
    const calculator = countingTool('calculator', { requiresConfirmation: true, execute: () => 40 });
    const { pause, decide, execute } = world([calculator]);
    const reply = replyOf(['c1', 'calculator', { e: '8*5' }]);
    const { id } = await pause(reply);
    await decide(id, { '0.c1': { type: 'approve' } });
    const execution = await execute(reply);
    expect(execution.messages).toEqual([
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'c1', toolName: 'calculator', output: { type: 'json', value: 40 } },
        ],
      },
    ]);
    expect(JSON.stringify(execution.messages)).not.toMatch(/approve|decision/i);
  });

  it('AP-34 never runs a call that the provider runs, nor makes up a result for it', async () => {
    const local = countingTool('create_issue');
    const { manager, conversation } = world([local]);
    const reply = {
      role: 'assistant' as const,
      content: [
        {
          type: 'tool-call',
          toolCallId: 'mcpr_1',
          toolName: 'create_issue',
          input: { t: 'x' },
          providerExecuted: true,
        },
        { type: 'tool-call', toolCallId: 'own', toolName: 'create_issue', input: { t: 'y' } },
      ],
    };
    expect(ToolCallDecisions.toolCallKeys(reply)).toEqual(['1.own']);
    const execution = await manager.executeToolCalls(conversation, reply);
    expect(execution.outcomes.map(({ key }) => key)).toEqual(['1.own']);
    expect(local.runs.map(({ args }) => args)).toEqual([{ t: 'y' }]);
  });
});
