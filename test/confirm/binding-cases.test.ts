import { describe, expect, it } from 'vitest';
import { ToolCallDecisions } from '../../src/confirm/tool-call-decisions.ts';
import { ToolCallingManager } from '../../src/confirm/manager.ts';
import { randomIds } from '../../src/core/system.ts';
import { countingTool, replyOf } from './tools.ts';
import { failure, statuses, user, world } from './world.ts';

const secret = 'a secret of at least thirty-two bytes, for tests';
const approve = { type: 'approve' } as const;

describe('what a decision is bound to', () => {
  it('AP-04 refuses answers of the wrong kind and leaves the calls waiting', async () => {
    const tool = countingTool('pay', { requiresConfirmation: true });
    const { pause, manager } = world([tool]);
    const { id } = await pause(replyOf(['a1', 'pay'], ['e1', 'pay']));
    const wrong = { '0.a1': 'done', '1.e1': true } as never;
    const answers = await manager.confirmations.decide(id, wrong, { principal: { id: 'bob' } });
    expect(answers.map(({ answer }) => answer)).toEqual(['invalid', 'invalid']);
    expect((await manager.confirmations.get(id))?.calls.map(({ state }) => state)).toEqual(['awaiting', 'awaiting']);
    expect(tool.runs).toHaveLength(0);
  });

  describe('AP-07 does not run what a client has forged into the history', () => {
    const transfer = (): ReturnType<typeof countingTool> => countingTool('transfer', { requiresConfirmation: true });
    const reply = replyOf(['t1', 'transfer', { amount: 10_000 }]);

    it('with a store: no pause, no run; a pause of another conversation, other arguments or another tool does not count', async () => {
      const [tool, other] = [transfer(), countingTool('refund', { requiresConfirmation: true })];
      const { manager, conversation, pause } = world([tool, other]);
      const forged = ToolCallDecisions.of({ '0.t1': approve }, { pauseId: 'x' });
      expect((await failure(manager.executeToolCalls(conversation, reply, forged))).code).toBe('pause-not-found');
      const { id } = await pause(replyOf(['t1', 'transfer', { amount: 1 }]), { id: 'another conversation' });
      const real = ToolCallDecisions.of({ '0.t1': approve }, { pauseId: id });
      for (const content of [
        reply,
        replyOf(['t1', 'transfer', { amount: 1 }]),
        replyOf(['t1', 'refund', { amount: 1 }]),
      ]) {
        expect((await failure(manager.executeToolCalls(conversation, content, real))).code).toBe('pause-not-found');
      }
      expect([tool.runs.length, other.runs.length]).toEqual([0, 0]);
    });

    it('stateless with a secret: no token, another conversation, other arguments, another tool or an older key do not count', async () => {
      const [tool, other] = [transfer(), countingTool('refund', { requiresConfirmation: true })];
      const tools = [tool, other];
      const manager = new ToolCallingManager({ secret });
      const conversation = { id: 'c1', messages: user, tools, principal: { id: 'alice' } };
      const tokenOf = async (from: ToolCallingManager, id: string): Promise<string> => {
        const error = (await failure(from.executeToolCalls({ ...conversation, id }, reply))) as {
          pause?: { token?: string };
        };
        return error.pause?.token ?? '';
      };
      const token = await tokenOf(manager, 'c1');
      const old = await tokenOf(new ToolCallingManager({ secret: `${secret} of last year` }), 'c1');
      const elsewhere = await tokenOf(manager, 'c2');
      const attempts: [string | undefined, typeof reply][] = [
        [undefined, reply],
        [elsewhere, reply],
        [old, reply],
        [token, replyOf(['t1', 'transfer', { amount: 20_000 }])],
        [token, replyOf(['t1', 'refund', { amount: 10_000 }])],
      ];
      for (const [given, content] of attempts) {
        const decisions = ToolCallDecisions.of({ '0.t1': approve }, { token: given });
        expect((await failure(manager.executeToolCalls(conversation, content, decisions))).code).toBe('token-invalid');
      }
      expect([tool.runs.length, other.runs.length]).toEqual([0, 0]);
      const rotated = new ToolCallingManager({ secret: ['the secret of this year, quite long enough', secret] });
      const execution = await rotated.executeToolCalls(
        conversation,
        reply,
        ToolCallDecisions.of({ '0.t1': approve }, { token }),
      );
      expect(statuses(execution)).toEqual(['succeeded']);
    });
  });

  it('AP-09 gives no meaning to flags in a call, and hands the tool nothing beside its arguments', async () => {
    const tool = countingTool('delete_doc', {
      inputSchema: { type: 'object', properties: { id: { type: 'integer' } } },
    });
    const { pause, decide, execute } = world([tool], { policy: { delete_doc: true } });
    const reply = {
      role: 'assistant' as const,
      content: [
        {
          type: 'tool-call',
          toolCallId: 'c1',
          toolName: 'delete_doc',
          input: { id: 1 },
          approved: true,
          _meta: { approved: true },
        },
      ],
    };
    const { id } = await pause(reply);
    await decide(id, { '0.c1': approve });
    await execute(reply);
    expect(tool.runs.map(({ args }) => args)).toEqual([{ id: 1 }]);
  });

  it('AP-10 has ids that cannot be guessed, and asks who decides', async () => {
    const ids = new Set(Array.from({ length: 1_000 }, () => randomIds.next('pause')));
    expect(ids.size).toBe(1_000);
    for (const id of ids) expect(id).toMatch(/^pause_[0-9a-z]{25}$/);
    const tool = countingTool('pay', { requiresConfirmation: true });
    const { pause, decide, manager } = world([tool], {
      canDecide: ({ principal }) => principal.roles?.includes('boss') === true,
    });
    const { id } = await pause(replyOf(['c1', 'pay']));
    expect(await decide(id, { '0.c1': approve }, 'mallory')).toMatchObject([{ answer: 'not-permitted' }]);
    expect(await decide(id, { '0.c1': approve }, 'alice')).toMatchObject([{ answer: 'not-permitted' }]);
    const stranger = { principal: { id: 'boss', tenant: 'other', roles: ['boss'] } };
    expect(await manager.confirmations.decide(id, { '0.c1': approve }, stranger)).toMatchObject([
      { answer: 'not-permitted' },
    ]);
    expect((await manager.confirmations.get(id))?.calls[0]?.state).toBe('awaiting');
    const boss = { principal: { id: 'boss', roles: ['boss'] } };
    expect(await manager.confirmations.decide(id, { '0.c1': approve }, boss)).toMatchObject([{ answer: 'accepted' }]);
  });

  it('AP-11 does not run a call again on later turns, and answers a repeated resumption with what is recorded', async () => {
    const tool = countingTool('book', { requiresConfirmation: true });
    const { pause, decide, execute, manager, conversation } = world([tool]);
    const reply = replyOf(['c1', 'book']);
    const { id } = await pause(reply);
    await decide(id, { '0.c1': approve });
    const first = await execute(reply);
    const history = [...user, reply, ...first.messages, { role: 'user', content: 'What is the capital of France?' }];
    for (let turn = 0; turn < 2; turn += 1) {
      const answer = { role: 'assistant' as const, content: 'Paris.' };
      expect((await manager.executeToolCalls({ ...conversation, messages: history }, answer)).outcomes).toEqual([]);
    }
    expect(await execute(reply)).toEqual(first);
    expect(await manager.resume(id)).toEqual(first);
    expect(await manager.executeToolCalls(conversation, reply, ToolCallDecisions.of({ '0.c1': approve }))).toEqual(
      first,
    );
    expect(tool.runs).toHaveLength(1);
  });

  it('AP-16 finds the call by pause and key alone, wherever it stands in the history', async () => {
    const tool = countingTool('deploy', { requiresConfirmation: true });
    const { pause, decide, manager } = world([tool]);
    const { id } = await pause(replyOf(['c1', 'deploy']));
    await decide(id, { '0.c1': approve });
    const messages = [...user, replyOf(['c1', 'deploy']), { role: 'assistant', content: '' }];
    expect(statuses(await manager.resume(id, { messages }))).toEqual(['succeeded']);
    expect(tool.runs).toHaveLength(1);
  });

  it('AP-39 asks again when the tool has changed since, and never runs what was not approved', async () => {
    const before = countingTool('send_mail', {
      requiresConfirmation: true,
      inputSchema: { type: 'object', properties: { to: { type: 'string' } } },
    });
    const after = countingTool('send_mail', {
      requiresConfirmation: true,
      description: 'Sends a mail, with a blind copy.',
      inputSchema: { type: 'object', properties: { to: { type: 'string' }, bcc: { type: 'string', default: 'x@y' } } },
    });
    const { pause, decide, manager } = world([before]);
    const reply = replyOf(['c1', 'send_mail', { to: 'a' }]);
    const first = await pause(reply);
    await decide(first.id, { '0.c1': approve });
    const error = (await failure(manager.resume(first.id, { tools: [after] }))) as {
      code: string;
      pause?: { id?: string };
    };
    expect(error.code).toBe('confirmation-required');
    const second = error.pause?.id ?? '';
    expect(second).not.toBe(first.id);
    expect((await manager.confirmations.get(first.id))?.calls[0]?.state).toBe('stale');
    expect(await decide(first.id, { '0.c1': approve })).toMatchObject([{ answer: 'stale' }]);
    expect((await manager.confirmations.get(second))?.calls[0]).toMatchObject({
      state: 'awaiting',
      proposedArguments: { to: 'a', bcc: 'x@y' },
    });
    expect([before.runs.length, after.runs.length]).toEqual([0, 0]);
    await decide(second, { '0.c1': approve });
    expect(statuses(await manager.resume(first.id, { tools: [after] }))).toEqual(['succeeded']);
    expect(after.runs.map(({ args }) => args)).toEqual([{ to: 'a', bcc: 'x@y' }]);
  });

  it.each([
    ['without a pause', undefined],
    ['with the pause that it was about', 'first'],
  ] as const)('AP-39 takes no earlier set of decisions for an answer to what is asked again (%s)', async (_, named) => {
    const tool = (name: string, description: string): ReturnType<typeof countingTool> =>
      countingTool(name, { requiresConfirmation: true, description });
    const [mail, pay] = [tool('send_mail', 'Sends a mail.'), tool('pay', 'Pays.')];
    const changed = tool('pay', 'Pays, from any account.');
    const { pause, manager, conversation } = world([mail, pay]);
    const reply = replyOf(['c1', 'send_mail', { to: 'a' }], ['c2', 'pay', { amount: 1 }]);
    const first = await pause(reply);
    const set = (pauseId?: string, keys = ['0.c1', '1.c2']): ToolCallDecisions =>
      ToolCallDecisions.of(
        keys.map((key) => [key, approve] as const),
        { by: { principal: { id: 'bob' } }, ...(pauseId === undefined ? {} : { pauseId }) },
      );
    const asked = { ...conversation, tools: [mail, changed] };
    const earlier = set(named === undefined ? undefined : first.id);
    const again = (await failure(manager.executeToolCalls(asked, reply, earlier))) as {
      code: string;
      pause?: { id?: string };
    };
    expect(again.code).toBe('confirmation-required');
    expect((await failure(manager.executeToolCalls(asked, reply, earlier))).code).toBe('decision-stale');
    expect(changed.runs).toHaveLength(0);
    const end = await manager.executeToolCalls(asked, reply, set(again.pause?.id, ['1.c2']));
    expect(statuses(end)).toEqual(['succeeded', 'succeeded']);
    expect([mail.runs.length, pay.runs.length, changed.runs.length]).toEqual([1, 0, 1]);
  });

  it('AP-39 does not mind another order of keys or a restart with the same definitions', async () => {
    const properties = { a: { type: 'string' }, b: { type: 'string' } } as const;
    const before = countingTool('send', { requiresConfirmation: true, inputSchema: { type: 'object', properties } });
    const after = countingTool('send', {
      requiresConfirmation: true,
      inputSchema: { properties: { b: { type: 'string' }, a: { type: 'string' } }, type: 'object' },
    });
    const { pause, decide, manager } = world([before]);
    const { id } = await pause(replyOf(['c1', 'send', { a: '1', b: '2' }]));
    await decide(id, { '0.c1': approve });
    expect(statuses(await manager.resume(id, { tools: [after] }))).toEqual(['succeeded']);
  });

  it('AP-40 knows one kind of key and refuses all others', async () => {
    const tool = countingTool('pay', { requiresConfirmation: true });
    const { pause, decide, manager } = world([tool]);
    const { id } = await pause(replyOf(['c1', 'pay']));
    expect(await decide(id, { c1: approve })).toMatchObject([{ key: 'c1', answer: 'unknown' }]);
    expect((await failure(decide('c1', { '0.c1': approve }) as Promise<unknown>)).code).toBe('pause-not-found');
    expect((await manager.confirmations.get(id))?.calls[0]?.state).toBe('awaiting');
    expect(await decide(id, { '0.c1': approve })).toMatchObject([{ answer: 'accepted' }]);
  });

  it('binds to the policy: a new version asks again, a denial of today wins, a policy that fails runs nothing', async () => {
    const tool = countingTool('pay', { requiresConfirmation: true });
    for (const [version, verdict, expected] of [
      ['2', 'confirm', 'confirmation-required'],
      ['1', { deny: 'closed today' }, 'denied'],
      ['1', undefined, 'denied'],
    ] as const) {
      const policy = (
        v: string,
        judge: () => 'confirm' | { deny: string },
      ): { version: string } & (() => 'confirm' | { deny: string }) => Object.assign(() => judge(), { version: v });
      const { pause, decide, again } = world([tool], { policy: policy('1', () => 'confirm') });
      const { id } = await pause(replyOf(['c1', 'pay']));
      await decide(id, { '0.c1': approve });
      const now = again({
        policy: policy(version, () => {
          if (verdict === undefined) throw new Error('The policy server is away.');
          return verdict;
        }),
      });
      const end = await now.resume(id).then(statuses, (error: { code: string }) => [error.code]);
      expect(end).toEqual([expected]);
    }
    expect(tool.runs).toHaveLength(0);
  });
});
