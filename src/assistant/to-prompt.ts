import { isPlainObject } from '../core/json.ts';
import type { Message, MessagePart } from '../core/message.ts';

/**
 * The conversation as it goes to the model. Arguments that are no object stand in the history as the model gave them, and the
 * result beside them says what is wrong with them; providers reject such a history, so they are sent empty.
 */
export function toPrompt(messages: readonly Message[]): readonly Message[] {
  return messages.map((message) => {
    const { content, role } = message;
    if (role !== 'assistant' || typeof content === 'string' || !content.some(isOdd)) return message;
    return { ...message, content: content.map((part) => (isOdd(part) ? { ...part, input: {} } : part)) };
  });
}

function isOdd(part: MessagePart): boolean {
  return part.type === 'tool-call' && !isPlainObject(part.input);
}
