import type { EvaluationRun, LatencySummary, Metrics, SelectionSummary } from '../run-types.ts';
import { fixed, percent } from './format-value.ts';

/** One set, or the mean of all, as the tables of every report show it. */
export interface ResultRow {
  readonly name: string;
  readonly tools: string;
  /** How many; `1,000 of 4,000` where not all were taken. */
  readonly cases: string;
  readonly metrics: Metrics;
  readonly selection: SelectionSummary;
  readonly latency_ms: LatencySummary;
  /** True for the mean. */
  readonly sum?: boolean;
}

/** The sets in order, then their mean where there are several. */
export function resultRows(run: EvaluationRun): readonly ResultRow[] {
  const rows: ResultRow[] = run.sets.map((set) => ({
    ...set,
    tools: String(set.tools),
    cases: set.cases < set.cases_available ? `${set.cases} of ${set.cases_available}` : String(set.cases),
  }));
  if (run.sets.length > 1) rows.push({ ...run.mean, name: 'mean', tools: '', cases: '', sum: true });
  return rows;
}

/** The columns of the ranking table after the name; `interval` is the title of the one behind nDCG@10. */
export function rankingHeader(interval: string): readonly string[] {
  return ['set', 'tools', 'cases', 'R@1', 'R@5', 'R@10', 'nDCG@10', interval, 'all@10', 'lenient@10', 'ms p50', 'p95'];
}

/** The cells of {@link rankingHeader}, shares in per cent; `interval` writes the 95 % interval of nDCG@10. */
export function rankingCells(
  { name, tools, cases, metrics, latency_ms }: ResultRow,
  interval: (bounds: readonly [number, number] | undefined) => string,
): readonly string[] {
  return [
    name,
    tools,
    cases,
    percent(metrics['recall@1']),
    percent(metrics['recall@5']),
    percent(metrics['recall@10']),
    percent(metrics['ndcg@10']),
    interval(metrics.ci['ndcg@10']),
    percent(metrics['complete@10']),
    percent(metrics['lenient_recall@10']),
    fixed(latency_ms.p50, 2),
    fixed(latency_ms.p95, 2),
  ];
}

/** The columns of the selection table. */
export const selectionHeader: readonly string[] = [
  'set',
  'shown',
  'tokens',
  'recall',
  'all',
  'needless',
  'Brier',
  'ECE',
  'AUROC nothing',
  'within candidates',
];

/** The cells of {@link selectionHeader}. */
export function selectionCells({
  name,
  metrics,
  selection,
}: Pick<ResultRow, 'name' | 'metrics' | 'selection'>): readonly string[] {
  return [
    name,
    fixed(selection.tools_mean, 1),
    fixed(selection.tokens_mean, 0),
    percent(selection.recall),
    percent(selection.complete),
    percent(metrics.needless),
    fixed(metrics.brier, 3),
    fixed(metrics.ece, 3),
    fixed(metrics.auroc_nothing, 3),
    fixed(metrics.auroc_nothing_candidates, 3),
  ];
}
