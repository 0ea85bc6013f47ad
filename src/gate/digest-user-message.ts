import { canonicalJson } from '../core/canonical-json.ts';
import { digestText } from '../core/digest.ts';
import type { Message } from '../core/message.ts';

/** Tells one user message of a conversation from the next, also when the same words come twice. */
export function digestUserMessage(messages: readonly Message[], userMessage: Message): string {
  let ordinal = 0;
  for (const message of messages) if (message.role === 'user') ordinal += 1;
  return digestText(canonicalJson([ordinal, userMessage.content], { mode: 'lenient' }));
}
