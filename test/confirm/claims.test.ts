import { describe, expect, it } from 'vitest';
import { ToolgateError } from '../../src/core/errors.ts';
import type { ConfirmationStore } from '../../src/confirm/store-port.ts';
import { countingTool, replyOf } from './tools.ts';
import { failure, statuses, texts, user, world } from './world.ts';

const approve = { type: 'approve' } as const;
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

/** A tool that ends when it is told to. */
function slowTool(): ReturnType<typeof countingTool> & { readonly end: (value: string) => void } {
  const ends: ((value: string) => void)[] = [];
  const tool = countingTool('slow', {
    requiresConfirmation: true,
    execute: () =>
      new Promise((resolve) => {
        ends.push(resolve);
      }),
  });
  return Object.assign(tool, { end: (value: string) => ends.shift()?.(value) });
}

describe('the right to run a call', () => {
  it('is held by one; a second delivery waits and gets the same outcome', async () => {
    const tool = slowTool();
    const { pause, decide, manager, again } = world([tool]);
    const { id } = await pause(replyOf(['a', 'slow']));
    await decide(id, { '0.a': approve });
    const first = manager.resume(id);
    await settle();
    const second = again().resume(id);
    await settle();
    expect(tool.runs).toHaveLength(1);
    tool.end('the one result');
    expect(await second).toEqual(await first);
    expect(texts(await first)).toEqual(['the one result']);
  });

  it('gives `call-running` when the waiting time is over', async () => {
    const tool = slowTool();
    const { clock, pause, decide, manager, again } = world([tool]);
    const { id } = await pause(replyOf(['a', 'slow']));
    await decide(id, { '0.a': approve });
    const first = manager.resume(id);
    await settle();
    expect((await failure(again({ waitMs: 0 }).resume(id))).code).toBe('call-running');
    const second = failure(again({ waitMs: 5_000, pollMs: 1_000 }).resume(id));
    for (let step = 0; step < 5; step += 1) {
      await settle();
      clock.advance(1_000);
    }
    expect(await second).toMatchObject({ code: 'call-running', data: { key: '0.a' } });
    tool.end('done');
    expect(statuses(await first)).toEqual(['succeeded']);
  });

  it('is kept by a slow tool as long as its process lives', async () => {
    const tool = slowTool();
    const { clock, pause, decide, manager } = world([tool], { leaseMs: 3_000 });
    const { id } = await pause(replyOf(['a', 'slow']));
    await decide(id, { '0.a': approve });
    const run = manager.resume(id);
    await settle();
    for (let step = 0; step < 10; step += 1) {
      clock.advance(1_000);
      await settle();
    }
    expect((await manager.confirmations.get(id))?.calls[0]?.state).toBe('running');
    tool.end('after ten seconds');
    expect(texts(await run)).toEqual(['after ten seconds']);
  });

  it('is lost with its lease: a late result is recorded and not applied', async () => {
    const tool = slowTool();
    const { clock, store, pause, decide, manager, again } = world([tool], { leaseMs: 3_000 });
    const { id } = await pause(replyOf(['a', 'slow']));
    await decide(id, { '0.a': approve });
    // A process that stands still: its own clock does not move, so it extends nothing.
    const frozen = again({ clock: { now: () => 0, schedule: () => () => {} } });
    const run = frozen.resume(id);
    await settle();
    clock.advance(3_000);
    expect((await manager.confirmations.get(id))?.calls[0]?.state).toBe('unknown');
    tool.end('too late');
    expect(statuses(await run)).toEqual(['unknown']);
    expect((await store.readAudit(id, 1)).map((row) => row.kind).slice(-2)).toEqual(['call-lost', 'late-result']);
    await manager.confirmations.resolveUnknown(id, '0.a', 'succeeded', { principal: { id: 'bob' } });
    expect(texts(await manager.resume(id))[0]).toContain('it took effect');
    expect(tool.runs).toHaveLength(1);
  });

  it('is not needed twice when the store is away while the outcome is written', async () => {
    const tool = countingTool('pay', { requiresConfirmation: true });
    const base = world([tool]);
    let away = 3;
    const flaky: ConfirmationStore = Object.assign(Object.create(base.store) as ConfirmationStore, {
      change(write: Parameters<ConfirmationStore['change']>[0]) {
        const finishing = write.audit.some((row) => row.kind === 'call-finished');
        if (finishing && away > 0) {
          away -= 1;
          return Promise.reject(new ToolgateError('store-failed', 'away'));
        }
        return base.store.change(write);
      },
    });
    const { id } = await base.pause(replyOf(['a', 'pay']));
    await base.decide(id, { '0.a': approve });
    const run = base.again({ store: flaky }).resume(id);
    for (let step = 0; step < 4; step += 1) {
      await settle();
      base.clock.advance(1_000);
    }
    expect(statuses(await run)).toEqual(['succeeded']);
    expect(tool.runs).toHaveLength(1);
  });
});

