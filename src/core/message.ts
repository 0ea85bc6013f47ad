/**
 * One piece of a message. Open on purpose: `type` is any string and unknown fields are kept, so that the messages of
 * AI SDK 6 and 7 (and most other shapes) pass straight through without a cast.
 */
export interface MessagePart {
  readonly type: string;
  /** For `text` and `reasoning`. */
  readonly text?: string;
  /** For `tool-call`, `tool-result` and approvals: the provider's id of the call. May repeat, be empty or be missing. */
  readonly toolCallId?: string;
  /** For `tool-call` and `tool-result`. */
  readonly toolName?: string;
  /** For `tool-call`: the arguments as the model gave them, an object or a JSON text. */
  readonly input?: unknown;
  /** For `tool-result`. */
  readonly output?: unknown;
  /** True when the provider has run the call itself. Such a call is never run here. */
  readonly providerExecuted?: boolean | undefined;
}

/** A message of a conversation, in the shape of the AI SDK's `ModelMessage`. */
export interface Message {
  /** `system`, `developer`, `user`, `assistant` or `tool`; other roles are kept and treated as context. */
  readonly role: string;
  readonly content: string | readonly MessagePart[];
}

/** A tool call as it stands in a reply. */
export interface ToolCallPart extends MessagePart {
  readonly type: 'tool-call';
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
}

/** An assistant message as the model gave it. Never changed: pauses and results are kept beside it. */
export interface Reply {
  readonly role: 'assistant';
  /** The provider's id of the response, when there is one. */
  readonly id?: string;
  readonly content: string | readonly MessagePart[];
}

/** All text of a message, parts joined with a newline. Empty when it has none (only pictures, only calls). */
export function messageText(message: Message): string {
  if (typeof message.content === 'string') return message.content;
  const texts: string[] = [];
  for (const part of message.content) {
    if (part.type === 'text' && typeof part.text === 'string' && part.text.length > 0) texts.push(part.text);
  }
  return texts.join('\n');
}

/** True when the message has at least one character that is not white space. */
export function hasText(message: Message): boolean {
  return messageText(message).trim().length > 0;
}

/** The tool calls of a message in order. Calls that lack an id or a name are kept: a key never depends on them alone. */
export function toolCallParts(message: Message): readonly ToolCallPart[] {
  if (typeof message.content === 'string') return [];
  const calls: ToolCallPart[] = [];
  for (const part of message.content) {
    if (part.type !== 'tool-call') continue;
    const id = typeof part.toolCallId === 'string' ? part.toolCallId : '';
    const name = typeof part.toolName === 'string' ? part.toolName : '';
    const same = part.toolCallId === id && part.toolName === name && 'input' in part;
    calls.push(
      same ? (part as ToolCallPart) : { ...part, type: 'tool-call', toolCallId: id, toolName: name, input: part.input },
    );
  }
  return calls;
}
