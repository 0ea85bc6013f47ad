import type { RunComparison } from '../compare-runs.ts';
import type { EvaluationRun, Miss } from '../run-types.ts';
import { escapeHtml } from './escape-html.ts';
import { fixed, percent, points } from './format-value.ts';
import { rankingCells, rankingHeader, resultRows, selectionCells, selectionHeader } from './result-rows.ts';
import type { ResultRow } from './result-rows.ts';

/** Every figure of every set, as two tables: ranking, then selection. */
export function resultTables(run: EvaluationRun): string {
  const rows = resultRows(run);
  const interval = (bounds: readonly number[] = []): string => bounds.map(percent).join(' … ');
  return (
    htmlTable(rankingHeader('95 %'), rows, (row) => rankingCells(row, interval)) +
    htmlTable(selectionHeader, rows, selectionCells)
  );
}

function htmlTable(
  header: readonly string[],
  rows: readonly ResultRow[],
  cellsOf: (row: ResultRow) => readonly string[],
): string {
  const body = rows.map((row) => {
    const cells = cellsOf(row).map((cell) => `<td>${escapeHtml(cell)}</td>`);
    return `<tr${row.sum === true ? ' class="sum"' : ''}>${cells.join('')}</tr>`;
  });
  return `<table><tr>${header.map((cell) => `<th>${cell}</th>`).join('')}</tr>${body.join('')}</table>`;
}

/** What plain thresholds would give, means over the sets. Empty text without probabilities. */
export function sweepTable(run: EvaluationRun): string {
  const sets = run.sets.filter((set) => set.curves.sweep.length > 0);
  const [first] = sets;
  if (first === undefined) return '';
  const rows = first.curves.sweep.map(({ threshold }, index) => {
    const mean = (key: 'tools' | 'recall' | 'needless'): number | null => {
      const values = sets.map((set) => set.curves.sweep[index]?.[key] ?? null).filter((value) => value !== null);
      return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
    };
    return `<tr><td>${threshold}</td><td>${fixed(mean('tools'), 1)}</td><td>${percent(mean('recall'))}</td><td>${percent(mean('needless'))}</td></tr>`;
  });
  return `<table><tr><th>threshold</th><th>tools shown</th><th>recall</th><th>needless</th></tr>${rows.join('')}</table>`;
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
