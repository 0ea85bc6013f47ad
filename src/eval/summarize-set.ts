import { digestText } from '../core/digest.ts';
import { auroc } from './metrics/auroc.ts';
import { bootstrapValues, meanOf, percentileInterval } from './metrics/bootstrap.ts';
import type { BootstrapOptions } from './metrics/bootstrap.ts';
import { binOf, brierScore, expectedCalibrationError, reliabilityBins } from './metrics/calibration.ts';
import { mean, quantile } from './metrics/quantile.ts';
import { SHOWN, THRESHOLDS } from './judge-case.ts';
import type { CaseResult } from './judge-case.ts';
import { METRIC_NAMES } from './run-types.ts';
import type { Curves, MetricName, Metrics, PerCase, SetResult } from './run-types.ts';
import { seedOf } from './seeded-random.ts';

const BINS = 10;

/** Bootstrap values by metric, kept so that the mean over sets has an interval too. */
export type MetricSamples = ReadonlyMap<MetricName, Float64Array>;

/** Sums up the cases of one set, without the parts that only the runner knows. */
export function summarizeSet(
  name: string,
  cases: readonly CaseResult[],
  options: BootstrapOptions & { readonly perCase: boolean },
): {
  readonly summary: Pick<
    SetResult,
    'cases' | 'cases_needing_tools' | 'metrics' | 'selection' | 'latency_ms' | 'curves' | 'per_case'
  >;
  readonly samples: MetricSamples;
} {
  const needing = cases.filter((result) => result.needed);
  const values = new Map<MetricName, number>();
  const samples = new Map<MetricName, Float64Array>();
  const add = (metric: MetricName, value: number, count: number, statistic: (drawn: Uint32Array) => number): void => {
    if (Number.isNaN(value)) return;
    values.set(metric, value);
    samples.set(
      metric,
      bootstrapValues(count, statistic, { ...options, seed: seedOf(`${name} ${metric}`, options.seed) }),
    );
  };
  const addMean = (metric: MetricName, each: readonly number[]): void =>
    add(metric, mean(each), each.length, meanOf(each));

  for (const metric of ['recall@1', 'recall@5', 'recall@10', 'ndcg@10', 'complete@10', 'lenient_recall@10'] as const)
    addMean(
      metric,
      needing.map((result) => result.ranking?.[metric] ?? Number.NaN),
    );
  const nothing = cases.filter((result) => !result.needed);
  addMean(
    'needless',
    nothing.map((result) => (result.selection.tools > 0 ? 1 : 0)),
  );
  const predicted = cases.filter((result) => result.predictions.length > 0);
  const predictions = predicted.flatMap((result) => result.predictions);
  if (predictions.length > 0) {
    add('brier', brierScore(predictions), predicted.length, drawnBrier(predicted));
    add('ece', expectedCalibrationError(predictions, BINS), predicted.length, drawnCalibrationError(predicted));
  }
  const whole = nothing.filter((result) => result.evidenceWithin === undefined);
  addAuroc(add, 'auroc_nothing', needing, whole, (result) => result.evidence);
  addAuroc(
    add,
    'auroc_nothing_candidates',
    needing.filter((result) => result.evidenceWithin !== undefined),
    nothing.filter((result) => result.evidenceWithin !== undefined),
    (result) => result.evidenceWithin ?? Number.NaN,
  );

  const times = cases.map((result) => result.milliseconds);
  return {
    summary: {
      cases: cases.length,
      cases_needing_tools: needing.length,
      metrics: toMetrics(values, samples),
      selection: {
        tools_mean: round(mean(needing.map((result) => result.selection.tools))),
        tokens_mean: round(mean(needing.map((result) => result.selection.tokens))),
        recall: round(mean(needing.map((result) => result.selection.recall))),
        complete: round(mean(needing.map((result) => result.selection.complete))),
      },
      latency_ms: { p50: round(quantile(times, 0.5), 3), p95: round(quantile(times, 0.95), 3) },
      curves: curvesOf(needing, nothing, predictions, times),
      per_case: options.perCase ? perCaseOf(needing) : undefined,
    },
    samples,
  };
}

/** Mean over sets, each counting alike, with intervals from the sets' own bootstrap values. */
export function meanMetrics(sets: readonly Pick<SetResult, 'metrics'>[], drawn: readonly MetricSamples[]): Metrics {
  const values = new Map<MetricName, number>();
  const samples = new Map<MetricName, Float64Array>();
  for (const metric of METRIC_NAMES) {
    const having = sets.map((set) => set.metrics[metric]).filter((value) => value !== null);
    if (having.length === 0) continue;
    values.set(metric, mean(having));
    const rows = drawn.map((own) => own.get(metric)).filter((row) => row !== undefined);
    const rounds = rows[0]?.length ?? 0;
    samples.set(
      metric,
      Float64Array.from({ length: rounds }, (_, round) => mean(rows.map((row) => row[round] as number))),
    );
  }
  return toMetrics(values, samples);
}

