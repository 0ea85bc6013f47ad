import { describe, expect, it } from 'vitest';
import { seededRandom } from '../seeded-random.ts';
import { brierScore, expectedCalibrationError, reliabilityBins } from './calibration.ts';
import type { Prediction } from './calibration.ts';

const predictions: readonly Prediction[] = [
  { probability: 0.9, outcome: true },
  { probability: 0.95, outcome: false },
  { probability: 0.1, outcome: false },
  { probability: 0.15, outcome: false },
  { probability: 1, outcome: true },
];

describe('calibration by hand', () => {
  it('scores squared differences', () => {
    // (0.01 + 0.9025 + 0.01 + 0.0225 + 0) / 5
    expect(brierScore(predictions)).toBeCloseTo(0.189, 12);
  });

  it('weighs the error of each interval by its count', () => {
    // [0.1, 0.2): mean 0.125, observed 0, 2 of 5. [0.9, 1]: mean 0.95, observed 2/3, 3 of 5. 0.05 + 0.17 = 0.22
    expect(expectedCalibrationError(predictions)).toBeCloseTo(0.4 * 0.125 + 0.6 * (0.95 - 2 / 3), 12);
    expect(expectedCalibrationError(predictions)).toBeCloseTo(0.22, 12);
  });

  it('puts 1 in the last interval and bounds in the upper one', () => {
    const bins = reliabilityBins(predictions);
    expect(bins.map((bin) => bin.count)).toEqual([0, 2, 0, 0, 0, 0, 0, 0, 0, 3]);
    expect(bins[0]?.observed).toBeNaN();
    expect(bins[9]?.observed).toBeCloseTo(2 / 3, 12);
  });

  it('has no value without predictions', () => {
    expect(brierScore([])).toBeNaN();
    expect(expectedCalibrationError([])).toBeNaN();
  });
});

/** A second implementation: sorts, cuts at the bounds, and takes differences of sums. */
function errorBySorting(items: readonly Prediction[]): number {
  const sorted = [...items].sort((left, right) => left.probability - right.probability);
  let error = 0;
  for (let bin = 0; bin < 10; bin++) {
    const inside = sorted.filter(({ probability }) => Math.min(9, Math.trunc(probability * 10)) === bin);
    error += Math.abs(inside.reduce((sum, item) => sum + item.probability - Number(item.outcome), 0));
  }
  return error / items.length;
}

describe('calibration against a second implementation', () => {
  it('agrees on random predictions', () => {
    const random = seededRandom(11);
    for (let round = 0; round < 100; round++) {
      const items = Array.from({ length: 1 + random.below(200) }, () => ({
        probability: random.next(),
        outcome: random.next() < 0.4,
      }));
      expect(expectedCalibrationError(items)).toBeCloseTo(errorBySorting(items), 10);
      const expected = items.map((item) => (item.outcome ? 1 - item.probability : item.probability) ** 2);
      expect(brierScore(items)).toBeCloseTo(
        expected.reduce((sum, value) => sum + value / items.length, 0),
        10,
      );
    }
  });
});
