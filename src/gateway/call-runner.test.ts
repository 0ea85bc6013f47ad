import { expect, test } from 'vitest';
import { catalogueOf } from '../catalog/catalogue-of.ts';
import type { Catalogue } from '../catalog/types.ts';
import { ToolCallingManager } from '../confirm/manager.ts';
import { silentLogger } from '../core/logger.ts';
import { randomIds } from '../core/system.ts';
import type { Tool } from '../core/tool.ts';
import { memoryStore } from '../stores/memory.ts';
import { manualClock } from '../testing/manual-clock.ts';
import type { ManualClock } from '../testing/manual-clock.ts';
import { CallRunner } from './call-runner.ts';
import type { CallRequest, CallRunnerOptions, CallStanding } from './call-types.ts';
import { EventHub } from './event-hub.ts';

const caller = { id: 'caller' };
const by = { principal: { id: 'approver' }, via: 'http' };

interface Rig {
  readonly runner: CallRunner;
  readonly clock: ManualClock;
  readonly runs: string[];
  readonly live: { server: () => Promise<void> };
  readonly call: (name: string, more?: Partial<CallRequest>) => Promise<CallStanding>;
  /** Calls, and gives the id of the pause. */
  readonly wait: (name: string, more?: Partial<CallRequest>) => Promise<string>;
  readonly approve: (id: string) => Promise<string>;
}

function rig(more: Partial<CallRunnerOptions> = {}, expiresInMs: number | null = null): Rig {
  const clock = manualClock();
  const runs: string[] = [];
  const server = { name: 's', identity: 's', trust: 'annotations' } as const;
  const tools: Tool[] = [
    {
      name: 'read',
      inputSchema: { type: 'object' },
      annotations: { readOnlyHint: true },
      server,
      execute: () => runs.push('read') && 'read',
    },
    {
      name: 'wipe',
      inputSchema: { type: 'object' },
      annotations: { destructiveHint: true },
      server,
      execute: () => runs.push('wipe') && 'wiped',
    },
  ];
  const catalogue: Catalogue = catalogueOf(tools);
  const manager = new ToolCallingManager({
    store: memoryStore({ clock }),
    clock,
    hidden: 'execute',
    expiresInMs,
    tools: catalogue,
  });
  const live = { server: (): Promise<void> => Promise.resolve() };
  const runner = new CallRunner({
    manager,
    catalogue: () => Promise.resolve(catalogue),
    ensureLive: () => live.server(),
    clock,
    ids: randomIds,
    logger: silentLogger,
    events: new EventHub(),
    ...more,
  });
  const call: Rig['call'] = (name, request = {}) => {
    const tool = catalogue.get(name);
    if (tool === undefined) throw new Error(name);
    return runner.call({
      tool,
      arguments: {},
      principal: caller,
      fresh: false,
      hooks: {},
      signal: new AbortController().signal,
      ...request,
    });
  };
  return {
    runner,
    clock,
    runs,
    live,
    call,
    async wait(name, request) {
      const standing = await call(name, request);
      if (standing.kind !== 'waiting') throw new Error('It did not wait.');
      return standing.pause.id;
    },
    async approve(id) {
      const { pause } = await runner.decide(id, { '0.call': { type: 'approve' } }, by, 1_000);
      return pause.calls[0]?.state ?? 'none';
    },
  };
}

test('reading calls run each time, also when they are the same', async () => {
  const { call, runs } = rig();
  for (let round = 0; round < 3; round += 1) expect((await call('read')).kind).toBe('ended');
  expect(runs).toEqual(['read', 'read', 'read']);
});

test('a repetition attaches to the one that waits and to its result, for ten minutes after the decision', async () => {
  const { wait, call, approve, clock, runs } = rig();
  const id = await wait('wipe');
  expect(await wait('wipe')).toBe(id);
  expect(await wait('wipe', { arguments: { other: 1 } })).not.toBe(id);
  expect(await wait('wipe', { principal: { id: 'somebody else' } })).not.toBe(id);
  clock.advance(3_600_000);
  expect(await approve(id)).toBe('succeeded');
  clock.advance(600_000);
  expect(await call('wipe')).toMatchObject({ kind: 'ended', outcome: { status: 'succeeded' } });
  expect(runs).toEqual(['wipe']);
  clock.advance(1);
  const again = await wait('wipe');
  expect(again).not.toBe(id);
  expect(runs).toEqual(['wipe']);
});

