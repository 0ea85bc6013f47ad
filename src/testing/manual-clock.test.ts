import { describe, expect, it } from 'vitest';
import { manualClock } from './manual-clock.ts';

describe('manualClock', () => {
  it('calls what falls due, in order of time, at that time, and nothing else', () => {
    const clock = manualClock(1000);
    const calls: string[] = [];
    clock.schedule(20, () => calls.push(`b ${clock.now()}`));
    clock.schedule(10, () => {
      calls.push(`a ${clock.now()}`);
      clock.schedule(5, () => calls.push(`nested ${clock.now()}`));
    });
    clock.schedule(20, () => calls.push('after b'));
    const cancel = clock.schedule(15, () => calls.push('cancelled'));
    clock.schedule(31, () => calls.push('later'));
    cancel();
    expect(clock.pending).toBe(4);
    clock.advance(30);
    expect(calls).toEqual(['a 1010', 'nested 1015', 'b 1020', 'after b']);
    expect([clock.now(), clock.pending]).toEqual([1030, 1]);
    clock.advance(1);
    expect(calls.at(-1)).toBe('later');
  });

  it('treats a time in the past as now', () => {
    const clock = manualClock(0);
    let called = 0;
    clock.schedule(-5, () => (called += 1));
    clock.advance(0);
    expect([called, clock.now()]).toEqual([1, 0]);
  });
});
