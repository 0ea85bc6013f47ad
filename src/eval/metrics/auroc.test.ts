import { describe, expect, it } from 'vitest';
import { seededRandom } from '../seeded-random.ts';
import { auroc } from './auroc.ts';

describe('auroc', () => {
  it('counts pairs in the right order', () => {
    // Pairs: 3>1, 3>2, 2>1, 2=2 (half): 3.5 of 4.
    expect(auroc([3, 2], [1, 2])).toBe(0.875);
    expect(auroc([1], [2])).toBe(0);
    expect(auroc([2], [1])).toBe(1);
    expect(auroc([1, 1], [1, 1])).toBe(0.5);
  });

  it('takes infinite values', () => {
    expect(auroc([1, Number.NEGATIVE_INFINITY], [Number.NEGATIVE_INFINITY])).toBe(0.75);
  });

  it('has no value when one side is empty', () => {
    expect(auroc([], [1])).toBeNaN();
    expect(auroc([1], [])).toBeNaN();
  });

  it('agrees with counting all pairs', () => {
    const random = seededRandom(5);
    for (let round = 0; round < 100; round++) {
      const draw = (count: number): number[] => Array.from({ length: count }, () => random.below(12));
      const positives = draw(1 + random.below(30));
      const negatives = draw(1 + random.below(30));
      let pairs = 0;
      for (const positive of positives)
        for (const negative of negatives) pairs += positive > negative ? 1 : positive === negative ? 0.5 : 0;
      expect(auroc(positives, negatives)).toBeCloseTo(pairs / positives.length / negatives.length, 12);
    }
  });
});
