import type { SelectionRule } from '../decision/port.ts';

/** The rule when neither the user nor the model says anything. */
export const defaultSelectionRule: SelectionRule = { minProbability: 0.5 };

/**
 * Which tools a rule keeps: true at the positions kept. Positions without a probability (NaN) are never kept here; what
 * happens to them is the fallback's business. Equally probable tools are taken in their order, so the result is stable.
 *
 * With `keep`, the most probable are taken until they hold `expectedRecall` of the expected number of useful tools, which is the
 * sum of the probabilities.
 */
export function applySelectionRule(
  rule: SelectionRule,
  probabilities: ArrayLike<number>,
  maxTools?: number,
): readonly boolean[] {
  const kept: boolean[] = [];
  if ('minProbability' in rule) {
    let count = 0;
    for (let position = 0; position < probabilities.length; position += 1) {
      const reaches = (probabilities[position] as number) >= rule.minProbability;
      kept.push(reaches);
      if (reaches) count += 1;
    }
    return maxTools === undefined || count <= maxTools ? kept : mostProbable(kept, probabilities, maxTools);
  }
  for (let position = 0; position < probabilities.length; position += 1) kept.push(false);
  const { expectedRecall, minProbability = 0 } = rule.keep;
  const most = Math.min(rule.keep.maxTools ?? Number.POSITIVE_INFINITY, maxTools ?? Number.POSITIVE_INFINITY);
  const order = byProbability(probabilities, () => true);
  const total = order.reduce((sum, position) => sum + (probabilities[position] as number), 0);
  // A sum of many shares misses its last bits; without the slack a recall of 1 would stop one tool early or never.
  const wanted = expectedRecall * total - 1e-9;
  let held = 0;
  let count = 0;
  for (const position of order) {
    const probability = probabilities[position] as number;
    if (held >= wanted || count >= most || probability < minProbability || probability === 0) break;
    kept[position] = true;
    held += probability;
    count += 1;
  }
  return kept;
}

/** Positions with a probability, most probable first, equal ones in their order. */
export function byProbability(probabilities: ArrayLike<number>, isCandidate: (position: number) => boolean): number[] {
  const order: number[] = [];
  for (let position = 0; position < probabilities.length; position += 1) {
    if (!Number.isNaN(probabilities[position] as number) && isCandidate(position)) order.push(position);
  }
  return order.sort((a, b) => (probabilities[b] as number) - (probabilities[a] as number) || a - b);
}

function mostProbable(kept: readonly boolean[], probabilities: ArrayLike<number>, count: number): readonly boolean[] {
  const chosen = new Set(byProbability(probabilities, (position) => kept[position] === true).slice(0, count));
  return kept.map((_, position) => chosen.has(position));
}
