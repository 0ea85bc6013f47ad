import type { JsonObject } from '../core/json.ts';
import type { Message } from '../core/message.ts';
import { conversationInput } from './conversation-input.ts';
import { usable } from './plan-batches.ts';
import type { DecisionModelLimits } from './port.ts';
import { estimateTokens, utf8Bytes } from './text-size.ts';

/** An input that keeps to a model's limits, and whether something had to be left out for that. */
export interface FittedInput {
  readonly input: JsonObject;
  /** UTF-8 bytes of the input's JSON; 0 when no limit asked for it. */
  readonly bytes: number;
  readonly cut: boolean;
}

/** Room that a question needs beside its text, in tokens or bytes: its id, its type, the punctuation of JSON. */
export const questionOverhead = 48;

/**
 * Makes the input of a window small enough for the model together with its longest question: messages are shortened first,
 * then the oldest ones left out, then the system messages; the current user message stays, if need be only its start and end.
 */
export function fitInput(
  window: readonly Message[],
  current: Message,
  maxMessageLength: number,
  limits: DecisionModelLimits,
  longest: { readonly bytes: number; readonly tokens: number },
): FittedInput {
  const maxTokens = usable(limits.maxInputTokens);
  const maxBytes = usable(limits.maxRequestBytes);
  const input = conversationInput(window, maxMessageLength);
  if (maxTokens === undefined && maxBytes === undefined) return { input, bytes: 0, cut: false };
  const fits = (candidate: JsonObject): number | undefined => {
    const text = JSON.stringify(candidate);
    const bytes = utf8Bytes(text);
    if (maxTokens !== undefined && estimateTokens(text) + longest.tokens + questionOverhead > maxTokens)
      return undefined;
    // At most half of the bytes, so that there is room for more than one question in each request.
    if (maxBytes !== undefined && bytes + Math.min(longest.bytes, maxBytes / 2) > maxBytes * 0.75) return undefined;
    return bytes;
  };
  let candidate = input;
  let bytes = fits(candidate);
  if (bytes !== undefined) return { input, bytes, cut: false };
  for (const [messages, length] of smallerAndSmaller(window, current, maxMessageLength)) {
    candidate = conversationInput(messages, length);
    bytes = fits(candidate);
    if (bytes !== undefined) break;
  }
  return { input: candidate, bytes: bytes ?? utf8Bytes(JSON.stringify(candidate)), cut: true };
}

function* smallerAndSmaller(
  window: readonly Message[],
  current: Message,
  maxMessageLength: number,
): Generator<readonly [readonly Message[], number]> {
  const lengths = [2000, 1000, 500, 250].filter((length) => length < maxMessageLength);
  const shortest = lengths.at(-1) ?? maxMessageLength;
  for (const length of lengths) yield [window, length];
  let left = window;
  for (const droppable of [isConversation, () => true]) {
    for (const message of window) {
      if (message === current || !droppable(message)) continue;
      left = left.filter((other) => other !== message);
      yield [left, shortest];
    }
  }
  for (let length = Math.min(shortest, 250) / 2; length >= 30; length /= 2) yield [[current], Math.floor(length)];
}

function isConversation(message: Message): boolean {
  return message.role !== 'system' && message.role !== 'developer';
}
