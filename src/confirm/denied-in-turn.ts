import { toolCallParts } from '../core/message.ts';
import type { Message, ToolCallPart } from '../core/message.ts';

/**
 * The calls that were denied since the last user message, from the conversation alone, so that it works without a store.
 * A result belongs to the first call of its id that is still unanswered, since ids may repeat.
 */
export function deniedInTurn(
  messages: readonly Message[],
): readonly { readonly toolName: string; readonly input: unknown }[] {
  const start = messages.findLastIndex((message) => message.role === 'user') + 1;
  const denied: { readonly toolName: string; readonly input: unknown }[] = [];
  let open: ToolCallPart[] = [];
  for (const message of messages.slice(start)) {
    if (message.role === 'assistant') open = [...toolCallParts(message)];
    if (message.role !== 'tool' || typeof message.content === 'string') continue;
    for (const part of message.content) {
      if (part.type !== 'tool-result') continue;
      const index = open.findIndex((call) => call.toolCallId === (part.toolCallId ?? ''));
      const call = open[index];
      if (call === undefined) continue;
      open.splice(index, 1);
      const output = part.output as { readonly type?: unknown } | null | undefined;
      if (output?.type === 'execution-denied') denied.push({ toolName: call.toolName, input: call.input });
    }
  }
  return denied;
}