/** Rounded, so that files stay small and runs compare byte by byte. */
export function round(value: number, digits = 6): number {
  return Number.isFinite(value) ? Number(value.toFixed(digits)) : 0;
}

function addAuroc(
  add: (metric: MetricName, value: number, count: number, statistic: (drawn: Uint32Array) => number) => void,
  metric: MetricName,
  needing: readonly CaseResult[],
  nothing: readonly CaseResult[],
  evidenceOf: (result: CaseResult) => number,
): void {
  const positives = needing.map(evidenceOf);
  const negatives = nothing.map(evidenceOf);
  add(metric, auroc(positives, negatives), positives.length + negatives.length, (drawn) => {
    const drawnPositives: number[] = [];
    const drawnNegatives: number[] = [];
    for (const position of drawn) {
      if (position < positives.length) drawnPositives.push(positives[position] as number);
      else drawnNegatives.push(negatives[position - positives.length] as number);
    }
    return auroc(drawnPositives, drawnNegatives);
  });
}

/** Cases are drawn, not single predictions: those of one case hang together. */
function drawnBrier(cases: readonly CaseResult[]): (drawn: Uint32Array) => number {
  const sums = cases.map(({ predictions }) => brierScore(predictions) * predictions.length);
  return (drawn) => {
    let sum = 0;
    let count = 0;
    for (const position of drawn) {
      sum += sums[position] as number;
      count += cases[position]?.predictions.length ?? 0;
    }
    return sum / count;
  };
}

function drawnCalibrationError(cases: readonly CaseResult[]): (drawn: Uint32Array) => number {
  // For each case and interval: sum of probability minus outcome. The error is the sum of absolute totals by the count.
  const excess = cases.map(({ predictions }) => {
    const bins = new Float64Array(BINS);
    for (const { probability, outcome } of predictions) {
      const bin = binOf(probability, BINS);
      bins[bin] = (bins[bin] as number) + probability - (outcome ? 1 : 0);
    }
    return bins;
  });
  return (drawn) => {
    const totals = new Float64Array(BINS);
    let count = 0;
    for (const position of drawn) {
      const own = excess[position] as Float64Array;
      for (let bin = 0; bin < BINS; bin++) totals[bin] = (totals[bin] as number) + (own[bin] as number);
      count += cases[position]?.predictions.length ?? 0;
    }
    return totals.reduce((sum, total) => sum + Math.abs(total), 0) / count;
  };
}

function toMetrics(values: ReadonlyMap<MetricName, number>, samples: MetricSamples): Metrics {
  const intervals: [MetricName, readonly [number, number]][] = [];
  for (const [metric, drawn] of samples) {
    const [low, high] = percentileInterval(drawn);
    intervals.push([metric, [round(low), round(high)]]);
  }
  const entries = METRIC_NAMES.map((metric) => {
    const value = values.get(metric);
    return [metric, value === undefined ? null : round(value)];
  });
  return { ...Object.fromEntries(entries), ci: Object.fromEntries(intervals) } as Metrics;
}

function curvesOf(
  needing: readonly CaseResult[],
  nothing: readonly CaseResult[],
  predictions: CaseResult['predictions'],
  times: readonly number[],
): Curves {
  return {
    shown: SHOWN.map((k, index) => ({
      k,
      tokens: round(mean(needing.map((result) => result.shown[index]?.tokens ?? 0)), 1),
      recall: round(mean(needing.map((result) => result.shown[index]?.recall ?? 0))),
    })),
    reliability:
      predictions.length === 0
        ? []
        : reliabilityBins(predictions, BINS).map((bin) => ({
            ...bin,
            predicted: bin.count === 0 ? null : round(bin.predicted),
            observed: bin.count === 0 ? null : round(bin.observed),
          })),
    sweep: needing.every((result) => result.sweep.length === 0)
      ? []
      : THRESHOLDS.map((threshold, index) => ({
          threshold,
          tools: round(mean(needing.map((result) => result.sweep[index]?.tools ?? 0))),
          recall: round(mean(needing.map((result) => result.sweep[index]?.recall ?? 0))),
          needless:
            nothing.length === 0
              ? null
              : round(mean(nothing.map((result) => ((result.sweep[index]?.tools ?? 0) > 0 ? 1 : 0)))),
        })),
    latency: Array.from({ length: 21 }, (_, step) => round(quantile(times, step / 20), 3)),
  };
}

function perCaseOf(needing: readonly CaseResult[]): PerCase {
  const thousandths = (metric: 'ndcg@10' | 'recall@10'): readonly number[] =>
    needing.map((result) => Math.round((result.ranking?.[metric] ?? 0) * 1000));
  return {
    digest: digestText(JSON.stringify(needing.map((result) => result.id))),
    'ndcg@10': thousandths('ndcg@10'),
    'recall@10': thousandths('recall@10'),
  };
}
