import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SelectionRule } from '../decision/port.ts';
import { applySelectionRule, byProbability } from './selection-rule.ts';

const kept = (rule: SelectionRule, probabilities: readonly number[], maxTools?: number): readonly number[] =>
  applySelectionRule(rule, probabilities, maxTools).flatMap((keep, position) => (keep ? [position] : []));

describe('applySelectionRule', () => {
  it('keeps what reaches a minimum, without an upper limit', () => {
    expect(kept({ minProbability: 0.5 }, [0.5, 0.49, 1, Number.NaN, 0])).toEqual([0, 2]);
    expect(kept({ minProbability: 0 }, [0, Number.NaN])).toEqual([0]);
  });

  it('keeps the most probable under a limit, equal ones in their order', () => {
    expect(kept({ minProbability: 0.5 }, [0.6, 0.9, 0.9, 0.9], 2)).toEqual([1, 2]);
    expect(kept({ minProbability: 0.5 }, [0.6, 0.9], 2)).toEqual([0, 1]);
  });

  it('keeps the most probable until they hold the wanted share of the expected useful tools', () => {
    // The expected number of useful tools is 0.9 + 0.6 + 0.3 + 0.2 = 2; 0.9 + 0.6 = 1.5 is three quarters of it.
    const probabilities = [0.2, 0.9, 0.3, 0.6];
    expect(kept({ keep: { expectedRecall: 0.75 } }, probabilities)).toEqual([1, 3]);
    expect(kept({ keep: { expectedRecall: 0.76 } }, probabilities)).toEqual([1, 2, 3]);
    expect(kept({ keep: { expectedRecall: 0.4 } }, probabilities)).toEqual([1]);
    expect(kept({ keep: { expectedRecall: 1 } }, probabilities)).toEqual([0, 1, 2, 3]);
  });

  it('never keeps one below the minimum or more than the maximum of the rule', () => {
    expect(kept({ keep: { expectedRecall: 1, minProbability: 0.3 } }, [0.2, 0.9, 0.3])).toEqual([1, 2]);
    expect(kept({ keep: { expectedRecall: 1, maxTools: 2 } }, [0.2, 0.9, 0.3])).toEqual([1, 2]);
    expect(kept({ keep: { expectedRecall: 1, maxTools: 2 } }, [0.2, 0.9, 0.3], 1)).toEqual([1]);
  });

  it('keeps nothing that is impossible or unknown', () => {
    expect(kept({ keep: { expectedRecall: 1 } }, [0, 0])).toEqual([]);
    expect(kept({ keep: { expectedRecall: 1 } }, [Number.NaN, 0.5])).toEqual([1]);
    expect(kept({ keep: { expectedRecall: 0.5 } }, [])).toEqual([]);
  });

  it('holds the share it promises with the fewest tools', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 30 }),
        fc.double({ min: 0.01, max: 1, noNaN: true }),
        (probabilities, expectedRecall) => {
          const positions = kept({ keep: { expectedRecall } }, probabilities);
          const total = probabilities.reduce((sum, value) => sum + value, 0);
          const held = positions.reduce((sum, position) => sum + (probabilities[position] as number), 0);
          expect(held).toBeGreaterThanOrEqual(expectedRecall * total - 1e-6);
          const least = Math.min(...positions.map((position) => probabilities[position] as number));
          if (positions.length > 0) expect(held - least).toBeLessThan(expectedRecall * total);
        },
      ),
    );
  });
});

describe('byProbability', () => {
  it('orders candidates, most probable first, ties by position', () => {
    expect(byProbability([0.1, 0.9, Number.NaN, 0.9, 0.5], (position) => position !== 4)).toEqual([1, 3, 0]);
  });
});
