import { isPlainObject } from '../core/json.ts';
import type { JsonObject } from '../core/json.ts';
import { hasText, messageText, toolCallParts } from '../core/message.ts';
import type { Message, MessagePart } from '../core/message.ts';
import { shareLength, shortenText } from './shorten-text.ts';

/** A conversation and the message that tools are chosen for. */
export interface CurrentConversation {
  /** The conversation so far; may or may not hold the current user message. */
  readonly messages: readonly Message[];
  /** The current user message as it goes to the model. */
  readonly userMessage: Message;
  /** The same as the user sent it, before retrieved content or format instructions were added. */
  readonly originalUserMessage?: Message | undefined;
}

/** Which messages a decision model is shown. */
export interface ConversationWindowOptions {
  /** How many of the last messages, system messages not counted. Default 10. */
  readonly maxMessages?: number | undefined;
  /** Applied first, to every message but the current user message. Default: all pass. */
  readonly messageFilter?: ((message: Message) => boolean) | undefined;
}

/** The message that tools are chosen for: as the user sent it where that is known and has text. */
export function currentUserMessage(conversation: CurrentConversation): Message {
  const { originalUserMessage, userMessage } = conversation;
  return originalUserMessage !== undefined && hasText(originalUserMessage) ? originalUserMessage : userMessage;
}

/**
 * The system messages and the last `maxMessages` others, in their order, as stored, with the current user message as the user
 * sent it. The current one is always there: within a long tool-calling loop it would otherwise fall out of the window.
 */
export function conversationWindow(
  conversation: CurrentConversation,
  options?: ConversationWindowOptions,
): readonly Message[] {
  const maxMessages = options?.maxMessages ?? 10;
  const filter = options?.messageFilter ?? (() => true);
  const current = currentUserMessage(conversation);
  const position = positionOfCurrent(conversation);
  const kept: Message[] = [];
  conversation.messages.forEach((message, index) => {
    if (index === position) kept.push(current);
    else if (filter(message)) kept.push(message);
  });
  if (position < 0) kept.push(current);
  const counted = kept.filter((message) => !isSystem(message));
  const last = counted.slice(-maxMessages);
  if (!last.includes(current))
    last.splice(0, last.length, current, ...(maxMessages > 1 ? counted.slice(1 - maxMessages) : []));
  const chosen = new Set(last);
  return kept.filter((message) => isSystem(message) || chosen.has(message));
}

/**
 * The window as the JSON that goes to a decision model: `{ messages: [{ role, text?, toolCalls?, toolResults? }] }`, each message
 * cut to `maxMessageLength` characters. Parts that are not text are named, so that a message never has an empty text.
 */
export function conversationInput(window: readonly Message[], maxMessageLength = 4000): JsonObject {
  return { messages: window.map((message) => describeMessage(message, maxMessageLength)) };
}

function positionOfCurrent({ messages, userMessage, originalUserMessage }: CurrentConversation): number {
  const position = messages.findLastIndex((message) => message.role === 'user');
  const last = messages[position];
  if (last === undefined) return -1;
  if (last === userMessage || last === originalUserMessage) return position;
  // The same words once more after a finished answer ("yes", "yes") are a new message; after tool calls they are still the same turn.
  const isAnswered = messages
    .slice(position + 1)
    .some((message) => message.role === 'assistant' && toolCallParts(message).length === 0);
  if (isAnswered) return -1;
  const text = messageText(last);
  const same = text === messageText(userMessage);
  return same || (originalUserMessage !== undefined && text === messageText(originalUserMessage)) ? position : -1;
}

function isSystem(message: Message): boolean {
  return message.role === 'system' || message.role === 'developer';
}

interface Piece {
  readonly kind: 'text' | 'call' | 'result';
  readonly name: string;
  readonly text: string;
}

function describeMessage(message: Message, maxLength: number): JsonObject {
  const pieces = piecesOf(message);
  const shares = shareLength(
    pieces.map((piece) => piece.text.length),
    maxLength,
  );
  const cut = pieces.map((piece, index) => ({ ...piece, text: shortenText(piece.text, shares[index] ?? 0) }));
  const text = cut.find((piece) => piece.kind === 'text')?.text;
  const calls = cut
    .filter((piece) => piece.kind === 'call')
    .map((piece) => ({ tool: piece.name, arguments: piece.text }));
  const results = cut
    .filter((piece) => piece.kind === 'result')
    .map((piece) => ({ tool: piece.name, result: piece.text }));
  return {
    role: message.role,
    ...(text === undefined ? {} : { text }),
    ...(calls.length === 0 ? {} : { toolCalls: calls }),
    ...(results.length === 0 ? {} : { toolResults: results }),
  };
}

function piecesOf(message: Message): readonly Piece[] {
  if (typeof message.content === 'string') return [{ kind: 'text', name: '', text: orNothing(message.content) }];
  const texts: string[] = [];
  const attached = new Map<string, number>();
  const others: Piece[] = [];
  for (const part of message.content) {
    if (part.type === 'text') {
      if (typeof part.text === 'string' && part.text.trim() !== '') texts.push(part.text);
    } else if (part.type === 'tool-call') {
      others.push({ kind: 'call', name: part.toolName ?? '', text: asText(part.input) });
    } else if (part.type === 'tool-result') {
      others.push({ kind: 'result', name: part.toolName ?? '', text: orNothing(outputText(part.output)) });
    } else if (part.type !== 'reasoning') {
      const label = attachmentLabel(part);
      attached.set(label, (attached.get(label) ?? 0) + 1);
    }
  }
  for (const [label, count] of attached) texts.push(`[${count} ${label}]`);
  if (texts.length === 0 && others.length > 0) return others;
  return [{ kind: 'text', name: '', text: orNothing(texts.join('\n')) }, ...others];
}

/** `image, image/png`: the kind of a part and its media type where it says one. */
function attachmentLabel(part: MessagePart): string {
  const { mediaType, mimeType } = part as { mediaType?: unknown; mimeType?: unknown };
  const type = typeof mediaType === 'string' ? mediaType : mimeType;
  return shortenText(typeof type === 'string' ? `${part.type}, ${type}` : part.type, 80);
}

/** The text of a tool's result in the shapes of the AI SDK and of the Model Context Protocol; its JSON otherwise. */
function outputText(output: unknown): string {
  if (!isPlainObject(output)) return asText(output);
  const blocks = Array.isArray(output['content']) ? output['content'] : output['value'];
  if (Array.isArray(blocks) && (output['type'] === 'content' || output['type'] === undefined)) {
    return blocks.map((block: unknown) => blockText(block)).join('\n');
  }
  return 'value' in output && typeof output['type'] === 'string' ? asText(output['value']) : asText(output);
}

function blockText(block: unknown): string {
  if (!isPlainObject(block)) return asText(block);
  if (typeof block['text'] === 'string') return block['text'];
  return typeof block['type'] === 'string' ? `[1 ${attachmentLabel(block as never)}]` : asText(block);
}

function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined) return '';
  try {
    return (JSON.stringify(value) as string | undefined) ?? '';
  } catch {
    return '[not JSON]';
  }
}

function orNothing(text: string): string {
  return text.trim() === '' ? '[no text]' : text;
}
