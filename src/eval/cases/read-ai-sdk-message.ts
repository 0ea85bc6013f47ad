import { contentParts, contentText, textsOf } from './recorded-conversation.ts';
import type { RecordedTurn, TurnReader } from './recorded-conversation.ts';

/**
 * Messages of the AI SDK: those for models (`content`, calls as parts `tool-call`) and those of its user interface (`parts`, calls as
 * parts `tool-NAME` or `dynamic-tool`).
 */
export const readAiSdkMessage: TurnReader = (message) => {
  const { role, content, parts } = message;
  if (typeof role !== 'string') return undefined;
  if (Array.isArray(parts)) return turnOf(role, contentText(parts), contentParts(parts).flatMap(interfaceCall));
  const called = contentParts(content).filter((part) => part['type'] === 'tool-call');
  if (called.length === 0) return undefined;
  return turnOf(role, contentText(content), textsOf(called.map((part) => part['toolName'])));
};

function interfaceCall(part: Readonly<Record<string, unknown>>): readonly string[] {
  const { type, toolName } = part;
  if (type === 'dynamic-tool') return textsOf([toolName]);
  return typeof type === 'string' && type.startsWith('tool-') ? [type.slice('tool-'.length)] : [];
}

function turnOf(role: string, text: string, calls: readonly string[]): RecordedTurn | null {
  if (role !== 'user' && role !== 'assistant') return null;
  return { role, text, calls: role === 'assistant' ? calls : [] };
}
