import type { ToolDefinition } from '../src/core/tool.ts';
import { catalogueProfile } from '../src/relevance/catalogue-profile.ts';
import type { WordEmbedder } from '../src/relevance/word-embedder.ts';
import { diluted, makeConversations, thinned } from './augment.ts';
import type { Case, DataSet } from './data.ts';
import type { WeightedRows } from './logistic.ts';
import { computeRows } from './rows.ts';
import type { Rows } from './rows.ts';

/**
 * The rows that a set teaches with: its own cases, conversations made of them, a part of both with a third of the tools taken out (so that the model
 * sees what it is like when nothing fits) and, for small catalogues, among tools of other catalogues. Every set weighs the same.
 */
export function trainingRows(
  set: DataSet,
  others: readonly ToolDefinition[],
  embedder: WordEmbedder | undefined,
  share: number,
): WeightedRows[] {
  const rowsOf = (tools: readonly ToolDefinition[], cases: readonly Case[]): Rows =>
    computeRows(catalogueProfile(tools), cases, embedder, { leaveAlternatives: true });
  const count = (whole: number): number => Math.max(4, Math.ceil(whole * share));
  // Cases that fit nothing among their own candidates may well have a fitting tool in the whole catalogue.
  const real = set.cases.filter((one) => one.relevant.length > 0 || one.candidates === undefined);
  const made = makeConversations(set, { needing: count(400), free: count(80), seed: 5 });
  const thin = thinned(set, 0.35, 7);
  const none = thin.cases.filter((one) => one.kind === 'none-fits').slice(0, count(40));
  const some = thin.cases.filter((one) => one.kind !== 'none-fits').slice(0, count(80));
  const tables = [rowsOf(set.tools, [...real, ...made]), rowsOf(thin.tools, [...none, ...some])];
  if (set.tools.length < 500) {
    const wide = diluted(set, others, 400, 9);
    const needing = set.cases.filter((one) => one.relevant.length > 0).slice(0, count(100));
    tables.push(rowsOf(wide.tools, [...needing, ...made.slice(0, count(100))]));
  }
  const total = tables.reduce((sum, rows) => sum + rows.cases.length, 0);
  return tables.map((rows) => ({ set: set.name, rows, caseWeight: 1 / total }));
}
