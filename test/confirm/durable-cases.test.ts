import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ToolgateError } from '../../src/core/errors.ts';
import type { ConfirmationStore } from '../../src/confirm/store-port.ts';
import { memoryStore } from '../../src/stores/memory.ts';
import { sqliteStore } from '../../src/stores/sqlite/index.ts';
import { manualClock } from '../../src/testing/manual-clock.ts';
import { countingTool, replyOf } from './tools.ts';
import { failure, statuses, texts, user, world } from './world.ts';

const approve = { type: 'approve' } as const;
const folder = mkdtempSync(join(tmpdir(), 'toolgate-durable-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let counter = 0;
const newPath = (): string => join(folder, `store-${(counter += 1)}.db`);

/** A store that dies at one write, before or after it reached the disk, as its process would. */
function dyingStore(store: ConfirmationStore, kind: string, when: 'before' | 'after'): ConfirmationStore {
  const dead = new Error('The process is gone.');
  return Object.assign(Object.create(store) as ConfirmationStore, {
    async change(write: Parameters<ConfirmationStore['change']>[0]) {
      const hit = write.audit.some((row) => row.kind === kind);
      if (hit && when === 'before') throw dead;
      const done = await store.change(write);
      if (hit) throw dead;
      return done;
    },
  });
}

describe('what survives', () => {
  it.each([
    ['before the tool starts', 'call-claimed', 'before', 'succeeded', 1],
    ['after the claim, before the tool starts', 'call-claimed', 'after', 'unknown', 0],
    ['after it returned, before the result is saved', 'call-finished', 'before', 'unknown', 1],
    ['after saving, before the model step', 'call-finished', 'after', 'succeeded', 1],
  ] as const)('AP-12 a crash %s', async (_, kind, when, status, runs) => {
    const clock = manualClock();
    const store = memoryStore({ clock });
    const tool = countingTool('send_mail', { requiresConfirmation: true });
    const { pause, decide, again } = world([tool], { store, clock, leaseMs: 1_000 });
    const { id } = await pause(replyOf(['c1', 'send_mail']));
    await decide(id, { '0.c1': approve });
    await expect(again({ store: dyingStore(store, kind, when) }).resume(id)).rejects.toThrow('The process is gone.');
    clock.advance(1_001);
    const next = again();
    expect(statuses(await next.resume(id))).toEqual([status]);
    expect(statuses(await next.resume(id))).toEqual([status]);
    expect(tool.runs).toHaveLength(runs);
    if (status !== 'unknown') return;
    await next.confirmations.resolveUnknown(id, '0.c1', 'run-again', { principal: { id: 'bob' } });
    expect(statuses(await next.resume(id))).toEqual(['succeeded']);
    expect(tool.runs).toHaveLength(runs + 1);
    expect(new Set(tool.runs.map(({ context }) => context.idempotencyKey)).size).toBe(1);
  });

  it('AP-12 a crash while an idempotent tool ran: repeated with the same key, without asking', async () => {
    const clock = manualClock();
    const store = memoryStore({ clock });
    const tool = countingTool('put', { requiresConfirmation: true, annotations: { idempotentHint: true } });
    const { pause, decide, again } = world([tool], { store, clock, leaseMs: 1_000 });
    const { id } = await pause(replyOf(['c1', 'put']));
    await decide(id, { '0.c1': approve });
    await expect(again({ store: dyingStore(store, 'call-finished', 'before') }).resume(id)).rejects.toThrow();
    clock.advance(1_001);
    expect(statuses(await again().resume(id))).toEqual(['succeeded']);
    expect(tool.runs.map(({ context }) => context.fence)).toEqual([1, 2]);
    expect(new Set(tool.runs.map(({ context }) => context.idempotencyKey)).size).toBe(1);
  });

  it('AP-14 the process: another one lists, another one decides, another one runs', async () => {
    const path = newPath();
    const tool = countingTool('deploy', { requiresConfirmation: true });
    const open = (): ReturnType<typeof world> => world([tool], { store: sqliteStore({ path }) });
    const first = open();
    const { id } = await first.pause(replyOf(['c1', 'deploy', { to: 'production' }]));
    await first.store.close();
    const second = open();
    const { items } = await second.manager.confirmations.list({ state: 'open' });
    expect(items).toMatchObject([
      {
        id,
        identity: { principal: 'alice', conversation: 'c1' },
        calls: [{ toolName: 'deploy', state: 'awaiting', proposedArguments: { to: 'production' } }],
      },
    ]);
    await second.decide(id, { '0.c1': approve });
    await second.store.close();
    const third = open();
    expect(statuses(await third.manager.resume(id))).toEqual(['succeeded']);
    expect(tool.runs).toHaveLength(1);
    await third.store.close();
  });

  it('AP-15 a dropped connection: one pause, with all arguments; a call that was cut off is not offered', async () => {
    const tool = countingTool('write', { requiresConfirmation: true });
    const { pause, manager, execute } = world([tool]);
    const reply = replyOf(['c1', 'write', { text: 'all of it' }]);
    const ids = new Set([(await pause(reply)).id, (await pause(reply)).id, (await pause(reply)).id]);
    expect(ids.size).toBe(1);
    expect((await manager.confirmations.list()).items).toMatchObject([
      { calls: [{ proposedArguments: { text: 'all of it' } }] },
    ]);
    expect(statuses(await execute(replyOf(['c2', 'write', '{"text":"all of'])))).toEqual(['invalid']);
    expect((await manager.confirmations.list({ callStates: ['awaiting'] })).items).toHaveLength(1);
  });

  it('AP-22 a new user message: it supersedes what waits, and a late click is told so', async () => {
    const tool = countingTool('pay', { requiresConfirmation: true });
    const { pause, decide, manager, conversation } = world([tool]);
    const { id } = await pause(replyOf(['c1', 'pay', { eur: 100 }]));
    const [superseded] = await manager.supersede(conversation);
    expect(superseded?.pause.calls[0]?.state).toBe('superseded');
    expect(superseded?.messages).toMatchObject([
      { role: 'tool', content: [{ toolCallId: 'c1', output: { type: 'error-text' } }] },
    ]);
    expect(await decide(id, { '0.c1': approve })).toMatchObject([{ answer: 'already-decided', state: 'superseded' }]);
    expect(statuses(await manager.resume(id))).toEqual(['superseded']);
    expect(tool.runs).toHaveLength(0);
  });

  it('AP-24 two people at the same moment: one decision wins, the other is told whose, the call runs at most once', async () => {
    const path = newPath();
    const tool = countingTool('pay', { requiresConfirmation: true });
    const [one, two] = [
      world([tool], { store: sqliteStore({ path, synchronous: 'off' }) }),
      world([tool], { store: sqliteStore({ path, synchronous: 'off' }) }),
    ];
    for (let round = 0; round < 100; round += 1) {
      const { id } = await one.pause(replyOf([`c${round}`, 'pay']));
      const key = `0.c${round}`;
      const before = tool.runs.length;
      const answers = await Promise.all([
        one.decide(id, { [key]: approve }, 'ann'),
        two.decide(id, { [key]: { type: 'deny' } }, 'ben'),
      ]);
      const kinds = answers.flat().map(({ answer }) => answer);
      expect(kinds.toSorted()).toEqual(['accepted', 'already-decided']);
      const executions = await Promise.all([one.manager.resume(id), two.manager.resume(id)]);
      const approved = kinds[0] === 'accepted';
      expect(executions.map(statuses)).toEqual(approved ? [['succeeded'], ['succeeded']] : [['denied'], ['denied']]);
      expect(tool.runs.length - before).toBe(approved ? 1 : 0);
      const loser = answers.flat().find(({ answer }) => answer === 'already-decided');
      expect(loser).toMatchObject({ by: { principal: { id: approved ? 'ann' : 'ben' } } });
    }
    const { id } = await one.pause(replyOf(['again', 'pay']));
    const twice = await Promise.all([
      one.decide(id, { '0.again': approve }, 'ann'),
      two.decide(id, { '0.again': approve }, 'ann'),
    ]);
    expect(twice.flat().map(({ answer }) => answer)).toEqual(['accepted', 'accepted']);
    await one.store.close();
    await two.store.close();
  });

  it('AP-33 the time of the approval: expired is not denied, never approved, and needs no timer', async () => {
    const tool = countingTool('pay', { requiresConfirmation: true });
    const { clock, pause, decide, manager } = world([tool], { expiresInMs: 300_000 });
    const { id } = await pause(replyOf(['c1', 'pay']));
    clock.advance(299_999);
    expect((await manager.confirmations.get(id))?.calls[0]?.state).toBe('awaiting');
    clock.advance(60_001);
    expect(await decide(id, { '0.c1': approve })).toEqual([
      { key: '0.c1', answer: 'already-decided', state: 'expired', by: null, at: null },
    ]);
    const execution = await manager.resume(id);
    expect(statuses(execution)).toEqual(['expired']);
    expect(texts(execution)[0]).toContain('This is not a refusal');
    expect(tool.runs).toHaveLength(0);
  });

  it('AP-33 an approval that comes in time and is run too late', async () => {
    const tool = countingTool('pay', { requiresConfirmation: true });
    const { clock, pause, decide, manager } = world([tool], { expiresInMs: 300_000 });
    const { id } = await pause(replyOf(['c1', 'pay']));
    await decide(id, { '0.c1': approve });
    clock.advance(300_000);
    expect(statuses(await manager.resume(id))).toEqual(['expired']);
    expect(tool.runs).toHaveLength(0);
  });

  it('AP-42 eight ends are eight statuses, each in the audit; without the store nothing runs', async () => {
    const clock = manualClock();
    const store = memoryStore({ clock });
    const tools = [
      countingTool('ok', { requiresConfirmation: true }),
      countingTool('broken', {
        requiresConfirmation: true,
        execute: () => {
          throw new Error('no disk');
        },
      }),
      countingTool('forbidden'),
    ];
    const { pause, decide, manager, again } = world(tools, {
      store,
      clock,
      policy: { forbidden: { deny: 'never' } },
      expiresInMs: 1_000,
      leaseMs: 500,
    });
    const kinds = async (id: string): Promise<string[]> => (await store.readAudit(id, 1)).map((row) => row.kind);
    const first = await pause(replyOf(['a', 'ok'], ['b', 'broken'], ['c', 'ok'], ['d', 'forbidden']));
    await decide(first.id, { '0.a': approve, '1.b': approve, '2.c': { type: 'deny' } });
    const execution = await manager.resume(first.id);
    expect(statuses(execution)).toEqual(['succeeded', 'failed', 'denied', 'denied']);
    expect(execution.outcomes.map(({ by }) => (typeof by === 'object' ? by.principal.id : by))).toEqual([
      'bob',
      'bob',
      'bob',
      'policy',
    ]);
    expect(await kinds(first.id)).toEqual([
      'pause-created',
      'call-proposed',
      'call-proposed',
      'call-proposed',
      'call-proposed',
      'call-approved',
      'call-approved',
      'call-denied',
      'call-claimed',
      'call-claimed',
      'call-finished',
      'call-finished',
      'pause-settled',
    ]);
    const expired = await pause(replyOf(['e', 'ok']));
    clock.advance(1_000);
    expect(statuses(await manager.resume(expired.id))).toEqual(['expired']);
    const superseded = await pause(replyOf(['f', 'ok']));
    await manager.supersede({ id: 'c1', principal: { id: 'alice' } });
    expect(statuses(await manager.resume(superseded.id))).toEqual(['superseded']);
    const lost = await pause(replyOf(['g', 'ok']));
    await decide(lost.id, { '0.g': approve });
    await expect(again({ store: dyingStore(store, 'call-finished', 'before') }).resume(lost.id)).rejects.toThrow();
    clock.advance(500);
    expect(statuses(await manager.resume(lost.id))).toEqual(['unknown']);
    const runs = tools[0]?.runs.length;
    const away = Object.assign(Object.create(store) as ConfirmationStore, {
      find: () => Promise.reject(new ToolgateError('store-failed', 'The store is away.')),
    });
    expect(
      (
        await failure(
          again({ store: away }).executeToolCalls({ id: 'c1', messages: user, tools }, replyOf(['h', 'ok'])),
        )
      ).code,
    ).toBe('store-failed');
    expect(tools[0]?.runs.length).toBe(runs);
  });
});
