import { createToolIndex } from '../index/tool-index.ts';
import type { ToolIndex, ToolIndexOptions } from '../index/tool-index.ts';
import type { FoundTool } from './port.ts';
import type { SearchToolOptions } from './search-tool-options.ts';
import { TextQueryToolSearchStrategy } from './text-query-strategy.ts';
import type { RankRequest } from './text-query-strategy.ts';

/** Options of {@link Bm25ToolSearchStrategy}: those of its tool, and those of its index (language, weights, synonyms). */
export interface Bm25ToolSearchOptions extends SearchToolOptions, ToolIndexOptions {}

/**
 * Lets a model search by words, ranked by fielded BM25 over names, descriptions, parameters and servers. Needs no model and no network; the
 * index follows the tools that are given, and reads only new or changed ones.
 */
export class Bm25ToolSearchStrategy extends TextQueryToolSearchStrategy {
  readonly ranksWholePool = true as const;
  readonly #index: ToolIndex;

  constructor(options: Bm25ToolSearchOptions = {}) {
    super(options, {
      toolDescription: 'Finds available tools by words that describe what they do',
      toolArgumentName: 'query',
      toolArgumentDescription: 'Words that describe the desired tool, or its name',
    });
    this.#index = createToolIndex(options);
  }

  /** `score` is BM25F: above 0, comparable within one search only. */
  override rank({ query, tools }: RankRequest): Promise<readonly FoundTool[]> {
    this.#index.set(tools);
    return Promise.resolve(this.#index.search(query).map(({ name, score }) => ({ name, score })));
  }
}
