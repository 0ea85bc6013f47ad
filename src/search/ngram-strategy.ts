import { createNgramIndex } from '../index/ngram-index.ts';
import type { NgramIndex } from '../index/ngram-index.ts';
import { ToolgateError } from '../core/errors.ts';
import type { ToolDefinition } from '../core/tool.ts';
import type { FoundTool } from './port.ts';
import { checkCount } from './search-tool-options.ts';
import type { SearchToolOptions } from './search-tool-options.ts';
import { TextQueryToolSearchStrategy } from './text-query-strategy.ts';
import type { RankRequest } from './text-query-strategy.ts';

/** Options of {@link NgramToolSearchStrategy}. */
export interface NgramToolSearchOptions extends SearchToolOptions {
  /**
   * Larger catalogues are not indexed, and nothing is found: an index of pieces takes about twenty times the memory and time of one of words. Default
   * 5,000.
   */
  readonly maxTools?: number | undefined;
  /**
   * Tools are not found that have less than this of every word of the query, 0 to 1: see `coverage` of the index. Default 0.2, below which misspelt words are
   * hardly ever, and words that the catalogue does not know often.
   */
  readonly minCoverage?: number | undefined;
}

/**
 * Lets a model search by pieces of words: the cosine of character n-grams. Alone it is about as good as words; its worth is beside
 * them, in a hybrid search.
 */
export class NgramToolSearchStrategy extends TextQueryToolSearchStrategy {
  readonly ranksWholePool = true as const;
  readonly #index: NgramIndex = createNgramIndex();
  #tools: readonly ToolDefinition[] = [];

  readonly #maxTools: number;
  readonly #minCoverage: number;

  constructor(options: NgramToolSearchOptions = {}) {
    super(options, {
      toolDescription: 'Finds available tools by words or parts of words',
      toolArgumentName: 'query',
      toolArgumentDescription: 'Words that describe the desired tool, or its name',
    });
    this.#maxTools = checkCount('maxTools', options.maxTools ?? 5_000);
    this.#minCoverage = options.minCoverage ?? 0.2;
    if (!(this.#minCoverage >= 0 && this.#minCoverage <= 1)) {
      throw new ToolgateError('invalid-option', `minCoverage must be from 0 to 1, but is ${this.#minCoverage}.`, {
        data: { option: 'minCoverage' },
      });
    }
  }

  /** `score` is the cosine, above 0 to 1. */
  override rank({ query, tools }: RankRequest): Promise<readonly FoundTool[]> {
    if (tools.length > this.#maxTools) return Promise.resolve([]);
    if (!sameTools(tools, this.#tools)) {
      this.#index.set(tools);
      this.#tools = [...tools];
    }
    const hits = this.#index.search(query, { minCoverage: this.#minCoverage });
    return Promise.resolve(hits.map(({ name, score }) => ({ name, score })));
  }
}

function sameTools(a: readonly ToolDefinition[], b: readonly ToolDefinition[]): boolean {
  return a.length === b.length && a.every((tool, place) => tool === b[place]);
}
