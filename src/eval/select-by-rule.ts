import type { SelectionRule } from '../decision/port.ts';

/** What is shown when a scorer gives no probabilities: the first 10 that were found, as a search would. */
export const UNCALIBRATED_TOP = 10;

/**
 * Positions that a rule keeps, most probable first.
 * @param ranking positions, most probable first
 */
export function selectByRule(
  ranking: readonly number[],
  probabilities: ArrayLike<number>,
  rule: SelectionRule,
): readonly number[] {
  const probabilityOf = (position: number): number => probabilities[position] as number;
  if ('minProbability' in rule) return ranking.filter((position) => probabilityOf(position) >= rule.minProbability);
  const { expectedRecall, maxTools = Number.POSITIVE_INFINITY, minProbability = 0 } = rule.keep;
  const expected = ranking.reduce((sum, position) => sum + probabilityOf(position), 0);
  const kept: number[] = [];
  let held = 0;
  for (const position of ranking) {
    if (kept.length >= maxTools || held >= expectedRecall * expected || probabilityOf(position) < minProbability) break;
    kept.push(position);
    held += probabilityOf(position);
  }
  return kept;
}
