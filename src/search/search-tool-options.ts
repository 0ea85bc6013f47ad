import type { JsonSchema, ToolDefinition } from '../core/tool.ts';
import { ToolgateError } from '../core/errors.ts';

/** What every strategy lets the user set. The defaults stand with each strategy. */
export interface SearchToolOptions {
  /** Name of the tool through which the model searches. Default `tool_search_tool`. */
  readonly toolName?: string | undefined;
  readonly toolDescription?: string | undefined;
  /** Name of the tool's one argument. */
  readonly toolArgumentName?: string | undefined;
  readonly toolArgumentDescription?: string | undefined;
  /** At most this many tools are found by one search. Default 5. */
  readonly maxResults?: number | undefined;
  /**
   * Default false: unusable arguments throw `search-arguments` whose text goes to the model. True: the same error carries `abort: true` in its data, and
   * ends the loop.
   */
  readonly throwToolArgumentsExceptions?: boolean | undefined;
  /** What the model reads. Default: `No matching tools found`, else `Tools found: a, b`. */
  readonly toolResultMessageText?: ((foundToolNames: readonly string[]) => string) | undefined;
}

/** The name under which a model searches, unless the user sets another. */
export const defaultSearchToolName = 'tool_search_tool';

/** Default text of a result, as in LangChain4j. */
export function foundToolsText(foundToolNames: readonly string[]): string {
  return foundToolNames.length === 0 ? 'No matching tools found' : `Tools found: ${foundToolNames.join(', ')}`;
}

/** A search tool with one required argument. */
export function searchToolDefinition(
  name: string,
  description: string,
  argument: string,
  argumentSchema: JsonSchema,
): ToolDefinition {
  return {
    name,
    description,
    inputSchema: { type: 'object', properties: { [argument]: argumentSchema }, required: [argument] },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  };
}

/** Throws `invalid-option` unless `value` is a whole number of at least `minimum`. */
export function checkCount(option: string, value: number, minimum = 1): number {
  if (Number.isSafeInteger(value) && value >= minimum) return value;
  throw new ToolgateError(
    'invalid-option',
    `${option} must be a whole number of at least ${minimum}, but is ${value}.`,
    { data: { option } },
  );
}
