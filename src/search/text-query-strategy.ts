import type { Invocation } from '../core/provider.ts';
import type { ToolDefinition } from '../core/tool.ts';
import type { FoundTool, ToolSearchRequest, ToolSearchResult, ToolSearchStrategy } from './port.ts';
import { argumentText, readSearchArguments, searchArgument, searchArgumentsError } from './search-arguments.ts';
import { checkCount, defaultSearchToolName, foundToolsText, searchToolDefinition } from './search-tool-options.ts';
import type { SearchToolOptions } from './search-tool-options.ts';

/** What is to be ranked. */
export interface RankRequest {
  readonly query: string;
  /** The arguments that the query was read from, where it comes from a call; for strategies that read more than a text. */
  readonly input?: unknown;
  readonly tools: readonly ToolDefinition[];
  readonly signal?: AbortSignal | undefined;
}

/**
 * A strategy that can rank every tool for a plain text. An ability beyond the port: with it the search service knows how many more there
 * are, and strategies can be combined.
 */
export interface RankingToolSearchStrategy extends ToolSearchStrategy {
  /** All tools that match, best first, equal scores in the tools' order, without the strategy's own limit on results. */
  rank(request: RankRequest): Promise<readonly FoundTool[]>;
  /**
   * True: asking about more tools costs next to nothing, and other tools than last time cost an index. The search service then asks about everything that
   * the principal may call, the same each time, and drops what does not count. Default false: asked only about what may be found.
   */
  readonly ranksWholePool?: boolean | undefined;
  /** The line that names what was found. */
  foundText?(foundToolNames: readonly string[]): string;
}

/** True when a strategy can rank for a plain text. */
export function canRank(strategy: ToolSearchStrategy): strategy is RankingToolSearchStrategy {
  return typeof (strategy as Partial<RankingToolSearchStrategy>).rank === 'function';
}

/** Names and texts of a strategy's search tool. */
export interface SearchToolTexts {
  readonly toolDescription: string;
  readonly toolArgumentName: string;
  readonly toolArgumentDescription: string;
}

/** Longer queries are cut before anything reads them. */
const maximumQuery = 20_000;

/**
 * What strategies have in common whose search tool takes one text: the tool, reading the text from whatever a model gave, the limit and
 * the answer. A subclass gives the ranking.
 */
export abstract class TextQueryToolSearchStrategy implements RankingToolSearchStrategy {
  readonly #options: SearchToolOptions;
  readonly #texts: SearchToolTexts;
  readonly #maxResults: number;

  protected constructor(options: SearchToolOptions, texts: SearchToolTexts) {
    this.#options = options;
    this.#texts = texts;
    this.#maxResults = checkCount('maxResults', options.maxResults ?? 5);
  }

  abstract rank(request: RankRequest): Promise<readonly FoundTool[]>;

  getToolSearchTools(_invocation: Invocation): readonly ToolDefinition[] {
    const { toolName, toolDescription, toolArgumentDescription } = this.#options;
    return [
      searchToolDefinition(
        toolName ?? defaultSearchToolName,
        toolDescription ?? this.#texts.toolDescription,
        this.#argumentName,
        { type: 'string', description: toolArgumentDescription ?? this.#texts.toolArgumentDescription },
      ),
    ];
  }

  async search(request: ToolSearchRequest): Promise<ToolSearchResult> {
    request.signal?.throwIfAborted();
    const query = this.extractQuery(request.call.input);
    const ranked = await this.rank({ query, tools: request.searchableTools, signal: request.signal });
    const found = ranked.slice(0, this.#maxResults);
    const foundToolNames = found.map((tool) => tool.name);
    return { foundToolNames, toolResultMessageText: this.foundText(foundToolNames), found };
  }

  foundText(foundToolNames: readonly string[]): string {
    return (this.#options.toolResultMessageText ?? foundToolsText)(foundToolNames);
  }

  /**
   * The query in a call's arguments: the argument as text, a list joined with spaces. Throws `search-arguments` when it is missing or blank.
   */
  protected extractQuery(input: unknown): string {
    const abort = this.#options.throwToolArgumentsExceptions ?? false;
    const name = this.#argumentName;
    const value = searchArgument(readSearchArguments(input, abort), name);
    if (value === undefined) throw searchArgumentsError(name, `Missing required tool argument '${name}'`, abort);
    const query = Array.isArray(value) ? value.map(argumentText).join(' ') : argumentText(value);
    if (query.trim() === '') throw searchArgumentsError(name, `Tool argument '${name}' must not be blank`, abort);
    return query.length > maximumQuery ? query.slice(0, maximumQuery) : query;
  }

  get #argumentName(): string {
    return this.#options.toolArgumentName ?? this.#texts.toolArgumentName;
  }
}
