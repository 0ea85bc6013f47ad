import { describe, expect, it } from 'vitest';
import { seededRandom } from '../seeded-random.ts';
import { comparePaired } from './paired-comparison.ts';

describe('comparePaired', () => {
  it('sees no difference between equal values', () => {
    expect(comparePaired([1, 0, 1], [1, 0, 1], { seed: 1 })).toEqual({
      difference: 0,
      ci: [0, 0],
      pValue: 1,
      better: 0,
      worse: 0,
    });
  });

  it('finds a steady gain significant', () => {
    const before = Array.from({ length: 40 }, () => 0.5);
    const result = comparePaired(
      before,
      before.map((value) => value + 0.1),
      { seed: 1 },
    );
    expect(result.difference).toBeCloseTo(0.1, 12);
    expect(result.ci[0]).toBeCloseTo(0.1, 9);
    expect(result.pValue).toBeCloseTo(1 / 1001, 12);
    expect(result.better).toBe(40);
  });

  it('has about the exact p-value of three equal gains', () => {
    // 2 of the 8 exchanges of sign are as extreme: 0.25.
    const { pValue } = comparePaired([0, 0, 0], [1, 1, 1], { seed: 9, resamples: 8000 });
    expect(pValue).toBeGreaterThan(0.23);
    expect(pValue).toBeLessThan(0.27);
  });

  it('does not call noise significant', () => {
    const random = seededRandom(8);
    const before = Array.from({ length: 200 }, () => random.next());
    const after = Array.from({ length: 200 }, () => random.next());
    expect(comparePaired(before, after, { seed: 2 }).pValue).toBeGreaterThan(0.01);
  });

  it('refuses lists of different lengths', () => {
    expect(() => comparePaired([1], [1, 2], { seed: 1 })).toThrow(RangeError);
  });
});
