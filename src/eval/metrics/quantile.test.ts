import { describe, expect, it } from 'vitest';
import { mean, quantile } from './quantile.ts';

describe('quantile', () => {
  it('is linear between neighbours', () => {
    expect(quantile([4, 1, 3, 2], 0.5)).toBe(2.5);
    expect(quantile([4, 1, 3, 2], 0)).toBe(1);
    expect(quantile([4, 1, 3, 2], 1)).toBe(4);
    // (5 - 1) * 0.95 = 3.8: between 30 and 40.
    expect(quantile([0, 10, 20, 30, 40], 0.95)).toBeCloseTo(38, 12);
  });

  it('has no value without values, and survives infinities', () => {
    expect(quantile([], 0.5)).toBeNaN();
    expect(quantile([Infinity, Infinity], 0.5)).toBe(Infinity);
  });
});

describe('mean', () => {
  it('is the sum by the count', () => {
    expect(mean([1, 2, 6])).toBe(3);
    expect(mean([])).toBeNaN();
  });
});
