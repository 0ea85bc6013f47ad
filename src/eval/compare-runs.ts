import { readFile } from 'node:fs/promises';
import { ToolgateError, errorMessage } from '../core/errors.ts';
import { isPlainObject } from '../core/json.ts';
import type { Interval } from './metrics/bootstrap.ts';
import { comparePaired } from './metrics/paired-comparison.ts';
import { LOWER_IS_BETTER, METRIC_NAMES } from './run-types.ts';
import type { EvaluationRun, MetricName, SetResult } from './run-types.ts';
import { seedOf } from './seeded-random.ts';

/** How one metric changed on one set, or in the mean over the sets that both runs have. */
export interface MetricChange {
  readonly metric: MetricName;
  readonly before: number;
  readonly after: number;
  /** `after - before`. */
  readonly difference: number;
  /** 95 % interval of the difference. */
  readonly ci: Interval;
  readonly pValue: number;
  /** Case by case where both runs kept the values of the same cases; else from the two intervals, which sees less. */
  readonly paired: boolean;
  /** `better` and `worse` only when the p-value is below 0.05. */
  readonly verdict: 'better' | 'worse' | 'same';
}

/** Changes of one set. `name` is null for the mean. */
export interface SetComparison {
  readonly name: string | null;
  readonly changes: readonly MetricChange[];
}

/** Two runs beside each other. */
export interface RunComparison {
  readonly before: string;
  readonly after: string;
  readonly sets: readonly SetComparison[];
  readonly mean: SetComparison;
  /** Sets that only one run has. */
  readonly unmatched: readonly string[];
  /** What makes the runs less comparable: another window, seed or sample. */
  readonly notes: readonly string[];
}

/** Compares what both runs measured. Many metrics are looked at: of twenty that did not change, one will seem to at p = 0.05. */
export function compareRuns(before: EvaluationRun, after: EvaluationRun): RunComparison {
  const earlier = new Map(before.sets.map((set) => [set.name, set]));
  const later = new Set(after.sets.map((set) => set.name));
  const sets: SetComparison[] = [];
  for (const set of after.sets) {
    const old = earlier.get(set.name);
    if (old !== undefined) sets.push({ name: set.name, changes: changesOf(old, set, after.seed) });
  }
  return {
    before: before.scorer,
    after: after.scorer,
    sets,
    mean: { name: null, changes: METRIC_NAMES.flatMap((metric) => meanChange(sets, metric)) },
    unmatched: [
      ...before.sets.filter((set) => !later.has(set.name)),
      ...after.sets.filter((set) => !earlier.has(set.name)),
    ].map((set) => set.name),
    notes: (['window', 'seed', 'sample'] as const)
      .filter((key) => before[key] !== after[key])
      .map((key) => `${key} differs: ${before[key]} before, ${after[key]} now`),
  };
}

/** Reads a run that `toolgate eval --json` printed. Throws `dataset-invalid` for anything else. */
export async function readRun(file: string): Promise<EvaluationRun> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw invalidRun(file, errorMessage(error));
  }
  if (!isPlainObject(value) || value['format'] !== 'toolgate-eval-1' || !Array.isArray(value['sets']))
    throw invalidRun(file, 'it has no format "toolgate-eval-1" with sets');
  for (const set of value['sets'] as readonly unknown[]) {
    if (!isPlainObject(set) || typeof set['name'] !== 'string' || !isPlainObject(set['metrics']))
      throw invalidRun(file, 'a set has no name or no metrics');
  }
  return value as unknown as EvaluationRun;
}

function invalidRun(file: string, problem: string): ToolgateError {
  return new ToolgateError('dataset-invalid', `${file} is no result of toolgate eval --json: ${problem}.`, {
    data: { file, line: 1 },
  });
}

function changesOf(before: SetResult, after: SetResult, seed: number): readonly MetricChange[] {
  const changes: MetricChange[] = [];
  for (const metric of METRIC_NAMES) {
    const from = before.metrics[metric];
    const to = after.metrics[metric];
    if (typeof from !== 'number' || typeof to !== 'number') continue;
    const pairs = pairsOf(before, after, metric);
    if (pairs !== undefined) {
      const { ci, pValue } = comparePaired(pairs.before, pairs.after, {
        seed: seedOf(`${after.name} ${metric}`, seed),
      });
      changes.push(change(metric, from, to, ci, pValue, true));
    } else {
      const error = Math.hypot(standardError(before.metrics.ci?.[metric]), standardError(after.metrics.ci?.[metric]));
      changes.push(normalChange(metric, from, to, error, false));
    }
  }
  return changes;
}

function pairsOf(
  before: SetResult,
  after: SetResult,
  metric: MetricName,
): { readonly before: readonly number[]; readonly after: readonly number[] } | undefined {
  if (metric !== 'ndcg@10' && metric !== 'recall@10') return undefined;
  const [from, to] = [before.per_case, after.per_case];
  if (from === undefined || to === undefined || from.digest !== to.digest) return undefined;
  if (from[metric].length !== to[metric].length) return undefined;
  return { before: from[metric].map((value) => value / 1000), after: to[metric].map((value) => value / 1000) };
}

/** Sets are independent: the variance of the mean is the mean of the variances by the number of sets. */
function meanChange(sets: readonly SetComparison[], metric: MetricName): readonly MetricChange[] {
  const changes = sets.flatMap((set) => set.changes.filter((change) => change.metric === metric));
  if (changes.length === 0) return [];
  const of = (key: 'before' | 'after'): number => changes.reduce((sum, item) => sum + item[key], 0) / changes.length;
  const error = Math.hypot(...changes.map((item) => standardError(item.ci))) / changes.length;
  return [
    normalChange(
      metric,
      of('before'),
      of('after'),
      error,
      changes.every((item) => item.paired),
    ),
  ];
}

function normalChange(metric: MetricName, before: number, after: number, error: number, paired: boolean): MetricChange {
  const difference = after - before;
  const pValue = difference === 0 ? 1 : error === 0 ? 0 : 2 * (1 - normalShare(Math.abs(difference) / error));
  return change(metric, before, after, [difference - 1.96 * error, difference + 1.96 * error], pValue, paired);
}

function change(
  metric: MetricName,
  before: number,
  after: number,
  ci: Interval,
  pValue: number,
  paired: boolean,
): MetricChange {
  const difference = after - before;
  const improved = LOWER_IS_BETTER.has(metric) ? difference < 0 : difference > 0;
  const verdict = pValue >= 0.05 || difference === 0 ? 'same' : improved ? 'better' : 'worse';
  return { metric, before, after, difference, ci, pValue, paired, verdict };
}

function standardError(interval: Interval | undefined): number {
  return interval === undefined ? 0 : (interval[1] - interval[0]) / (2 * 1.96);
}

/** Share of the normal distribution below `z`, for z of 0 and more, to 7 digits (Abramowitz and Stegun, 26.2.17). */
export function normalShare(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const sum = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return 1 - (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * sum;
}
