import { ToolgateError } from '../core/errors.ts';
import type { Message, MessagePart } from '../core/message.ts';
import type { AssistantOptions } from './types.ts';

/** Throws `invalid-option`, which names the option. */
export function checkAssistantOptions(options: AssistantOptions): void {
  const { model, gate, memory, maxRounds, maxRetries, system } = (options ?? {}) as Partial<AssistantOptions>;
  if (typeof model === 'string' ? model === '' : typeof model !== 'object' || model === null)
    throw wrong('model', 'model must be a language model of the AI SDK, or the id of one.');
  if (typeof gate?.turn !== 'function') throw wrong('gate', 'gate must be what createToolGate gives.');
  if (memory !== undefined && (typeof memory?.load !== 'function' || typeof memory.append !== 'function'))
    throw wrong('memory', 'memory must have load and append.');
  if (maxRounds !== undefined && (!Number.isInteger(maxRounds) || maxRounds < 1 || maxRounds > 1000))
    throw wrong('maxRounds', `maxRounds must be a whole number from 1 to 1,000, not ${String(maxRounds)}.`);
  if (maxRetries !== undefined && (!Number.isInteger(maxRetries) || maxRetries < 0))
    throw wrong('maxRetries', `maxRetries must be a whole number of at least 0, not ${String(maxRetries)}.`);
  if (system !== undefined && typeof system !== 'string') throw wrong('system', 'system must be a text.');
}

/** What the user says, as a message. Anything but a user's message would leave the conversation in an order no model takes. */
export function userMessageOf(message: string | Message): Message {
  if (typeof message === 'string') return { role: 'user', content: message };
  const { role, content } = (message ?? {}) as Partial<Message>;
  if (role !== 'user')
    throw wrong('message', "A message to send must be a text or { role: 'user', content }; nothing was sent.");
  if (typeof content !== 'string' && !(Array.isArray(content) && content.every(isPart)))
    throw wrong('message', 'The content of a message must be a text or a list of parts; nothing was sent.');
  return message;
}

function isPart(part: MessagePart | null): boolean {
  return typeof part === 'object' && part !== null && typeof part.type === 'string';
}

export function wrong(option: string, message: string): ToolgateError {
  return new ToolgateError('invalid-option', message, { data: { option } });
}
