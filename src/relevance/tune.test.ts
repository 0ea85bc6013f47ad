import { expect, test } from 'vitest';
import type { SelectionRule } from '../decision/port.ts';
import { recalibrate, tuneSelection } from './tune.ts';
import type { TuneCase } from './tune.ts';

/** Keeps by share of the sum, as the selection does; enough for these cases, which have no equal probabilities that matter. */
function applyRule(rule: SelectionRule, probabilities: readonly number[]): readonly boolean[] {
  if ('minProbability' in rule) return probabilities.map((probability) => probability >= rule.minProbability);
  const { expectedRecall, maxTools = 1000, minProbability = 0 } = rule.keep;
  const order = [...probabilities.keys()].sort((a, b) => probabilities[b]! - probabilities[a]! || a - b);
  const total = probabilities.reduce((sum, probability) => sum + probability, 0);
  const kept = probabilities.map(() => false);
  let held = 0;
  for (const [count, place] of order.entries()) {
    if (held >= expectedRecall * total || count >= maxTools || probabilities[place]! < minProbability) break;
    kept[place] = true;
    held += probabilities[place]!;
  }
  return kept;
}

/** A model that says 0.9 where 0.5 is true, and 0.01 elsewhere. */
const overConfident: TuneCase[] = Array.from({ length: 80 }, (_, place) => [
  { probability: 0.9, useful: place % 4 < 2 },
  { probability: 0.2, useful: place % 4 >= 2 },
  ...Array.from({ length: 8 }, () => ({ probability: 0.01, useful: false })),
]);

const rule: SelectionRule = { minProbability: 0.5 };

test('brings over-confident probabilities near the truth', () => {
  const result = tuneSelection(overConfident, { rule, applyRule });
  expect(result.changed).toBe(true);
  expect(result.before.recall).toBeCloseTo(0.5, 10);
  expect(result.after.recall).toBeCloseTo(1, 10);
  expect(result.after.calibrationError).toBeLessThan(result.before.calibrationError);
  expect(Math.abs(recalibrate(0.9, result.calibration) - 0.5)).toBeLessThan(0.4 - 0.1);
});

test('finds the rule that shows the fewest tools for the recall that is wanted', () => {
  const result = tuneSelection(overConfident, { rule, applyRule, targetRecall: 1 });
  expect(result.after.shown).toBe(2);
  expect('keep' in result.rule).toBe(true);
});

test('too few cases change nothing', () => {
  const calibration = { slope: 1.5, offset: -0.2 };
  const result = tuneSelection(overConfident.slice(0, 10), { rule, applyRule, calibration });
  expect(result.changed).toBe(false);
  expect(result.rule).toBe(rule);
  expect(result.calibration).toBe(calibration);
});

test('a new calibration follows the one that the probabilities were given with', () => {
  const alone = tuneSelection(overConfident, { rule, applyRule });
  const after = tuneSelection(overConfident, { rule, applyRule, calibration: { slope: 2, offset: 1 } });
  expect(after.calibration.slope).toBeCloseTo(alone.calibration.slope * 2, 10);
  expect(after.calibration.offset).toBeCloseTo(alone.calibration.slope + alone.calibration.offset, 10);
});

test('refuses options and probabilities out of range', () => {
  expect(() => tuneSelection([], { rule, applyRule, targetRecall: 0 })).toThrow(/targetRecall/);
  expect(() => tuneSelection([[{ probability: 1.2, useful: true }]], { rule, applyRule })).toThrow(/0 to 1/);
});
