import { readFileSync } from 'node:fs';
import { ToolgateError, errorMessage } from '../core/errors.ts';
import { isPlainObject } from '../core/json.ts';
import type { Message } from '../core/message.ts';

/** Reads a conversation from a file (see {@link parseMessages}). */
export function readMessages(file: string): Message[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new ToolgateError('dataset-invalid', `Cannot read the conversation ${file}: ${errorMessage(error)}`, {
      data: { file },
      cause: error,
    });
  }
  return parseMessages(text, file);
}

/**
 * A conversation from a text: a JSON array of messages, an object with `messages`, one message a line, or plain text,
 * which becomes one user message. Throws `dataset-invalid` when it looks like JSON and is not a conversation.
 */
export function parseMessages(text: string, file: string): Message[] {
  const trimmed = text.trim();
  if (trimmed === '') throw problem(file, 1, 'the conversation is empty');
  if (!trimmed.startsWith('[') && !trimmed.startsWith('{')) return [{ role: 'user', content: trimmed }];
  let value: unknown;
  try {
    value = JSON.parse(trimmed);
  } catch (error) {
    const lines = trimmed.split('\n').filter((line) => line.trim() !== '');
    if (lines.length < 2) throw problem(file, 1, `not JSON: ${errorMessage(error)}`);
    value = lines.map((line, index) => {
      try {
        return JSON.parse(line) as unknown;
      } catch (cause) {
        throw problem(file, index + 1, `not JSON: ${errorMessage(cause)}`);
      }
    });
  }
  const list: unknown = isPlainObject(value) ? ('messages' in value ? value['messages'] : [value]) : value;
  if (!Array.isArray(list) || list.length === 0)
    throw problem(file, 1, 'expected messages, each with a role and content');
  return list.map((entry: unknown, index) => {
    if (!isPlainObject(entry) || typeof entry['role'] !== 'string')
      throw problem(file, index + 1, 'a message needs a role');
    const { role, content } = entry;
    if (typeof content !== 'string' && !Array.isArray(content))
      throw problem(file, index + 1, 'a message needs content: a text or a list of parts');
    return { ...entry, role, content } as Message;
  });
}

function problem(file: string, line: number, what: string): ToolgateError {
  return new ToolgateError('dataset-invalid', `${file}, message or line ${line}: ${what}.`, { data: { file, line } });
}
