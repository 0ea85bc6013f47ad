import { expect, test } from 'vitest';
import type { ToolgateError } from '../core/errors.ts';
import { manualClock } from '../testing/manual-clock.ts';
import { startDeadline } from './call-deadline.ts';

const subject = 'The tool slow of s';

test('GW-14 progress keeps a call alive up to the total, silence ends it with its name', () => {
  const clock = manualClock();
  const alive = startDeadline(clock, { idleMs: 60_000, totalMs: 600_000, subject }, new AbortController().signal);
  for (let second = 0; second < 595; second += 5) {
    clock.advance(5_000);
    alive.alive();
  }
  expect(alive.signal.aborted).toBe(false);
  clock.advance(5_000);
  expect((alive.signal.reason as ToolgateError).message).toBe(
    'The tool slow of s took longer than 600 s and was cancelled (callTotalTimeoutMs).',
  );

  const silent = startDeadline(clock, { idleMs: 60_000, totalMs: 600_000, subject }, new AbortController().signal);
  clock.advance(59_999);
  expect(silent.signal.aborted).toBe(false);
  clock.advance(1);
  const reason = silent.signal.reason as ToolgateError;
  expect(reason.code).toBe('timeout');
  expect(reason.message).toBe('The tool slow of s gave no sign of life for 60 s and was cancelled (callTimeoutMs).');
});

test('GW-25 each server has its own limit, and null means none', () => {
  const clock = manualClock();
  const own = startDeadline(clock, { idleMs: 180_000, totalMs: null, subject }, new AbortController().signal);
  const standard = startDeadline(
    clock,
    { idleMs: 30_000, totalMs: null, subject: 'The tool slow of t' },
    new AbortController().signal,
  );
  const none = startDeadline(clock, { idleMs: null, totalMs: null, subject }, new AbortController().signal);
  clock.advance(30_000);
  expect((standard.signal.reason as ToolgateError).message).toContain(
    'The tool slow of t gave no sign of life for 30 s',
  );
  clock.advance(60_000);
  expect([own.signal.aborted, none.signal.aborted]).toEqual([false, false]);
  clock.advance(90_000);
  expect([own.signal.aborted, none.signal.aborted]).toEqual([true, false]);
  clock.advance(1e9);
  expect(none.signal.aborted).toBe(false);
});

test('the caller’s own signal ends it, and nothing is left when it is done', () => {
  const clock = manualClock();
  const caller = new AbortController();
  const deadline = startDeadline(clock, { idleMs: 1_000, totalMs: 1_000, subject }, caller.signal);
  caller.abort('enough');
  expect(deadline.signal.reason).toBe('enough');
  deadline.done();
  expect(clock.pending).toBe(0);
  expect(
    startDeadline(clock, { idleMs: null, totalMs: null, subject }, AbortSignal.abort('before')).signal.reason,
  ).toBe('before');
});
