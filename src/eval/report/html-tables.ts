import type { RunComparison } from '../compare-runs.ts';
import type { EvaluationRun, LatencySummary, Metrics, Miss, SelectionSummary } from '../run-types.ts';
import { escapeHtml } from './escape-html.ts';
import { fixed, percent, points } from './format-value.ts';

/** Every figure of every set. */
export function resultTable(run: EvaluationRun): string {
  const header =
    '<tr><th>set</th><th>tools</th><th>cases</th><th>R@1</th><th>R@5</th><th>R@10</th><th>nDCG@10</th><th>all@10</th><th>lenient@10</th>' +
    '<th>shown</th><th>tokens</th><th>recall shown</th><th>all shown</th><th>needless</th><th>Brier</th><th>ECE</th><th>AUROC nothing</th><th>ms p50</th><th>p95</th></tr>';
  const rows = run.sets.map((set) => resultRow(set.name, String(set.tools), String(set.cases), set));
  if (run.sets.length > 1) rows.push(resultRow('mean', '', '', run.mean, 'sum'));
  return `<table>${header}${rows.join('')}</table>`;
}

function resultRow(
  name: string,
  tools: string,
  cases: string,
  item: { readonly metrics: Metrics; readonly selection: SelectionSummary; readonly latency_ms: LatencySummary },
  style = '',
): string {
  const { metrics, selection, latency_ms } = item;
  const nothing = [metrics.auroc_nothing, metrics.auroc_nothing_candidates].filter((value) => value !== null);
  const cells = [
    escapeHtml(name),
    tools,
    cases,
    percent(metrics['recall@1']),
    percent(metrics['recall@5']),
    percent(metrics['recall@10']),
    percent(metrics['ndcg@10']),
    percent(metrics['complete@10']),
    percent(metrics['lenient_recall@10']),
    fixed(selection.tools_mean, 1),
    fixed(selection.tokens_mean, 0),
    percent(selection.recall),
    percent(selection.complete),
    percent(metrics.needless),
    fixed(metrics.brier, 3),
    fixed(metrics.ece, 3),
    nothing.length === 0 ? '–' : nothing.map((value) => value.toFixed(2)).join(' / '),
    fixed(latency_ms.p50, 2),
    fixed(latency_ms.p95, 2),
  ];
  return `<tr class="${style}">${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
}

/** What changed against an older run: only what is significant, and nDCG@10 always. */
export function comparisonTable(comparison: RunComparison): string {
  const rows = [...comparison.sets, comparison.mean].flatMap((set) =>
    set.changes
      .filter((change) => change.verdict !== 'same' || change.metric === 'ndcg@10')
      .map(
        (change) =>
          `<tr><td>${escapeHtml(set.name ?? 'mean')}</td><td class="left">${change.metric}</td><td>${percent(change.before)}</td><td>${percent(change.after)}</td>` +
          `<td class="${change.verdict}">${points(change.difference)}</td><td>${points(change.ci[0])} … ${points(change.ci[1])}</td>` +
          `<td>${change.pValue < 0.001 ? '&lt; 0.001' : change.pValue.toFixed(3)}</td></tr>`,
      ),
  );
  return `<table><tr><th>set</th><th class="left">metric</th><th>before</th><th>now</th><th>change</th><th>95 %</th><th>p</th></tr>${rows.join('')}</table>`;
}

/** The worst cases of each set, folded. */
export function worstCases(misses: ReadonlyMap<string, readonly Miss[]>, limit: number): string {
  return [...misses]
    .filter(([, list]) => list.length > 0)
    .map(([name, list]) => {
      const rows = list.slice(0, limit).map((miss) => {
        const needed = miss.needed.map(
          ({ id, rank }) => `<code>${escapeHtml(id)}</code> (${rank === null ? 'not found' : `rank ${rank}`})`,
        );
        const first = miss.first.map((id) => `<code>${escapeHtml(id)}</code>`);
        return (
          `<tr><td class="wrap">${escapeHtml(miss.query)}<br><span class="soft">${escapeHtml(miss.id)}, ${escapeHtml(miss.kind)}</span></td>` +
          `<td class="wrap">${needed.join('<br>')}</td><td class="wrap">${first.length === 0 ? 'nothing' : first.join('<br>')}</td></tr>`
        );
      });
      return (
        `<details><summary>${escapeHtml(name)}: ${list.length} ${list.length === 1 ? 'case' : 'cases'}</summary><table>` +
        `<tr><th>asked</th><th class="left">needed</th><th class="left">ranked first instead</th></tr>${rows.join('')}</table></details>`
      );
    })
    .join('');
}
