import type { Coefficients } from '../src/relevance/coefficients.ts';
import { isMade } from './augment.ts';
import type { WeightedRows } from './logistic.ts';
import { calibrationError, ranked } from './metrics.ts';
import { logits, undecided } from './rows.ts';

const step = 0.05;
const furthest = 0.6;

/** The offset of the logit, in steps of 0.05, with which the set that is calibrated worst (over the ten best tools of its own cases) is calibrated best. */
export function offsetForWorstSet(parts: readonly WeightedRows[], model: Coefficients): number {
  const sets = new Map<string, { scores: number[]; outcomes: number[] }>();
  for (const { set, rows } of parts) {
    const scores = logits(rows, model);
    const known = sets.get(set) ?? { scores: [], outcomes: [] };
    sets.set(set, known);
    for (const [index, one] of rows.cases.entries()) {
      if (isMade(one)) continue;
      for (const row of ranked(rows, scores, index).slice(0, 10)) {
        if (rows.labels[row] === undecided) continue;
        known.scores.push(scores[row]!);
        known.outcomes.push(rows.labels[row]!);
      }
    }
  }
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let place = -furthest / step; place <= furthest / step; place += 1) {
    const offset = place * step;
    const worst = Math.max(
      ...[...sets.values()].map(({ scores, outcomes }) =>
        calibrationError({ probabilities: scores.map((score) => 1 / (1 + Math.exp(-score - offset))), outcomes }),
      ),
    );
    if (worst >= least) continue;
    least = worst;
    best = offset;
  }
  return best;
}
