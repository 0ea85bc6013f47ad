import { isPlainObject } from '../../core/json.ts';
import { contentParts, contentText, textsOf } from './recorded-conversation.ts';
import type { TurnReader } from './recorded-conversation.ts';

/**
 * Messages with a `role`: OpenAI's chat completions (`tool_calls`, the older `function_call`), Anthropic's (parts `tool_use`), and
 * the many programs that keep them in these forms.
 */
export const readChatMessage: TurnReader = (message) => {
  const { role, content, tool_calls: toolCalls, function_call: functionCall } = message;
  if (typeof role !== 'string') return undefined;
  if (role === 'user') {
    const text = contentText(content);
    // Anthropic hands results back as user messages: nobody said anything there.
    return text === '' && contentParts(content).some((part) => part['type'] === 'tool_result')
      ? null
      : { role, text, calls: [] };
  }
  if (role !== 'assistant') return null;
  const calls = [
    ...(Array.isArray(toolCalls) ? toolCalls.map(calledName) : []),
    ...(isPlainObject(functionCall) ? [functionCall['name']] : []),
    ...contentParts(content)
      .filter((part) => part['type'] === 'tool_use')
      .map((part) => part['name']),
  ];
  return { role, text: contentText(content), calls: textsOf(calls) };
};

/** Items of OpenAI's responses: `message`, `function_call` and others. */
export const readResponseItem: TurnReader = (item) => {
  const { type, role, name, content } = item;
  if (type === 'function_call') return { role: 'assistant', text: '', calls: textsOf([name]) };
  if (type === 'message' && (role === 'user' || role === 'assistant'))
    return { role, text: contentText(content), calls: [] };
  return type === 'function_call_output' || type === 'reasoning' ? null : undefined;
};

function calledName(call: unknown): unknown {
  if (!isPlainObject(call)) return undefined;
  const called = call['function'];
  return isPlainObject(called) ? called['name'] : call['name'];
}
