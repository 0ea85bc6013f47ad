import { describe, expect, it } from 'vitest';
import { selectByRule } from './select-by-rule.ts';

const probabilities = [0.2, 0.9, 0.5, 0.4];
const ranking = [1, 2, 3, 0];

describe('selectByRule', () => {
  it('keeps what reaches the threshold', () => {
    expect(selectByRule(ranking, probabilities, { minProbability: 0.5 })).toEqual([1, 2]);
    expect(selectByRule(ranking, probabilities, { minProbability: 0.95 })).toEqual([]);
  });

  it('keeps the most probable until they hold the share of what is expected', () => {
    // Sum 2. 0.7 of it: 0.9 + 0.5 = 1.4.
    expect(selectByRule(ranking, probabilities, { keep: { expectedRecall: 0.7 } })).toEqual([1, 2]);
    expect(selectByRule(ranking, probabilities, { keep: { expectedRecall: 0.71 } })).toEqual([1, 2, 3]);
    expect(selectByRule(ranking, probabilities, { keep: { expectedRecall: 1, maxTools: 1 } })).toEqual([1]);
    expect(selectByRule(ranking, probabilities, { keep: { expectedRecall: 1, minProbability: 0.45 } })).toEqual([1, 2]);
  });
});
