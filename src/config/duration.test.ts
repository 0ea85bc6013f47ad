import { expect, test } from 'vitest';
import { parseDuration } from './duration.ts';

test.each([
  ['500ms', 500],
  ['45s', 45_000],
  ['2m', 120_000],
  ['1.5h', 5_400_000],
  ['30d', 2_592_000_000],
  [' 10 min ', 600_000],
  ['45', undefined],
  ['s', undefined],
  ['-1s', undefined],
  ['1w', undefined],
])('%j is %s ms', (text, expected) => {
  expect(parseDuration(text)).toBe(expected);
});
