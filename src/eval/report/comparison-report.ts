import type { RunComparison, SetComparison } from '../compare-runs.ts';
import { percent, points } from './format-value.ts';
import { textTable } from './text-table.ts';

/** Two runs as one table: one line for each set and metric. */
export function comparisonReport(comparison: RunComparison): string {
  const sets: readonly SetComparison[] =
    comparison.sets.length > 1 ? [...comparison.sets, comparison.mean] : comparison.sets;
  const rows = sets.flatMap((set) =>
    set.changes.map((change, index) => [
      index === 0 ? (set.name ?? 'mean') : '',
      change.metric,
      percent(change.before),
      percent(change.after),
      points(change.difference),
      `${points(change.ci[0])} … ${points(change.ci[1])}`,
      change.pValue < 0.001 ? '< 0.001' : change.pValue.toFixed(3),
      change.paired ? 'pairs' : 'intervals',
      change.verdict === 'same' ? '' : change.verdict,
    ]),
  );
  const lines = [
    `Compared: ${comparison.before} before, ${comparison.after} now (points; better and worse only at p < 0.05)`,
    textTable(['set', 'metric', 'before', 'now', 'change', '95 %', 'p', 'by', ''], rows),
  ];
  if (comparison.notes.length > 0) lines.push(`Careful: ${comparison.notes.join('; ')}.`);
  if (comparison.unmatched.length > 0) lines.push(`Only in one of the runs: ${comparison.unmatched.join(', ')}.`);
  return `${lines.join('\n')}\n`;
}