test('a call of its own is asked for by itself, each time', async () => {
  const { wait } = rig();
  const ids = [await wait('wipe'), await wait('wipe', { fresh: true }), await wait('wipe', { fresh: true })];
  expect(new Set(ids).size).toBe(3);
});

test('what expired is asked again, and a denial answers its repetition', async () => {
  const { wait, call, clock, runner, runs } = rig({}, 60_000);
  const first = await wait('wipe');
  clock.advance(60_001);
  const second = await wait('wipe');
  expect(second).not.toBe(first);
  await runner.decide(second, { '0.call': { type: 'deny', message: 'not today' } }, by, 1_000);
  const repeated = await call('wipe');
  expect(repeated).toMatchObject({ kind: 'ended', outcome: { status: 'denied' } });
  expect(runs).toEqual([]);
});

test('an approved call waits for its server to answer, and runs then, once', async () => {
  const { wait, approve, live, runner, runs } = rig();
  const id = await wait('wipe');
  live.server = () => Promise.reject(new Error('not there'));
  expect(await approve(id)).toBe('approved');
  expect(runs).toEqual([]);
  live.server = () => Promise.resolve();
  await Promise.all([runner.run(id), runner.run(id)]);
  await runner.run(id);
  expect((await runner.confirmations.get(id))?.calls[0]?.state).toBe('succeeded');
  expect(runs).toEqual(['wipe']);
});

test('decisions made by another process are found when it looks', async () => {
  const { wait, runner, runs, clock } = rig();
  const id = await wait('wipe');
  runner.start();
  await runner.confirmations.decide(id, { '0.call': { type: 'approve' } }, by);
  for (let round = 0; round < 50 && runs.length === 0; round += 1) {
    clock.advance(1_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(runs).toEqual(['wipe']);
  const closing = runner.close();
  clock.advance(5_000);
  await closing;
});

test('a call is held for its decision, hears of it, and is let go at the end of the time', async () => {
  const { wait, runner, clock } = rig();
  const id = await wait('wipe');
  const heard: string[] = [];
  const hooks = { progress: (update: { message?: string | undefined }) => void heard.push(update.message ?? '') };
  const held = runner.hold(
    id,
    { holdMs: 12_000, runMs: 12_000, words: 'waiting' },
    hooks,
    new AbortController().signal,
  );
  let done = false;
  void held.then(() => {
    done = true;
  });
  for (let second = 0; second < 12; second += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    expect(done).toBe(false);
    clock.advance(1_000);
  }
  expect((await held).kind).toBe('waiting');
  expect(heard).toEqual(['waiting', 'waiting', 'waiting']);
});

test('too large arguments and too many waiting calls are refused before anything is recorded', async () => {
  const { wait, call, runner } = rig({ maxWaiting: 2, maxArgumentLength: 1_000 });
  await expect(call('wipe', { arguments: { text: 'x'.repeat(1_000) } })).rejects.toThrow(
    'at most 1000 are taken (maxArgumentLength). Nothing was run.',
  );
  await wait('wipe', { arguments: { n: 1 } });
  await wait('wipe', { arguments: { n: 2 } });
  await expect(call('wipe', { arguments: { n: 3 } })).rejects.toThrow(
    '2 calls wait for a person already (maxWaiting), so wipe was not called.',
  );
  expect((await runner.confirmations.list()).items).toHaveLength(2);
  expect((await call('read')).kind).toBe('ended');
});

test.each([
  ['a cancel settles the call', 'The user pressed stop', 'cancelled'],
  ['a lost connection does not', new Error('Connection closed'), 'awaiting'],
  ['the impatience of a client does not', 'SdkError: Request timed out', 'awaiting'],
])('%s', async (_title, reason, state) => {
  const { wait, runner } = rig();
  const id = await wait('wipe');
  const controller = new AbortController();
  const held = runner.hold(id, { holdMs: 60_000, runMs: 60_000, words: 'waiting' }, {}, controller.signal);
  await new Promise((resolve) => setImmediate(resolve));
  controller.abort(reason);
  await held;
  expect((await runner.confirmations.get(id))?.calls[0]?.state).toBe(state);
});
