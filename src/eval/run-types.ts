import type { SelectionRule } from '../decision/port.ts';
import type { Interval } from './metrics/bootstrap.ts';

/** Names of metrics, all 0 to 1. Higher is better, except for `needless`, `brier` and `ece`. */
export type MetricName =
  | 'recall@1'
  | 'recall@5'
  | 'recall@10'
  | 'ndcg@10'
  | 'complete@10'
  | 'lenient_recall@10'
  /** Share of the cases where no tool fits in which any tool is selected. */
  | 'needless'
  | 'brier'
  | 'ece'
  /** How well "nothing is needed" is told apart, over the whole catalogue, and within the cases' own candidates. */
  | 'auroc_nothing'
  | 'auroc_nothing_candidates';

/** All metric names, in the order of tables. */
export const METRIC_NAMES: readonly MetricName[] = [
  'recall@1',
  'recall@5',
  'recall@10',
  'ndcg@10',
  'complete@10',
  'lenient_recall@10',
  'needless',
  'brier',
  'ece',
  'auroc_nothing',
  'auroc_nothing_candidates',
];

/** Metrics of which less is better. */
export const LOWER_IS_BETTER: ReadonlySet<MetricName> = new Set<MetricName>(['needless', 'brier', 'ece']);

/** Each metric, or null where the set or the scorer does not allow it, and bootstrap 95 % intervals by metric. */
export type Metrics = Readonly<Record<MetricName, number | null>> & {
  readonly ci: Readonly<Partial<Record<MetricName, Interval>>>;
};

/** What the model would be shown, over the cases that need a tool. */
export interface SelectionSummary {
  readonly tools_mean: number;
  readonly tokens_mean: number;
  /** Share of needed tools that were selected. */
  readonly recall: number;
  /** Share of cases in which all needed tools were selected. */
  readonly complete: number;
}

/** Milliseconds a case, for the scorer alone. */
export interface LatencySummary {
  readonly p50: number;
  readonly p95: number;
}

/** Data of the plots. */
export interface Curves {
  /** The first k tools of the ranking. */
  readonly shown: readonly { readonly k: number; readonly tokens: number; readonly recall: number }[];
  /** By probability, over the first ten tools of each case; empty without probabilities. */
  readonly reliability: readonly {
    readonly low: number;
    readonly high: number;
    readonly count: number;
    readonly predicted: number | null;
    readonly observed: number | null;
  }[];
  /**
   * If the rule were a plain threshold: tools shown and share of needed ones over the cases that need a tool, and share of the others in which
   * anything is shown (null where there are none). Empty without probabilities.
   */
  readonly sweep: readonly {
    readonly threshold: number;
    readonly tools: number;
    readonly recall: number;
    readonly needless: number | null;
  }[];
  /** Milliseconds at 0, 5, 10 … 100 % of the cases. */
  readonly latency: readonly number[];
}

/** Values of single cases, so that a later run can be compared pair by pair. */
export interface PerCase {
  /** Digest of the ids of the cases that need a tool, in order. Pairs exist only where it is the same. */
  readonly digest: string;
  /** In thousandths. */
  readonly 'ndcg@10': readonly number[];
  readonly 'recall@10': readonly number[];
}

/** A case in which something needed ranks low. */
export interface Miss {
  readonly id: string;
  readonly kind: string;
  /** The last user message, cut at 300 characters. */
  readonly query: string;
  /** Needed tools and their rank; null when not found. */
  readonly needed: readonly { readonly id: string; readonly rank: number | null }[];
  /** What ranks first instead. */
  readonly first: readonly string[];
  readonly 'ndcg@10': number;
}

/** One set, measured. */
export interface SetResult {
  readonly name: string;
  /** How many tools the catalogue holds. */
  readonly tools: number;
  /** How many cases were measured, and how many the set holds. */
  readonly cases: number;
  readonly cases_available: number;
  /** How many of the measured ones need a tool. */
  readonly cases_needing_tools: number;
  readonly metrics: Metrics;
  readonly selection: SelectionSummary;
  readonly latency_ms: LatencySummary;
  /** Time to make the scorer: index and vectors. */
  readonly setup_ms: number;
  readonly curves: Curves;
  readonly per_case?: PerCase | undefined;
}

/** A whole run: what `toolgate eval --json` prints. Sets count alike in the mean; those without a metric are left out of its mean. */
export interface EvaluationRun {
  readonly format: 'toolgate-eval-1';
  readonly scorer: string;
  /** Of the scorer's model or weights, where it has one. */
  readonly scorer_version?: string | undefined;
  readonly window: 'conversation' | 'last';
  readonly seed: number;
  /** At most so many cases of each set; null: all. */
  readonly sample: number | null;
  /** How the selection was made. Null: the first 10 found, since the scorer gives no probabilities. */
  readonly rule: SelectionRule | null;
  readonly sets: readonly SetResult[];
  readonly mean: {
    readonly metrics: Metrics;
    readonly selection: SelectionSummary;
    readonly latency_ms: LatencySummary;
  };
}
