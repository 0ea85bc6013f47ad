import type { SelectionEntry, SelectionReport } from './types.ts';

/** Why each reason keeps a tool or leaves it out, for people. */
const words: Readonly<Record<SelectionEntry['reason'], readonly [kept: string, left: string]>> = {
  always: ['always visible', ''],
  included: ['named in alwaysInclude', ''],
  direct: ['given to the gate directly', ''],
  called: ['called in this conversation', ''],
  found: ['found by a search', ''],
  shown: ['shown before', ''],
  forced: ['the tool choice needs it', ''],
  pending: ['a call of it waits for a decision', ''],
  score: ['probably useful', 'probably not useful'],
  'kept-unasked': ['not asked about', ''],
  fallback: ['could not be judged', 'could not be judged'],
  shadow: ['would be left out', ''],
  shortlist: ['', 'not on the shortlist'],
  budget: ['', 'no room in the token budget'],
  evicted: ['', 'made room for others'],
};

/**
 * A selection in plain words: totals, what was unusual, and one line for each tool, kept ones first, most probable first. Names come from
 * strangers: lines hold them as JSON strings, so that none can pretend to be a line of its own.
 */
export function explainSelection(report: SelectionReport): string {
  const kept = report.entries.filter((entry) => entry.kept);
  const { all, shown } = report.tokens;
  const lines = [
    `${report.entries.length} → ${kept.length} tools, ${number(all)} → ${number(shown)} tokens, ${Math.round(report.durationMs)} ms` +
      ` (${report.mode}${report.cached ? ', cached' : ''}${report.degraded ? ', degraded' : ''})`,
    ...report.notes.map((note) => `  ${note}`),
    ...[...report.entries].sort(byKeptThenProbability).map(line),
  ];
  return lines.join('\n');
}

function line(entry: SelectionEntry): string {
  const [kept, left] = words[entry.reason];
  const probability = entry.probability === undefined ? '    ' : entry.probability.toFixed(2);
  return `${entry.kept ? '+' : '-'} ${probability} ${JSON.stringify(entry.name)}: ${(entry.kept ? kept : left) || entry.reason}`;
}

function byKeptThenProbability(a: SelectionEntry, b: SelectionEntry): number {
  return Number(b.kept) - Number(a.kept) || (b.probability ?? -1) - (a.probability ?? -1);
}

function number(value: number): string {
  return String(value).replaceAll(/\B(?=(?:\d{3})+$)/gu, ',');
}
