import type { EvaluationRun } from '../run-types.ts';
import { percent, ruleInWords } from './format-value.ts';
import { rankingCells, rankingHeader, resultRows, selectionCells, selectionHeader } from './result-rows.ts';
import { textTable } from './text-table.ts';

/** The run as two tables: ranking, then selection. Shares in per cent; nDCG with half the width of its 95 % interval. */
export function terminalReport(run: EvaluationRun): string {
  const rows = resultRows(run);
  const ranking = textTable(
    rankingHeader('±'),
    rows.map((row) => rankingCells(row, halfWidth)),
  );
  const selection = textTable(selectionHeader, rows.map(selectionCells));
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
