import { expect, test } from 'vitest';
import { manualClock } from '../testing/manual-clock.ts';
import { SessionConnections } from './session-connections.ts';
import type { UpstreamConnection } from './upstream-connection.ts';

function rig(): {
  sessions: SessionConnections;
  clock: ReturnType<typeof manualClock>;
  opened: () => number;
  closed: string[];
  lose: (index: number) => void;
} {
  const clock = manualClock();
  const closed: string[] = [];
  const losers: (() => void)[] = [];
  const sessions = new SessionConnections((onClosed) => {
    const index = losers.push(onClosed) - 1;
    return Promise.resolve({
      close: () => Promise.resolve(void closed.push(String(index))),
    } as unknown as UpstreamConnection);
  }, clock);
  return { sessions, clock, opened: () => losers.length, closed, lose: (index) => losers[index]?.() };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('the first session has the main connection until it ends, the others one each', async () => {
  const { sessions, opened, closed } = rig();
  expect(sessions.usesMain('a')).toBe(true);
  expect(sessions.usesMain('b')).toBe(false);
  const own = await sessions.get('b');
  expect(await sessions.get('b')).toBe(own);
  expect(opened()).toBe(1);
  sessions.end('a');
  // Who has a connection of its own keeps it: its state is there.
  expect(sessions.usesMain('b')).toBe(false);
  expect(sessions.usesMain('c')).toBe(true);
  sessions.end('b');
  await settle();
  expect(closed).toEqual(['0']);
});

test('idle ones are closed, lost ones are opened again', async () => {
  const { sessions, clock, opened, closed, lose } = rig();
  sessions.usesMain('main');
  await sessions.get('a');
  clock.advance(600_001);
  await sessions.get('b');
  await settle();
  expect(closed).toEqual(['0']);
  lose(1);
  await sessions.get('b');
  expect(opened()).toBe(3);
  await sessions.close();
  expect(closed).toEqual(['0', '2']);
});
