import type { Invocation } from '../core/provider.ts';
import type { ToolDefinition } from '../core/tool.ts';

/** `src/search` finds tools for a query that a model wrote. It imports core, text, index, catalog and decision only. */

/** One search by the model. (LangChain4j: `ToolSearchRequest`.) */
export interface ToolSearchRequest {
  /** The call of the search tool: its arguments as the model gave them, a JSON text or an object. */
  readonly call: { readonly toolCallId: string; readonly toolName: string; readonly input: unknown };
  /** What may be found, in a stable order. */
  readonly searchableTools: readonly ToolDefinition[];
  readonly invocation: Invocation;
  readonly signal?: AbortSignal | undefined;
}

/** One found tool. */
export interface FoundTool {
  readonly name: string;
  /** In the strategy's own unit; higher is better. */
  readonly score: number;
  /** The parts of the score by name, for people. */
  readonly parts?: Readonly<Record<string, number>> | undefined;
}

/** What a search gave. (LangChain4j: `ToolSearchResult`.) */
export interface ToolSearchResult {
  /** Names of searchable tools, best first. May be empty: an empty answer is an answer. */
  readonly foundToolNames: readonly string[];
  /** What the model reads. */
  readonly toolResultMessageText: string;
  /** The same tools with their scores, where the strategy has some. */
  readonly found?: readonly FoundTool[] | undefined;
}

/** Lets a model search for tools it was not shown. (LangChain4j: `ToolSearchStrategy`.) */
export interface ToolSearchStrategy {
  /** The tools through which the model searches, usually one. */
  getToolSearchTools(invocation: Invocation): readonly ToolDefinition[];
  /** Throws `search-arguments` for arguments it cannot use; the text goes back to the model. */
  search(request: ToolSearchRequest): Promise<ToolSearchResult>;
}