describe('a claim whose answer was lost', () => {
  it('is found to be ours, and the call runs once', async () => {
    const tool = countingTool('pay', { requiresConfirmation: true });
    const base = world([tool]);
    let lost = false;
    const flaky: ConfirmationStore = Object.assign(Object.create(base.store) as ConfirmationStore, {
      async change(write: Parameters<ConfirmationStore['change']>[0]) {
        const done = await base.store.change(write);
        if (lost || !write.audit.some((row) => row.kind === 'call-claimed')) return done;
        lost = true;
        throw new ToolgateError('store-failed', 'the connection broke after the commit');
      },
    });
    const { id } = await base.pause(replyOf(['a', 'pay']));
    await base.decide(id, { '0.a': approve });
    const run = base.again({ store: flaky }).resume(id);
    await settle();
    base.clock.advance(1_000);
    expect(statuses(await run)).toEqual(['succeeded']);
    expect(lost).toBe(true);
    expect(tool.runs.map(({ context }) => context.fence)).toEqual([1]);
  });
});

describe('several approvers', () => {
  it('are needed in number, each another person, and one denial is enough', async () => {
    const tool = countingTool('launch');
    const { pause, decide, execute, manager } = world([tool], { policy: { launch: { confirm: { approvals: 2 } } } });
    const reply = replyOf(['a', 'launch'], ['b', 'launch', { n: 2 }]);
    const { id } = await pause(reply);
    expect(await decide(id, { '0.a': approve, '1.b': approve }, 'ann')).toMatchObject([
      { state: 'awaiting' },
      { state: 'awaiting' },
    ]);
    expect(await decide(id, { '0.a': approve }, 'ann')).toMatchObject([{ answer: 'accepted', state: 'awaiting' }]);
    expect(await decide(id, { '0.a': approve }, 'alice')).toMatchObject([{ answer: 'not-permitted' }]);
    expect(await decide(id, { '0.a': { type: 'approve', arguments: { n: 9 } } }, 'ben')).toMatchObject([
      { answer: 'invalid' },
    ]);
    expect(tool.runs).toHaveLength(0);
    expect(await decide(id, { '0.a': approve, '1.b': { type: 'deny' } }, 'ben')).toMatchObject([
      { state: 'approved' },
      { state: 'denied' },
    ]);
    expect((await manager.confirmations.get(id))?.calls[0]?.approvals.map(({ by }) => by?.principal.id)).toEqual([
      'ann',
      'ben',
    ]);
    expect(statuses(await execute(reply))).toEqual(['succeeded', 'denied']);
  });
});

