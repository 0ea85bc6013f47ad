import { isPlainObject } from '../core/json.ts';
import { isToolgateError } from '../core/errors.ts';
import type { ToolDefinition } from '../core/tool.ts';
import { foundOfResult } from '../gate/found-in-messages.ts';
import type { AgentCalls } from './openai-agents-calls.ts';
import { whereOf } from './openai-agents-calls.ts';
import { namesIn, searchIdOf } from './openai-agents-messages.ts';
import type { SerializedTool } from './openai-agents-shown.ts';

/**
 * OpenAI's own tool search, executed here. The model is given the tool `tool_search`; what a search finds reaches it as definitions in a
 * `tool_search_output` at the end of the conversation, so that the list of tools in front of it stays as it was.
 */

/** The runner's own loader takes the names to load from here. A model is shown another schema, and never the names. */
const pathsKey = 'paths';

/** The tool as the SDK hands it to its model client. */
function nativeSearchTool({ description, inputSchema }: ToolDefinition): object {
  return {
    type: 'hosted_tool',
    name: 'tool_search',
    providerData: {
      type: 'tool_search',
      name: 'tool_search',
      execution: 'client',
      description,
      parameters: inputSchema,
    },
  };
}

/** Runs the searches of a reply and writes into each call what the runner shall load. */
export async function withSearches<ITEM>(
  output: readonly ITEM[],
  calls: AgentCalls,
  searchName: string,
): Promise<readonly ITEM[]> {
  if (!output.some(isClientSearch)) return output;
  const answered: ITEM[] = [];
  // One after the other: the second does not find again what the first has found.
  for (const item of output) {
    if (!isClientSearch(item)) {
      answered.push(item);
      continue;
    }
    const input = argumentsOf(item);
    const paths = await search(searchIdOf(item), input, calls, searchName);
    for (const name of paths) calls.loaded.add(name);
    answered.push({ ...item, execution: 'client', arguments: { ...input, [pathsKey]: paths } });
  }
  return answered;
}

async function search(id: string, input: object, calls: AgentCalls, searchName: string): Promise<readonly string[]> {
  try {
    const call = { toolCallId: id, toolName: searchName, input };
    const where = whereOf({}, calls, calls.turn);
    return foundOfResult((await calls.gate.calls.execute(call, where)).result);
  } catch (error) {
    // An output of this kind has no place for words: what may not be searched finds nothing.
    if (isToolgateError(error)) return [];
    throw error;
  }
}

/** The items as the model knows them: a search without the names that were written into it. */
export function withoutPaths(input: string | readonly unknown[]): string | readonly unknown[] {
  if (typeof input === 'string' || !input.some(isClientSearch)) return input;
  return input.map((item) => (isClientSearch(item) ? { ...item, arguments: argumentsOf(item) } : item));
}

/** What a request holds: the search, and what is shown but for the tools that the conversation itself holds. */
export function loadingTools(
  listed: readonly ToolDefinition[],
  shown: readonly SerializedTool[],
  held: ReadonlySet<string>,
  searchNames: ReadonlySet<string>,
): readonly object[] {
  const search = listed.filter(({ name }) => searchNames.has(name)).slice(0, 1);
  return [...search.map(nativeSearchTool), ...shown.filter(({ type, name }) => type !== 'function' || !held.has(name))];
}

/** A request, as far as it says who keeps the conversation. */
interface KeptRequest {
  /** Set when the provider keeps the conversation, and the request holds only what is new. */
  readonly previousResponseId?: string;
  readonly conversationId?: string;
}

export function isKeptElsewhere({ previousResponseId, conversationId }: KeptRequest): boolean {
  return previousResponseId !== undefined || conversationId !== undefined;
}

/** Names of tools whose definitions the conversation holds because this agent searched for them. */
export function heldTools(
  request: KeptRequest & { readonly input: string | readonly unknown[] },
  agentName: string,
  { loaded }: AgentCalls,
): ReadonlySet<string> {
  const { input } = request;
  const names = new Set<string>(isKeptElsewhere(request) ? loaded : []);
  if (typeof input === 'string') return names;
  for (const item of input)
    if (isPlainObject(item) && item['type'] === 'tool_search_output' && item['toolSearchAgentName'] === agentName)
      for (const name of namesIn(item)) names.add(name);
  return names;
}

/** The arguments that the model gave. */
function argumentsOf({ arguments: given }: { readonly arguments?: unknown }): Readonly<Record<string, unknown>> {
  const value = typeof given === 'string' ? parsed(given) : given;
  if (!isPlainObject(value)) return typeof given === 'string' && given !== '' ? { query: given } : {};
  const { [pathsKey]: _written, ...own } = value;
  return own;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function isClientSearch(item: unknown): item is { readonly arguments?: unknown; readonly execution?: unknown } {
  if (!isPlainObject(item) || item['type'] !== 'tool_search_call') return false;
  const data = item['providerData'];
  return (item['execution'] ?? (isPlainObject(data) ? data['execution'] : undefined)) !== 'server';
}
