import { isPlainObject } from '../../core/json.ts';
import { contentText, textsOf } from './recorded-conversation.ts';
import type { TurnReader } from './recorded-conversation.ts';

const kinds: ReadonlyMap<string, 'user' | 'assistant' | 'other'> = new Map([
  ['human', 'user'],
  ['ai', 'assistant'],
  ['system', 'other'],
  ['tool', 'other'],
  ['function', 'other'],
  ['remove', 'other'],
  ['HumanMessage', 'user'],
  ['HumanMessageChunk', 'user'],
  ['AIMessage', 'assistant'],
  ['AIMessageChunk', 'assistant'],
  ['SystemMessage', 'other'],
  ['ToolMessage', 'other'],
  ['FunctionMessage', 'other'],
]);

/**
 * Messages of LangChain: `{ type, content, tool_calls }`, stored ones (`{ type, data }`), and serialized ones (`{ lc, type: "constructor",
 * id, kwargs }`).
 */
export const readLangChainMessage: TurnReader = (message) => {
  const { type, data, id, kwargs } = message;
  const serialized = type === 'constructor' && Array.isArray(id) && isPlainObject(kwargs);
  const name: unknown = serialized ? (id as readonly unknown[]).at(-1) : type;
  const kind = typeof name === 'string' ? kinds.get(name) : undefined;
  if (kind === undefined) return undefined;
  if (kind === 'other') return null;
  const fields = serialized ? kwargs : isPlainObject(data) ? data : message;
  const calls: unknown = fields['tool_calls'];
  return {
    role: kind,
    text: contentText(fields['content']),
    calls:
      kind === 'assistant' && Array.isArray(calls)
        ? textsOf(calls.map((call: unknown) => (isPlainObject(call) ? call['name'] : undefined)))
        : [],
  };
};
