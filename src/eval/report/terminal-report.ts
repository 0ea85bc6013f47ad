import type { EvaluationRun, Metrics, SelectionSummary, LatencySummary } from '../run-types.ts';
import { fixed, percent, ruleInWords } from './format-value.ts';
import { textTable } from './text-table.ts';

interface Row {
  readonly name: string;
  readonly tools: string;
  readonly cases: string;
  readonly metrics: Metrics;
  readonly selection: SelectionSummary;
  readonly latency_ms: LatencySummary;
}

/** The run as two tables: ranking, then selection. Shares in per cent; nDCG with half the width of its 95 % interval. */
export function terminalReport(run: EvaluationRun): string {
  const rows: Row[] = run.sets.map((set) => ({
    ...set,
    tools: String(set.tools),
    cases: set.cases < set.cases_available ? `${set.cases} of ${set.cases_available}` : String(set.cases),
  }));
  if (run.sets.length > 1) rows.push({ name: 'mean', tools: '', cases: '', ...run.mean });
  const ranking = textTable(
    ['set', 'tools', 'cases', 'R@1', 'R@5', 'R@10', 'nDCG@10', '±', 'all@10', 'lenient@10', 'ms p50', 'p95'],
    rows.map(({ name, tools, cases, metrics, latency_ms }) => [
      name,
      tools,
      cases,
      percent(metrics['recall@1']),
      percent(metrics['recall@5']),
      percent(metrics['recall@10']),
      percent(metrics['ndcg@10']),
      halfWidth(metrics.ci['ndcg@10']),
      percent(metrics['complete@10']),
      percent(metrics['lenient_recall@10']),
      fixed(latency_ms.p50, 2),
      fixed(latency_ms.p95, 2),
    ]),
  );
  const selection = textTable(
    ['set', 'shown', 'tokens', 'recall', 'all', 'needless', 'Brier', 'ECE', 'AUROC nothing', 'within candidates'],
    rows.map(({ name, metrics, selection }) => [
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
    ]),
  );
  const sampled =
    run.sample === null
      ? 'All cases.'
      : `At most ${run.sample} cases of each set, drawn with seed ${run.seed} (--sample all takes every case).`;
  return [
    `Scorer ${run.scorer}${run.scorer_version === undefined ? '' : ` (${run.scorer_version})`}, ${run.window === 'last' ? 'last user message' : 'whole conversation'}. ${sampled}`,
    '',
    'Ranking over the whole catalogue, cases that need a tool (%)',
    ranking,
    '',
    `Selection: ${ruleInWords(run.rule)}`,
    selection,
    '',
  ].join('\n');
}

function halfWidth(interval: readonly [number, number] | undefined): string {
  return interval === undefined ? '–' : percent((interval[1] - interval[0]) / 2);
}