describe('the caller', () => {
  it('decides its own calls only where that is said', async () => {
    const tool = countingTool('pay', { requiresConfirmation: true });
    for (const [approver, demand, expected] of [
      ['not-caller', undefined, 'not-permitted'],
      ['any', undefined, 'accepted'],
      ['any', 'not-caller', 'not-permitted'],
      ['not-caller', 'any', 'accepted'],
    ] as const) {
      const { pause, decide } = world([tool], {
        approver,
        policy: { pay: { confirm: demand === undefined ? {} : { approver: demand } } },
      });
      const { id } = await pause(replyOf(['a', 'pay']));
      expect(await decide(id, { '0.a': approve }, 'alice')).toMatchObject([{ answer: expected }]);
    }
  });

  it('can give up: nothing runs after an abort, and what waits stays', async () => {
    const tool = countingTool('pay', { requiresConfirmation: true });
    const { pause, decide, manager } = world([tool]);
    const { id } = await pause(replyOf(['a', 'pay']));
    await decide(id, { '0.a': approve });
    await expect(manager.resume(id, { signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow('gone');
    expect((await manager.confirmations.get(id))?.calls[0]?.state).toBe('approved');
    const execution = await manager.confirmations.cancel(id, { principal: { id: 'bob' } }, 'not needed');
    expect(execution.calls[0]).toMatchObject({ state: 'cancelled' });
    expect(texts(await manager.resume(id))[0]).toContain('"not needed"');
    expect(tool.runs).toHaveLength(0);
  });
});

describe('what waits', () => {
  it('is listed page by page and shown with its preview', async () => {
    const tool = countingTool('pay', {
      requiresConfirmation: true,
      preview: (args: { n: number }) => `would pay ${args.n}`,
    });
    const silent = countingTool('quiet', {
      requiresConfirmation: true,
      preview: () => {
        throw new Error('no');
      },
    });
    const { clock, pause, manager } = world([tool, silent]);
    for (let n = 0; n < 5; n += 1) {
      await pause(replyOf([`c${n}`, 'pay', { n }]));
      clock.advance(1);
    }
    const first = await manager.confirmations.list({ limit: 2 });
    expect(first.items.map(({ calls }) => calls[0]?.preview)).toEqual(['would pay 4', 'would pay 3']);
    const second = await manager.confirmations.list({ limit: 2, cursor: first.next });
    const third = await manager.confirmations.list({ limit: 2, cursor: second.next });
    expect([...second.items, ...third.items].map(({ calls }) => calls[0]?.preview)).toEqual([
      'would pay 2',
      'would pay 1',
      'would pay 0',
    ]);
    expect(third.next).toBeUndefined();
    expect((await failure(manager.confirmations.list({ limit: 0 }))).code).toBe('invalid-option');
    expect((await failure(manager.confirmations.list({ cursor: 'x' }))).code).toBe('invalid-option');
    const { id } = await pause(replyOf(['q', 'quiet']));
    expect((await manager.confirmations.get(id))?.calls[0]?.preview).toBeNull();
  });

  it('is waited for until it is decided', async () => {
    const tool = countingTool('pay', { requiresConfirmation: true });
    const { pause, decide, manager } = world([tool]);
    const { id } = await pause(replyOf(['a', 'pay']));
    const decided = manager.confirmations.wait(id, { timeoutMs: 60_000 });
    await settle();
    await decide(id, { '0.a': { type: 'deny' } });
    expect((await decided).calls[0]?.state).toBe('denied');
    expect((await manager.confirmations.wait(id)).calls[0]?.state).toBe('denied');
  });

  it('answers `stale` to a decision about something else than what was shown', async () => {
    const tool = countingTool('pay', { requiresConfirmation: true });
    const { pause, manager } = world([tool]);
    const { id } = await pause(replyOf(['a', 'pay']));
    const digest = (await manager.confirmations.get(id))?.calls[0]?.digest;
    const by = { principal: { id: 'bob' } };
    const wrong = { '0.a': { ...approve, expected: `sha256:${'1'.repeat(64)}` as const } };
    expect(await manager.confirmations.decide(id, wrong, by)).toMatchObject([{ answer: 'stale' }]);
    if (digest === undefined) throw new Error('No digest.');
    expect(await manager.confirmations.decide(id, { '0.a': { ...approve, expected: digest } }, by)).toMatchObject([
      { answer: 'accepted' },
    ]);
  });

  it('is also what free calls are, where every reply is recorded', async () => {
    const tool = countingTool('read');
    const { manager, conversation, execute } = world([tool], { record: 'all' });
    const reply = replyOf(['a', 'read']);
    const executions = await Promise.all([
      execute(reply),
      execute(reply),
      manager.executeToolCalls(conversation, reply),
    ]);
    expect(tool.runs).toHaveLength(1);
    expect(executions.map(statuses)).toEqual([['succeeded'], ['succeeded'], ['succeeded']]);
    expect(user).toHaveLength(1);
  });
});
