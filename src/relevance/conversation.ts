import { messageText } from '../core/message.ts';
import type { Message } from '../core/message.ts';

/**
 * `src/relevance` holds the embedded decision model: what it reads of a conversation and of tools, its features, its
 * generated weights and the scorer. It imports core, text, index, catalog, decision and search only.
 */

/** One message as the model reads it. */
export interface Turn {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

/** What the model reads of a conversation: the message that asks, and what was said before it, newest first. */
export interface Conversation {
  /** The last user message; empty when there is none. */
  readonly last: string;
  /** Messages of user and assistant before {@link last}, newest first, at most {@link maximumTurns}. */
  readonly before: readonly Turn[];
}

/** Messages before the last one that are read. Older ones add nothing that was measurable. */
export const maximumTurns = 12;

/** Characters of one message that are read, from its start: a pasted file or picture must not rule the query, nor its cost. */
export const maximumCharacters = 4000;

/** Reads a conversation. System messages, tool calls and tool results are left out: they speak of tools that were, not of what is wanted. */
export function readConversation(messages: readonly Message[]): Conversation {
  let lastIndex = messages.length - 1;
  while (lastIndex >= 0 && !isSaying(messages[lastIndex], 'user')) lastIndex -= 1;
  const last = messages[lastIndex];
  if (last === undefined) return { last: '', before: [] };
  const before: Turn[] = [];
  for (let index = lastIndex - 1; index >= 0 && before.length < maximumTurns; index -= 1) {
    const message = messages[index];
    if (isSaying(message, 'user')) before.push({ role: 'user', text: textOf(message) });
    else if (isSaying(message, 'assistant')) before.push({ role: 'assistant', text: textOf(message) });
  }
  return { last: textOf(last), before };
}

function isSaying(message: Message | undefined, role: string): message is Message {
  return message !== undefined && message.role === role && textOf(message).length > 0;
}

function textOf(message: Message): string {
  return messageText(message).trim().slice(0, maximumCharacters);
}
