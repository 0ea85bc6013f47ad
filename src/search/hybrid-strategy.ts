import { errorMessage, ToolgateError } from '../core/errors.ts';
import { Bm25ToolSearchStrategy } from './bm25-strategy.ts';
import { NgramToolSearchStrategy } from './ngram-strategy.ts';
import type { FoundTool } from './port.ts';
import type { SearchToolOptions } from './search-tool-options.ts';
import { TextQueryToolSearchStrategy } from './text-query-strategy.ts';
import type { RankingToolSearchStrategy, RankRequest } from './text-query-strategy.ts';

/** One voice of a {@link HybridToolSearchStrategy}. */
export interface HybridPart {
  /** Names the part in a found tool's `parts`. Unique. */
  readonly name: string;
  readonly strategy: RankingToolSearchStrategy;
  /** Above 0. Default 1. */
  readonly weight?: number | undefined;
}

/** Options of {@link HybridToolSearchStrategy}. */
export interface HybridToolSearchOptions extends SearchToolOptions {
  /** Default: words (BM25, weight 1) and pieces of words (n-grams, weight 0.5). */
  readonly strategies?: readonly HybridPart[] | undefined;
}

/**
 * Combines rankings by the weighted sum of their scores, each in its own deviations: (score - lowest) / deviation over all tools, where a tool that a
 * strategy did not find counts as the lowest score or 0, whichever is lower. Fusing ranks instead lost to the best single
 * ranker on every measured catalogue, since it gives a weak ranker an equal vote.
 *
 * A strategy that fails is left out; the search fails only when all do.
 */
export class HybridToolSearchStrategy extends TextQueryToolSearchStrategy {
  readonly ranksWholePool: boolean;
  readonly #parts: readonly (HybridPart & { readonly weight: number })[];

  constructor(options: HybridToolSearchOptions = {}) {
    super(options, {
      toolDescription: 'Finds available tools by a description of what they do',
      toolArgumentName: 'query',
      toolArgumentDescription: 'Natural language query describing desired tool, or its name',
    });
    const parts = options.strategies ?? [
      { name: 'words', strategy: new Bm25ToolSearchStrategy() },
      { name: 'pieces', strategy: new NgramToolSearchStrategy(), weight: 0.5 },
    ];
    this.#parts = parts.map((part) => ({ ...part, weight: part.weight ?? 1 }));
    this.ranksWholePool = parts.every((part) => part.strategy.ranksWholePool === true);
    const names = new Set(parts.map((part) => part.name));
    if (parts.length === 0 || names.size < parts.length || !this.#parts.every((part) => part.weight > 0)) {
      throw new ToolgateError(
        'invalid-option',
        'A hybrid search needs at least one strategy, each with a name of its own and a weight above 0.',
        { data: { option: 'strategies' } },
      );
    }
  }

  /** `score` is the weighted sum, 0 or more; `parts` are the summands of the strategies that found the tool, and add up to it. */
  override async rank(request: RankRequest): Promise<readonly FoundTool[]> {
    const settled = await Promise.allSettled(this.#parts.map((part) => part.strategy.rank(request)));
    request.signal?.throwIfAborted();
    const places = new Map(request.tools.map((tool, place) => [tool.name, place]));
    const parts: (Record<string, number> | undefined)[] = [];
    let failure: unknown;
    let answered = 0;
    for (const [number, result] of settled.entries()) {
      const { name, weight } = this.#parts[number] as HybridPart & { readonly weight: number };
      if (result.status === 'rejected') {
        failure = result.reason;
        continue;
      }
      answered += 1;
      for (const [place, share] of inDeviations(result.value, places)) (parts[place] ??= {})[name] = weight * share;
    }
    if (answered === 0) {
      throw new ToolgateError(
        'search-failed',
        `No strategy of the hybrid search could search: ${errorMessage(failure)}`,
        {
          data: { strategy: 'hybrid' },
          cause: failure,
        },
      );
    }
    const found: { name: string; score: number; parts: Record<string, number>; place: number }[] = [];
    for (const [place, own] of parts.entries()) {
      if (own === undefined) continue;
      let score = 0;
      for (const part of Object.values(own)) score += part;
      found.push({ name: request.tools[place]?.name ?? '', score, parts: own, place });
    }
    found.sort((a, b) => b.score - a.score || a.place - b.place);
    return found.map(({ name, score, parts: own }) => ({ name, score, parts: own }));
  }
}

/** How far each found tool is above the lowest, in standard deviations over all tools, by place. */
function inDeviations(ranked: readonly FoundTool[], places: ReadonlyMap<string, number>): ReadonlyMap<number, number> {
  let lowest = 0;
  for (const { score } of ranked) lowest = Math.min(lowest, score);
  const heights = new Map<number, number>();
  for (const { name, score } of ranked) {
    const place = places.get(name);
    if (place !== undefined) heights.set(place, score - lowest);
  }
  const count = places.size || 1;
  let mean = 0;
  for (const height of heights.values()) mean += height / count;
  let variance = ((count - heights.size) * mean * mean) / count;
  for (const height of heights.values()) variance += (height - mean) ** 2 / count;
  const deviation = Math.sqrt(variance) || 1;
  for (const [place, height] of heights) heights.set(place, height / deviation);
  return heights;
}
