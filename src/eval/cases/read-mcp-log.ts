import { isPlainObject } from '../../core/json.ts';
import type { RecordedConversation, RecordedTurn } from './recorded-conversation.ts';

const searchTools = /^(?:.*[_.-])?(?:search|find|discover)[_-]?tools?$|^(?:.*[_.-])?tool[_-]?search(?:[_-]tool)?$/i;
const callers: ReadonlySet<string> = new Set([
  'call_tool',
  'call_read_tool',
  'call_write_tool',
  'call_destructive_tool',
]);

/**
 * Logs of the Model Context Protocol: JSON-RPC messages, bare or under `message`, `request` or `payload`. Nobody speaks in
 * them, so what a model searched for stands in the user's place, and the calls after it are the answer. Calls before the first search
 * are left out. Undefined when no entry is a call of a tool.
 */
export function readMcpLog(entries: readonly unknown[]): RecordedConversation | undefined {
  const turns: RecordedTurn[] = [];
  let found = false;
  for (const entry of entries) {
    const request = requestOf(entry);
    if (request === undefined) continue;
    found = true;
    const { name, input } = request;
    if (searchTools.test(name)) {
      const query = [input['query'], input['context'], input['terms']]
        .flat()
        .filter((text) => typeof text === 'string')
        .join('\n');
      if (query.trim() !== '') turns.push({ role: 'user', text: query.trim(), calls: [] });
    } else if (turns.length > 0) {
      const inner = input['name'] ?? input['tool'];
      turns.push({
        role: 'assistant',
        text: '',
        calls: [callers.has(name) && typeof inner === 'string' ? inner : name],
      });
    }
  }
  return found ? { turns } : undefined;
}

function requestOf(
  entry: unknown,
): { readonly name: string; readonly input: Readonly<Record<string, unknown>> } | undefined {
  if (!isPlainObject(entry)) return undefined;
  for (const value of [entry, entry['message'], entry['request'], entry['payload']]) {
    if (!isPlainObject(value) || value['method'] !== 'tools/call' || !isPlainObject(value['params'])) continue;
    const { name, arguments: input } = value['params'];
    if (typeof name === 'string') return { name, input: isPlainObject(input) ? input : {} };
  }
  return undefined;
}
