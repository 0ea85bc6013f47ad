import type { Invocation } from '../core/provider.ts';
import type { ToolDefinition } from '../core/tool.ts';
import { isPlainObject } from '../core/json.ts';
import type { FoundTool, ToolSearchRequest, ToolSearchResult } from './port.ts';
import { argumentText, readSearchArguments, searchArgument, searchArgumentsError } from './search-arguments.ts';
import { defaultSearchToolName, foundToolsText, searchToolDefinition } from './search-tool-options.ts';
import type { SearchToolOptions } from './search-tool-options.ts';
import type { RankingToolSearchStrategy, RankRequest } from './text-query-strategy.ts';

/** Options of {@link SimpleToolSearchStrategy}. Texts and defaults are those of LangChain4j. */
export interface SimpleToolSearchOptions extends SearchToolOptions {
  /** Tools with a lower score are not found. Default 1. */
  readonly minScore?: number | undefined;
}

/** Terms beyond this are ignored: every term is looked for in every tool. */
const maximumTerms = 200;

/**
 * Lets a model search by a list of terms, case-insensitively and by substring: each term gives a tool 2 when its name contains it
 * and 1 when its description does. Equal scores keep the tools' order. (LangChain4j: `SimpleToolSearchStrategy`.)
 *
 * `extractTerms`, `clean` and `score` may be overridden.
 */
export class SimpleToolSearchStrategy implements RankingToolSearchStrategy {
  readonly #toolName: string;
  readonly #toolDescription: string;
  readonly #argumentName: string;
  readonly #argumentDescription: string;
  readonly #maxResults: number;
  readonly #minScore: number;
  readonly #abort: boolean;
  readonly #text: (foundToolNames: readonly string[]) => string;

  constructor(options: SimpleToolSearchOptions = {}) {
    this.#toolName = options.toolName ?? defaultSearchToolName;
    this.#toolDescription =
      options.toolDescription ?? 'Finds available tools whose name or description contains given search terms';
    this.#argumentName = options.toolArgumentName ?? 'terms';
    this.#argumentDescription =
      options.toolArgumentDescription ?? 'A list of individual search terms (single words) used to find relevant tools';
    this.#maxResults = options.maxResults ?? 5;
    this.#minScore = options.minScore ?? 1;
    this.#abort = options.throwToolArgumentsExceptions ?? false;
    this.#text = options.toolResultMessageText ?? foundToolsText;
  }

  getToolSearchTools(_invocation: Invocation): readonly ToolDefinition[] {
    return [
      searchToolDefinition(this.#toolName, this.#toolDescription, this.#argumentName, {
        type: 'array',
        description: this.#argumentDescription,
        items: { type: 'string' },
      }),
    ];
  }

  async search(request: ToolSearchRequest): Promise<ToolSearchResult> {
    request.signal?.throwIfAborted();
    const { input } = request.call;
    const terms = this.clean(this.extractTerms(typeof input === 'string' ? input : argumentText(input ?? null)));
    const found = this.#ranked(request.searchableTools, terms).slice(0, Math.max(0, this.#maxResults));
    const foundToolNames = found.map((tool) => tool.name);
    return { foundToolNames, toolResultMessageText: this.foundText(foundToolNames), found };
  }

  /** All tools that match, best first, for the terms of a call, or for the words of a text. */
  async rank({ query, input, tools }: RankRequest): Promise<readonly FoundTool[]> {
    const isCall = isPlainObject(input) && Array.isArray(searchArgument(input, this.#argumentName));
    return this.#ranked(tools, this.clean(isCall ? this.extractTerms(argumentText(input)) : [query]));
  }

  foundText(foundToolNames: readonly string[]): string {
    return this.#text(foundToolNames);
  }

  #ranked(tools: readonly ToolDefinition[], terms: readonly string[]): readonly FoundTool[] {
    return tools
      .map((tool) => ({ name: tool.name, score: this.score(tool, terms) }))
      .filter(({ score }) => score >= this.#minScore)
      .sort((a, b) => b.score - a.score);
  }

  /** The terms in a call's arguments. Throws `search-arguments` when there is no list of terms. */
  protected extractTerms(argumentsJson: string): readonly string[] {
    const value = searchArgument(readSearchArguments(argumentsJson, this.#abort), this.#argumentName);
    if (value === undefined) {
      throw searchArgumentsError(
        this.#argumentName,
        `Missing required tool argument '${this.#argumentName}'`,
        this.#abort,
      );
    }
    if (!Array.isArray(value)) {
      throw searchArgumentsError(
        this.#argumentName,
        `Tool argument '${this.#argumentName}' must be an array of strings`,
        this.#abort,
      );
    }
    return value.filter((term: unknown) => term !== null && term !== undefined).map(argumentText);
  }

  /** Splits terms at white space, lower-cases them, drops empty and repeated ones. At most 200 are kept. */
  protected clean(terms: readonly string[]): readonly string[] {
    const cleaned = new Set<string>();
    for (const term of terms) {
      for (const word of term.split(/\s+/u)) {
        if (word !== '' && cleaned.size < maximumTerms) cleaned.add(word.toLowerCase());
      }
    }
    return [...cleaned];
  }

  /** 2 for each term that the name contains, 1 for each that the description contains. */
  protected score(tool: ToolDefinition, terms: readonly string[]): number {
    const name = tool.name.toLowerCase();
    const description = tool.description?.toLowerCase() ?? '';
    let score = 0;
    for (const term of terms) {
      if (name.includes(term)) score += 2;
      if (description.includes(term)) score += 1;
    }
    return score;
  }
}
