import type { SelectionReport } from './types.ts';

/** What became of one tool that the decision model was asked about: a label for choosing a rule. */
export interface SelectionLabel {
  readonly name: string;
  readonly probability: number;
  /** What the rule said, also in shadow mode, where everything was passed. */
  readonly selected: boolean;
  /** The model called it. */
  readonly called: boolean;
  readonly tokens: number;
}

/**
 * Joins a selection with the names that the model called afterwards. Only tools that were asked about and answered are labelled: the
 * others say nothing about a rule. In shadow mode, where everything was passed, a call of a tool that was not selected is a missed tool.
 */
export function selectionLabels(report: SelectionReport, calledNames: Iterable<string>): readonly SelectionLabel[] {
  const called = new Set(calledNames);
  const labels: SelectionLabel[] = [];
  for (const { name, probability, reason, kept, tokens } of report.entries) {
    if (probability === undefined) continue;
    labels.push({ name, probability, selected: kept && reason === 'score', called: called.has(name), tokens });
  }
  return labels;
}
