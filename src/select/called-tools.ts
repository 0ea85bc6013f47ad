import type { Message } from '../core/message.ts';

/**
 * The names of all tools called anywhere in the messages, calls run by a provider included. Some providers reject messages
 * with calls to tools that are not in the request, so these always pass.
 */
export function calledToolNames(messages: readonly Message[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const message of messages) {
    if (typeof message.content === 'string') continue;
    for (const part of message.content) {
      if (part.type !== 'tool-call' && part.type !== 'tool-result') continue;
      if (typeof part.toolName === 'string' && part.toolName.length > 0) names.add(part.toolName);
    }
  }
  return names;
}
