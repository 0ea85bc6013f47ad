import type { ToolDefinition } from '../core/tool.ts';

/** Narrows a large catalogue, so that ten thousand tools cost one request. */
export interface Shortlist {
  /** Nothing is cut up to this many tools; at most this many are asked about. Default 100, at least 1. */
  readonly size?: number | undefined;
  /**
   * Ranks tools for a text, best first, as positions in `tools`; need not name all. Whatever it throws or takes too long with:
   * everything is asked about, as if there were no shortlist.
   */
  rank(
    tools: readonly ToolDefinition[],
    query: string,
    options: { readonly signal: AbortSignal },
  ): readonly number[] | Promise<readonly number[]>;
}

/**
 * The positions to ask about, in the tools' order: those that the text names in full, then the best-ranked ones up to `size`, and when
 * the ranking names fewer, the first of the rest. Unknown and repeated positions are ignored.
 */
export function shortlistedPositions(
  tools: readonly ToolDefinition[],
  query: string,
  ranking: readonly number[],
  size: number,
): readonly number[] {
  const chosen = new Set<number>();
  const words = new Set(query.match(/[\p{L}\p{N}_.\-/]+/gu)?.map(trimPunctuation) ?? []);
  tools.forEach((tool, position) => {
    if (words.has(tool.name) || tool.aliases?.some((alias) => words.has(alias)) === true) chosen.add(position);
  });
  for (const position of ranking) {
    if (chosen.size >= size) break;
    if (Number.isInteger(position) && position >= 0 && position < tools.length) chosen.add(position);
  }
  for (let position = 0; position < tools.length && chosen.size < size; position += 1) chosen.add(position);
  return [...chosen].sort((a, b) => a - b);
}

function trimPunctuation(word: string): string {
  return word.replace(/^[.\-/]+/u, '').replace(/[.\-/]+$/u, '');
}
