import { canonicalJson } from '../core/canonical-json.ts';
import { digestText } from '../core/digest.ts';
import type { Message } from '../core/message.ts';
import type { ConversationSession } from './session.ts';

/** Longer texts are digested anew each time rather than kept. */
const longestKept = 1_000;

/** Tells one user message of a conversation from the next, also when the same words come twice. */
export function digestUserMessage(
  messages: readonly Message[],
  { content }: Message,
  session: ConversationSession,
): string {
  let ordinal = 0;
  for (const message of messages) if (message.role === 'user') ordinal += 1;
  const kept = session.digested;
  if (kept !== undefined && kept.content === content && kept.ordinal === ordinal) return kept.digest;
  const digest = digestText(canonicalJson([ordinal, content], { mode: 'lenient' }));
  // Texts only: a list of parts may be changed by its owner.
  session.digested =
    typeof content === 'string' && content.length <= longestKept ? { content, ordinal, digest } : undefined;
  return digest;
}
