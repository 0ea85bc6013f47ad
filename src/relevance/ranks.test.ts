import { expect, test } from 'vitest';
import { rankShares, takeBest } from './ranks.ts';

test('takes the best values, equal ones in their order, none that is not above 0', () => {
  expect(takeBest(Float64Array.of(0, 3, 1, 3, -2, 5), 3)).toEqual([5, 1, 3]);
  expect(takeBest(Float64Array.of(0, 3, 1, 3, -2, 5), 10)).toEqual([5, 1, 3, 2]);
  expect(takeBest(Float64Array.of(1, 2), 0)).toEqual([]);
});

test('agrees with sorting on many values', () => {
  const values = Float64Array.from({ length: 500 }, (_, place) => (place * 7919) % 101);
  const sorted = [...values.keys()]
    .filter((place) => values[place]! > 0)
    .sort((a, b) => values[b]! - values[a]! || a - b);
  expect(takeBest(values, 64)).toEqual(sorted.slice(0, 64));
});

test('a rank share is 1 divided by the rank, and equal values share the better one', () => {
  expect([...rankShares(Float64Array.of(2, 9, 2, 0, 1))]).toEqual([1 / 2, 1, 1 / 2, 0, 1 / 4]);
});
