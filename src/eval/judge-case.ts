import type { SelectionRule } from '../decision/port.ts';
import { completeAt, lenientRecallAt, ndcgAt, recallAt } from './metrics/ranking.ts';
import type { Prediction } from './metrics/calibration.ts';
import type { ScoreResult } from './scorers/scorer.ts';
import { applySelectionRule } from '../select/selection-rule.ts';
import type { EvaluationCase, EvaluationSet } from './types.ts';

/** Metrics over one ranking. */
export interface RankingMetrics {
  readonly 'recall@1': number;
  readonly 'recall@5': number;
  readonly 'recall@10': number;
  readonly 'ndcg@10': number;
  readonly 'complete@10': number;
  readonly 'lenient_recall@10': number;
}

/** What was selected for one case. */
export interface CaseSelection {
  readonly tools: number;
  readonly tokens: number;
  /** Share of needed tools that were selected; NaN where none is needed. */
  readonly recall: number;
  /** 1 when all needed ones were selected, else 0; NaN where none is needed. */
  readonly complete: number;
}

/** Everything that is kept of one case. */
export interface CaseResult {
  readonly id: string;
  readonly kind: string;
  readonly needed: boolean;
  /** Absent where no tool fits. */
  readonly ranking?: RankingMetrics | undefined;
  /** The first ten tools, positions in the catalogue. */
  readonly top: readonly number[];
  /** Rank of each needed tool from 1, `Infinity` when it was not found; in the case's order. */
  readonly ranks: readonly number[];
  readonly selection: CaseSelection;
  /** Of the first ten, where there are probabilities and the labels hold over the whole catalogue. */
  readonly predictions: readonly Prediction[];
  /** The strongest evidence that anything is needed: over the whole catalogue, and within the case's own candidates. */
  readonly evidence: number;
  readonly evidenceWithin?: number | undefined;
  /** By number of tools shown, see {@link SHOWN}: recall and tokens. Empty where no tool is needed. */
  readonly shown: readonly { readonly recall: number; readonly tokens: number }[];
  /** By threshold, see {@link THRESHOLDS}: tools at or above it, and the share of needed ones among them. Empty without probabilities. */
  readonly sweep: readonly { readonly tools: number; readonly recall: number }[];
  readonly milliseconds: number;
}

/** Thresholds of the sweep. */
export const THRESHOLDS: readonly number[] = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7];

/** Numbers of tools for which recall is plotted. */
export const SHOWN: readonly number[] = [1, 2, 3, 5, 8, 10, 15, 20, 30, 50];

/** How many are shown when a scorer gives no probabilities: the first that were found, as a search would. */
export const UNCALIBRATED_TOP = 10;

/** Judges one scored case. `result` must cover the whole catalogue where a tool is needed, and the candidates else. */
export function judgeCase(
  set: EvaluationSet,
  item: EvaluationCase,
  result: ScoreResult,
  rule: SelectionRule | undefined,
  milliseconds: number,
): CaseResult {
  const positionOf = (id: string): number => set.positions.get(id) as number;
  const own = item.candidates?.map(positionOf);
  const pool = item.irrelevant && own !== undefined ? own : [...set.tools.keys()];
  const ranking = rankPositions(pool, result.scores);
  const relevant = item.relevant.map(positionOf);
  const relevantSet = new Set(relevant);
  const { probabilities } = result;
  const selected =
    probabilities === undefined || rule === undefined
      ? ranking.slice(0, UNCALIBRATED_TOP)
      : selectByRule(pool, probabilities, rule);
  const evidence = result.evidence ?? probabilities ?? result.scores;
  const overWhole = !item.irrelevant || own === undefined;
  return {
    id: item.id,
    kind: item.kind,
    needed: !item.irrelevant,
    ranking: item.irrelevant ? undefined : rankingMetrics(item, ranking, relevantSet, positionOf),
    top: ranking.slice(0, 10),
    ranks: relevant.map((position) => {
      const index = ranking.indexOf(position);
      return index < 0 ? Number.POSITIVE_INFINITY : index + 1;
    }),
    selection: {
      tools: selected.length,
      tokens: tokensOf(set, selected),
      recall: recallAt(selected, relevantSet, selected.length),
      complete: completeAt(selected, relevantSet, selected.length),
    },
    predictions:
      probabilities === undefined || !overWhole
        ? []
        : rankPositions(pool, probabilities)
            .slice(0, 10)
            .map((position) => ({
              probability: probabilities[position] as number,
              outcome: relevantSet.has(position),
            })),
    evidence: highest(pool, evidence),
    evidenceWithin: own === undefined ? undefined : highest(own, evidence),
    shown: item.irrelevant
      ? []
      : SHOWN.map((count) => ({
          recall: recallAt(ranking, relevantSet, count),
          tokens: tokensOf(set, ranking.slice(0, count)),
        })),
    sweep: probabilities === undefined ? [] : sweepOf(pool, probabilities, relevantSet),
    milliseconds,
  };
}

/** Positions by score, highest first; equal ones in the catalogue's order; what was not found (`-Infinity`, NaN) is left out. */
export function rankPositions(pool: readonly number[], scores: ArrayLike<number>): readonly number[] {
  return pool
    .filter((position) => (scores[position] as number) > Number.NEGATIVE_INFINITY)
    .toSorted((left, right) => (scores[right] as number) - (scores[left] as number) || left - right);
}

/** Positions of the pool that a rule keeps. The rule sees the pool alone: a sum of expected tools is over it. */
function selectByRule(
  pool: readonly number[],
  probabilities: ArrayLike<number>,
  rule: SelectionRule,
): readonly number[] {
  const kept = applySelectionRule(
    rule,
    pool.map((position) => probabilities[position] as number),
  );
  return pool.filter((_, index) => kept[index] === true);
}

function sweepOf(
  pool: readonly number[],
  probabilities: ArrayLike<number>,
  relevant: ReadonlySet<number>,
): CaseResult['sweep'] {
  return THRESHOLDS.map((threshold) => {
    const kept = pool.filter((position) => (probabilities[position] as number) >= threshold);
    return { tools: kept.length, recall: recallAt(kept, relevant, kept.length) };
  });
}

function rankingMetrics(
  item: EvaluationCase,
  ranking: readonly number[],
  relevant: ReadonlySet<number>,
  positionOf: (id: string) => number,
): RankingMetrics {
  const answers = item.relevant.map((id) => new Set([id, ...(item.alternatives.get(id) ?? [])].map(positionOf)));
  return {
    'recall@1': recallAt(ranking, relevant, 1),
    'recall@5': recallAt(ranking, relevant, 5),
    'recall@10': recallAt(ranking, relevant, 10),
    'ndcg@10': ndcgAt(ranking, relevant, 10),
    'complete@10': completeAt(ranking, relevant, 10),
    'lenient_recall@10': lenientRecallAt(ranking, answers, 10),
  };
}

function tokensOf(set: EvaluationSet, positions: readonly number[]): number {
  return positions.reduce((sum, position) => sum + (set.tools[position]?.tokens ?? 0), 0);
}

function highest(pool: readonly number[], values: ArrayLike<number>): number {
  let best = Number.NEGATIVE_INFINITY;
  for (const position of pool) best = Math.max(best, values[position] as number);
  return best;
}
