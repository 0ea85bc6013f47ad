import { isPlainObject } from '../../core/json.ts';

/**
 * `src/eval/cases` turns recorded conversations into cases that a person labels. Readers are total functions over parsed JSON,
 * the terminal stands in one thin file; it imports core, the index and the types of `src/eval`.
 */

/** One step of a recorded conversation: a text, or calls of tools, or both. */
export interface RecordedTurn {
  readonly role: 'user' | 'assistant';
  /** Empty when the turn only calls tools. */
  readonly text: string;
  /** Names of the tools called, as recorded, in order. */
  readonly calls: readonly string[];
}

/** A conversation, whatever framework recorded it. Instructions and results are left out: cases do not need them. */
export interface RecordedConversation {
  readonly turns: readonly RecordedTurn[];
}

/** Reads one recorded message; undefined: not of this form; null: of this form, and nothing that a case needs. */
export type TurnReader = (message: Readonly<Record<string, unknown>>) => RecordedTurn | null | undefined;

/** All text of a message's content: a text, or a list of parts with texts. Everything else is left out. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content.trim();
  if (!Array.isArray(content)) return '';
  const texts: string[] = [];
  for (const part of content as readonly unknown[]) {
    if (typeof part === 'string') texts.push(part);
    else if (isPlainObject(part) && typeof part['text'] === 'string' && isTextType(part['type']))
      texts.push(part['text']);
  }
  return texts.join('\n').trim();
}

/** The parts of a content that are objects. */
export function contentParts(content: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(content) ? content.filter((part) => isPlainObject(part)) : [];
}

/** The texts among the values. */
export function textsOf(values: readonly unknown[]): readonly string[] {
  return values.filter((value) => typeof value === 'string');
}

function isTextType(type: unknown): boolean {
  return type === undefined || type === 'text' || type === 'input_text' || type === 'output_text';
}
