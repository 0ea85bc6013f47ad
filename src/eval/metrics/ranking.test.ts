import { describe, expect, it } from 'vitest';
import { seededRandom } from '../seeded-random.ts';
import { completeAt, lenientRecallAt, ndcgAt, recallAt } from './ranking.ts';

const ranking = [7, 3, 9, 1, 4, 0, 2, 5, 8, 6, 11, 10];

describe('ranking metrics by hand', () => {
  it('counts relevant tools among the first k', () => {
    const relevant = new Set([3, 4, 10]);
    expect(recallAt(ranking, relevant, 1)).toBe(0);
    expect(recallAt(ranking, relevant, 5)).toBeCloseTo(2 / 3, 12);
    expect(recallAt(ranking, relevant, 10)).toBeCloseTo(2 / 3, 12);
    expect(recallAt(ranking, relevant, 12)).toBe(1);
    expect(completeAt(ranking, relevant, 10)).toBe(0);
    expect(completeAt(ranking, relevant, 12)).toBe(1);
  });

  it('discounts gains by log2 of rank plus one', () => {
    // Ranks 2 and 5: (1/log2(3) + 1/log2(6)) / (1/log2(2) + 1/log2(3)) = (0.63093 + 0.38685) / 1.63093.
    expect(ndcgAt(ranking, new Set([3, 4]), 10)).toBeCloseTo(0.6240505, 6);
    expect(ndcgAt(ranking, new Set([7]), 10)).toBe(1);
    expect(ndcgAt(ranking, new Set([10]), 10)).toBe(0);
  });

  it('has an ideal of at most k relevant ones', () => {
    expect(ndcgAt(ranking, new Set([7, 3, 9]), 2)).toBe(1);
  });

  it('accepts equally good answers once for each needed one', () => {
    const answers = [new Set([10, 7]), new Set([11])];
    expect(lenientRecallAt(ranking, answers, 10)).toBe(0.5);
    expect(lenientRecallAt(ranking, answers, 11)).toBe(1);
  });

  it('has no value where nothing is relevant, and 0 where nothing was found', () => {
    expect(recallAt(ranking, new Set(), 5)).toBeNaN();
    expect(ndcgAt(ranking, new Set(), 5)).toBeNaN();
    expect(completeAt(ranking, new Set(), 5)).toBeNaN();
    expect(lenientRecallAt(ranking, [], 5)).toBeNaN();
    expect(recallAt([], new Set([1]), 5)).toBe(0);
    expect(ndcgAt([], new Set([1]), 5)).toBe(0);
  });
});

/** A second implementation, over a table of ranks instead of a list of positions. */
function byRanks(
  order: readonly number[],
  relevant: readonly number[],
  k: number,
): { recall: number; ndcg: number; complete: boolean } {
  const rankOf = new Map<number, number>();
  order.forEach((position, index) => rankOf.set(position, index + 1));
  const ranks = relevant.map((position) => rankOf.get(position) ?? Infinity).sort((left, right) => left - right);
  const within = ranks.filter((rank) => rank <= k);
  const gain = within.map((rank) => Math.LN2 / Math.log(rank + 1)).reduce((left, right) => left + right, 0);
  const ideal = ranks
    .map((_, index) => (index < k ? Math.LN2 / Math.log(index + 2) : 0))
    .reduce((left, right) => left + right, 0);
  return { recall: within.length / ranks.length, ndcg: gain / ideal, complete: (ranks.at(-1) ?? Infinity) <= k };
}

describe('ranking metrics against a second implementation', () => {
  it('agree on 500 random rankings', () => {
    const random = seededRandom(4);
    for (let round = 0; round < 500; round++) {
      const size = 1 + random.below(40);
      const order = Array.from({ length: size }, (_, index) => index)
        .map((position) => ({ position, key: random.next() }))
        .sort((left, right) => left.key - right.key)
        .map(({ position }) => position)
        .slice(0, 1 + random.below(size));
      const relevant = Array.from({ length: size }, (_, index) => index).filter(
        (index) => index === 0 || random.next() < 0.2,
      );
      for (const k of [1, 5, 10]) {
        const expected = byRanks(order, relevant, k);
        expect(recallAt(order, new Set(relevant), k)).toBeCloseTo(expected.recall, 12);
        expect(ndcgAt(order, new Set(relevant), k)).toBeCloseTo(expected.ndcg, 12);
        expect(completeAt(order, new Set(relevant), k)).toBe(expected.complete ? 1 : 0);
        expect(
          lenientRecallAt(
            order,
            relevant.map((position) => new Set([position])),
            k,
          ),
        ).toBeCloseTo(expected.recall, 12);
      }
    }
  });
});
