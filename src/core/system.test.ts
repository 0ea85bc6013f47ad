import { describe, expect, it } from 'vitest';
import { sleep } from './clock.ts';
import { randomIds, systemClock } from './system.ts';

describe('systemClock', () => {
  it('calls once, and not when it was cancelled', async () => {
    let calls = 0;
    const cancel = systemClock.schedule(1, () => (calls += 10));
    cancel();
    await new Promise<void>((resolve) => systemClock.schedule(5, resolve));
    expect(calls).toBe(0);
  });

  it('stops waiting when the signal is aborted', async () => {
    const controller = new AbortController();
    const waiting = sleep(systemClock, 60_000, controller.signal);
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await expect(sleep(systemClock, 1, controller.signal)).rejects.toThrow('enough');
  });
});

describe('randomIds', () => {
  it('are long, of one alphabet, and never the same', () => {
    const ids = new Set(Array.from({ length: 1000 }, () => randomIds.next('pause')));
    expect(ids.size).toBe(1000);
    for (const id of ids) expect(id).toMatch(/^pause_[0-9a-z]{25}$/);
  });
});
