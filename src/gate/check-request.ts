import { ToolgateError } from '../core/errors.ts';
import type { Message } from '../core/message.ts';
import type { ToolChoice, TurnRequest } from './types.ts';

/** Checks a turn's request before anything is remembered of it. Throws `invalid-option`, which names the place, and `aborted`. */
export function checkTurnRequest(request: TurnRequest): void {
  if (!Array.isArray(request?.messages)) throw wrong('messages', 'A turn needs messages: the conversation so far.');
  checkMessages(request.messages);
  const { conversation, userMessage, originalUserMessage, toolChoice } = request;
  if (conversation !== undefined && typeof conversation !== 'string')
    throw wrong('conversation', `A conversation's id must be a text, not ${typeof conversation}.`);
  if (userMessage !== undefined) checkMessage(userMessage, 'userMessage');
  if (originalUserMessage !== undefined) checkMessage(originalUserMessage, 'originalUserMessage');
  if (toolChoice !== undefined) checkChoice(toolChoice);
  if (request.signal?.aborted === true)
    throw new ToolgateError('aborted', 'The turn was given up by its caller.', { cause: request.signal.reason });
}

export function checkMessages(messages: readonly Message[]): void {
  // By index: a hole in the list is no message either.
  for (let index = 0; index < messages.length; index += 1) checkMessage(messages[index], `messages[${index}]`);
}

function checkMessage(message: unknown, place: string): void {
  const { role, content } = (typeof message === 'object' && message !== null ? message : {}) as Partial<Message>;
  if (typeof role !== 'string') throw wrong(place, `${place} must be a message: { role, content }.`);
  if (typeof content === 'string') return;
  if (!Array.isArray(content)) throw wrong(place, `${place}.content must be a text or a list of parts.`);
  const broken = content.findIndex(
    (part: unknown) =>
      typeof part !== 'object' || part === null || typeof (part as { type?: unknown }).type !== 'string',
  );
  if (broken >= 0) throw wrong(place, `${place}.content[${broken}] must be a part: an object with a type.`);
}

function checkChoice(choice: ToolChoice): void {
  if (choice === 'auto' || choice === 'none' || choice === 'required') return;
  if (typeof choice === 'object' && choice !== null && typeof choice.tool === 'string') return;
  throw wrong('toolChoice', "toolChoice must be 'auto', 'none', 'required' or { tool: name }.");
}

function wrong(option: string, message: string): ToolgateError {
  return new ToolgateError('invalid-option', message, { data: { option } });
}
