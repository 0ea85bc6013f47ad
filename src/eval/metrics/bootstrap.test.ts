import { describe, expect, it } from 'vitest';
import { bootstrapValues, meanOf, percentileInterval } from './bootstrap.ts';

const values = Array.from({ length: 100 }, (_, index) => (index < 70 ? 1 : 0));

describe('bootstrap', () => {
  it('gives the same values for the same seed and others for another', () => {
    const first = bootstrapValues(values.length, meanOf(values), { seed: 3 });
    expect(bootstrapValues(values.length, meanOf(values), { seed: 3 })).toEqual(first);
    expect(bootstrapValues(values.length, meanOf(values), { seed: 4 })).not.toEqual(first);
    expect(first).toHaveLength(1000);
  });

  it('comes near the interval of the normal approximation', () => {
    // 0.7 ± 1.96 * sqrt(0.7 * 0.3 / 100) = 0.610 to 0.790
    const [low, high] = percentileInterval(
      bootstrapValues(values.length, meanOf(values), { seed: 1, resamples: 4000 }),
    );
    expect(low).toBeGreaterThan(0.59);
    expect(low).toBeLessThan(0.63);
    expect(high).toBeGreaterThan(0.77);
    expect(high).toBeLessThan(0.81);
  });

  it('has a point as interval when all values are alike, and none when nothing is defined', () => {
    expect(percentileInterval(bootstrapValues(3, meanOf([2, 2, 2]), { seed: 1 }))).toEqual([2, 2]);
    expect(percentileInterval(Float64Array.of(Number.NaN))).toEqual([Number.NaN, Number.NaN]);
  });
});
