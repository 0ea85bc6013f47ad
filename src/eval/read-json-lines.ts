import { createReadStream } from 'node:fs';
import { ToolgateError, errorMessage } from '../core/errors.ts';

/** One line of a file of JSON values. */
export interface JsonLine {
  readonly value: unknown;
  /** Counted from 1. */
  readonly line: number;
}

/** Longest line that is read, in characters. */
const MAX_LINE = 16 * 1024 * 1024;

/**
 * Reads a file with one JSON value per line (JSON Lines), as a stream. Only the line feed ends a line: the separators
 * U+2028 and U+2029 may stand inside a JSON string, and Node's `readline` would cut there. Blank lines are skipped, a byte
 * order mark is dropped. Throws `dataset-invalid` with file and line for bytes that are not UTF-8, text that is not JSON, and
 * lines over 16 Mi characters.
 */
export async function* readJsonLines(file: string): AsyncGenerator<JsonLine, void, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  let line = 0;
  try {
    for await (const chunk of createReadStream(file)) {
      rest += decode(decoder, chunk as Uint8Array, file, line + 1);
      let start = 0;
      for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n', start)) {
        line++;
        const text = rest.slice(start, end);
        start = end + 1;
        if (text.trim() !== '') yield { value: parse(text, file, line), line };
      }
      rest = rest.slice(start);
      if (rest.length > MAX_LINE) throw datasetError(file, line + 1, `The line is longer than ${MAX_LINE} characters.`);
    }
  } catch (error) {
    if (error instanceof ToolgateError) throw error;
    throw datasetError(file, line + 1, `The file cannot be read: ${errorMessage(error)}.`, error);
  }
  rest += decode(decoder, undefined, file, line + 1);
  if (rest.trim() !== '') yield { value: parse(rest, file, line + 1), line: line + 1 };
}

/** The error for data that cannot be used: says file and line, and carries them. */
export function datasetError(file: string, line: number, problem: string, cause?: unknown): ToolgateError {
  return new ToolgateError('dataset-invalid', `${file}, line ${line}: ${problem}`, { data: { file, line }, cause });
}

function decode(
  decoder: InstanceType<typeof TextDecoder>,
  bytes: Uint8Array | undefined,
  file: string,
  line: number,
): string {
  try {
    return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
  } catch (error) {
    throw datasetError(
      file,
      line,
      'At or after this line are bytes that are not UTF-8. Save the file as UTF-8.',
      error,
    );
  }
}

function parse(text: string, file: string, line: number): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw datasetError(file, line, `Not a JSON value: ${errorMessage(error)}. Write one JSON object per line.`, error);
  }
}
