import { expect, test } from 'vitest';
import { manualClock } from '../testing/manual-clock.ts';
import { StartCodes } from './start-codes.ts';

test('a code works once, for ten minutes, and old ones make room', () => {
  const clock = manualClock();
  const codes = new StartCodes(clock);
  const code = codes.issue();
  expect(codes.redeem('other')).toBe(false);
  expect(codes.redeem(code)).toBe(true);
  expect(codes.redeem(code)).toBe(false);
  const late = codes.issue();
  clock.advance(600_000);
  expect(codes.redeem(late)).toBe(false);
  const first = codes.issue();
  for (let count = 0; count < 200; count += 1) codes.issue();
  expect(codes.redeem(first)).toBe(false);
});
