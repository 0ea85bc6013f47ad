import { expect, test } from 'vitest';
import { manualClock } from '../testing/manual-clock.ts';
import { RefreshSchedule } from './refresh-schedule.ts';

async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
}

test('GW-06 a burst is answered by one refresh, and notices during it by one more', async () => {
  const clock = manualClock();
  let count = 0;
  let finish: () => void = () => undefined;
  const schedule = new RefreshSchedule({
    clock,
    refresh: () => {
      count += 1;
      return new Promise((resolve) => {
        finish = () => resolve(true);
      });
    },
  });
  for (let notice = 0; notice < 200; notice += 1) schedule.notice();
  clock.advance(50);
  expect(count).toBe(1);
  for (let notice = 0; notice < 200; notice += 1) schedule.notice();
  clock.advance(60_000);
  expect(count).toBe(1);
  finish();
  await settle();
  clock.advance(499);
  expect(count).toBe(1);
  clock.advance(1);
  expect(count).toBe(2);
  finish();
  await settle();
  clock.advance(600_000);
  expect(count).toBe(2);
});

test('GW-06 empty notices are answered less and less often, up to once a minute, and a real change resets that', async () => {
  const clock = manualClock();
  const at: number[] = [];
  let changed = false;
  const start = clock.now();
  const schedule = new RefreshSchedule({
    clock,
    refresh: () => {
      at.push(clock.now() - start);
      return Promise.resolve(changed);
    },
  });
  // Three notices each second, as the chatty server sends them.
  for (let step = 0; step < 600; step += 1) {
    schedule.notice();
    clock.advance(333);
    await settle();
  }
  const pauses = at.slice(1).map((time, index) => time - (at[index] ?? 0));
  expect(at.length).toBeLessThanOrEqual(10);
  expect(pauses[0]).toBeGreaterThanOrEqual(1_000);
  expect(Math.max(...pauses)).toBeLessThanOrEqual(60_400);
  changed = true;
  const before = at.length;
  for (let step = 0; step < 400; step += 1) {
    schedule.notice();
    clock.advance(333);
    await settle();
  }
  expect(at.length - before).toBeGreaterThan(50);
});

test('a refresh that fails counts as unchanged, and nothing is planned after the end', async () => {
  const clock = manualClock();
  let count = 0;
  const schedule = new RefreshSchedule({
    clock,
    refresh: () => {
      count += 1;
      return Promise.reject(new Error('gone'));
    },
  });
  schedule.notice();
  clock.advance(50);
  await settle();
  schedule.notice();
  clock.advance(1_000);
  await settle();
  expect(count).toBe(2);
  schedule.notice();
  schedule.close();
  clock.advance(600_000);
  schedule.notice();
  expect(count).toBe(2);
  expect(clock.pending).toBe(0);
});
