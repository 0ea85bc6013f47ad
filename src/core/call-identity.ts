import { canonicalJson } from './canonical-json.ts';
import { digestText } from './digest.ts';
import { toolCallParts } from './message.ts';
import type { Message, Reply, ToolCallPart } from './message.ts';

/** Names one call for ever: the same call delivered again has the same identity, any other call has another. */
export interface CallIdentity {
  readonly tenant: string;
  readonly principal: string;
  readonly conversation: string;
  readonly replyId: string;
  readonly key: string;
}

/** A call of a reply with its key. */
export interface KeyedCall {
  /** `<ordinal>.<toolCallId>`, the ordinal counted from 0 over all calls of the reply. */
  readonly key: string;
  readonly part: ToolCallPart;
}

/** The calls of a reply in the model's order, each with a key that is unique in the reply even when ids repeat, are empty or missing. */
export function keyedCalls(reply: Message): readonly KeyedCall[] {
  return toolCallParts(reply).map((part, ordinal) => ({ key: `${ordinal}.${part.toolCallId}`, part }));
}

/** The provider's id of the response, else a digest of the messages before the reply and of the reply. */
export function replyIdOf(messagesBefore: readonly Message[], reply: Reply): string {
  if (typeof reply.id === 'string' && reply.id.length > 0) return reply.id;
  return digestText(canonicalJson(['toolgate-reply-1', messagesBefore, reply.content], { mode: 'lenient' }));
}
