import { isPlainObject } from '../core/json.ts';
import type { Message, MessagePart } from '../core/message.ts';
import { foundToolsText } from '../search/search-tool-options.ts';

/** An item of the SDK's history, as far as it is looked at. */
interface Item {
  readonly type?: unknown;
  readonly role?: unknown;
  readonly content?: unknown;
  readonly callId?: unknown;
  readonly name?: unknown;
  readonly arguments?: unknown;
  readonly output?: unknown;
  readonly tools?: unknown;
}

/** The input of a model request as the gate reads it. */
export function toGateMessages(
  input: string | readonly unknown[],
  system: string | undefined,
  searchNames: ReadonlySet<string>,
  /** The name under which searches of the SDK's own kind stand, when they are the gate's. */
  loading?: string,
): readonly Message[] {
  const messages: Message[] = system === undefined ? [] : [{ role: 'system', content: system }];
  if (typeof input === 'string') messages.push({ role: 'user', content: input });
  else
    for (const item of input) {
      const message = isPlainObject(item) ? toMessage(item, searchNames, loading) : undefined;
      if (message !== undefined) messages.push(message);
    }
  return messages;
}

function toMessage(item: Item, searchNames: ReadonlySet<string>, loading: string | undefined): Message | undefined {
  if (typeof item.role === 'string') return { role: item.role, content: toContent(item.content) };
  const toolCallId = asText(item.callId);
  const toolName = asText(item.name);
  if (item.type === 'function_call')
    return { role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName, input: item.arguments }] };
  if (item.type === 'function_call_result') {
    const text = outputText(item.output);
    const found = searchNames.has(toolName) ? foundInText(text) : [];
    const part: MessagePart = { type: 'tool-result', toolCallId, toolName, output: { type: 'text', value: text } };
    return {
      role: 'tool',
      content: [found.length === 0 ? part : Object.assign(part, { providerOptions: { toolgate: { found } } })],
    };
  }
  if (loading === undefined) return undefined;
  const search = { toolCallId: searchIdOf(item), toolName: loading };
  if (item.type === 'tool_search_call')
    return { role: 'assistant', content: [{ type: 'tool-call', ...search, input: item.arguments }] };
  return item.type === 'tool_search_output' ? foundMessage(search, namesIn(item)) : undefined;
}

/** A search's output: definitions for the model, names for the gate. */
function foundMessage(
  search: { readonly toolCallId: string; readonly toolName: string },
  found: readonly string[],
): Message {
  const value = foundToolsText(found);
  const part: MessagePart = { type: 'tool-result', ...search, output: { type: 'text', value } };
  return { role: 'tool', content: [Object.assign(part, { providerOptions: { toolgate: { found } } })] };
}

function toContent(content: unknown): Message['content'] {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.filter(isPlainObject).map((part) => {
    const { type, text } = part;
    return (type === 'input_text' || type === 'output_text') && typeof text === 'string'
      ? { type: 'text', text }
      : { type: asText(type) };
  });
}

function outputText(output: unknown): string {
  if (typeof output === 'string') return output;
  if (isPlainObject(output) && typeof output['text'] === 'string') return output['text'];
  return JSON.stringify(output ?? null);
}

/** The names in the first line of a search's answer: an item of this SDK's history has no place beside its text. */
function foundInText(text: string): readonly string[] {
  const list = /^Tools found: (.+)$/m.exec(text)?.[1];
  return list === undefined ? [] : list.split(',').map((name) => name.trim());
}

/** Under this one key stand arguments that are no JSON. */
const unreadableKey = 'toolgate/no-json';

/**
 * The calls of a response as the runner can take them. Each id is used once in a history: the runner keeps approvals and results by id, and
 * ends the run over an id that comes again. And arguments that are no JSON are carried inside JSON: the runner would put such a call before
 * a person, where the gate answers it.
 */
export function withUsableCalls<ITEM>(output: readonly ITEM[], input: string | readonly unknown[]): readonly ITEM[] {
  if (!output.some(isCall)) return output;
  const taken = new Set<string>(['']);
  if (typeof input !== 'string') for (const item of input) if (isCall(item)) taken.add(asText(item.callId));
  return output.map((item) => {
    if (!isCall(item)) return item;
    const id = asText(item.callId);
    let callId = id;
    for (let count = 2; taken.has(callId); count += 1) callId = `${id === '' ? 'call' : id}-${count}`;
    taken.add(callId);
    const text = asText(item.arguments);
    const isReadable = readArguments(text) !== text;
    if (callId === id && isReadable) return item;
    return { ...item, callId, ...(isReadable ? {} : { arguments: JSON.stringify({ [unreadableKey]: text }) }) };
  });
}

/** The ids of a response's calls. */
export function callIdsOf(output: readonly unknown[]): Set<string> {
  return new Set(output.filter(isCall).map(({ callId }) => asText(callId)));
}

/** The arguments as a value; what is no JSON stays the text that the model gave. */
export function readArguments(given: unknown): unknown {
  const value = typeof given === 'string' ? parsed(given) : given;
  return isPlainObject(value) && Object.hasOwn(value, unreadableKey) ? value[unreadableKey] : value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function isCall(item: unknown): item is Item {
  return isPlainObject(item) && item['type'] === 'function_call';
}

/** A field that should be a text; anything else is none. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Names of the functions in a search's output. */
export function namesIn(output: { readonly tools?: unknown }): readonly string[] {
  if (!Array.isArray(output.tools)) return [];
  return output.tools
    .filter(isPlainObject)
    .map(({ name }) => asText(name))
    .filter((name) => name !== '');
}

/** What ties a search and its output together, wherever the SDK keeps it. */
export function searchIdOf(item: object): string {
  const { providerData, call_id: wireId, callId, id } = item as Readonly<Record<string, unknown>>;
  const data = isPlainObject(providerData) ? providerData : {};
  return [data['call_id'], data['callId'], wireId, callId, id].map(asText).find((text) => text !== '') ?? '';
}
