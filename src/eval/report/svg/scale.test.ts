import { describe, expect, it } from 'vitest';
import { linearScale, logScale } from './scale.ts';

describe('linearScale', () => {
  it('maps ends to ends and marks round steps', () => {
    const scale = linearScale(0, 1, 100, 200);
    expect([scale(0), scale(0.5), scale(1)]).toEqual([100, 150, 200]);
    expect(scale.ticks).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
    expect(linearScale(0.4, 1, 0, 1).ticks).toEqual([0.4, 0.6, 0.8, 1]);
  });

  it('survives a range of one value', () => {
    expect(linearScale(1, 1, 0, 10)(1)).toBe(0);
  });
});

describe('logScale', () => {
  it('maps by orders of magnitude', () => {
    const scale = logScale(1, 100, 0, 10);
    expect([scale(1), scale(10), scale(100)]).toEqual([0, 5, 10]);
    expect(scale.ticks).toEqual([1, 2, 5, 10, 20, 50, 100]);
    expect(logScale(0.01, 1000, 0, 1).ticks).toEqual([0.01, 0.1, 1, 10, 100, 1000]);
  });

  it('puts what is below its start at the start', () => {
    expect(logScale(1, 10, 3, 4)(0)).toBe(3);
  });
});
