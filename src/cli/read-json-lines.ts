import { readFileSync } from 'node:fs';
import { ToolgateError, errorMessage } from '../core/errors.ts';

/** One line of a file of JSON lines. */
export interface JsonLine {
  readonly value: unknown;
  /** Counted from 1. */
  readonly line: number;
  /** The error that says what is wrong with this line. */
  readonly wrong: (what: string) => ToolgateError;
}

/** The lines of a file that holds one JSON value a line; empty lines are left out. Throws `dataset-invalid` with file and line. */
export function readJsonLines(file: string): JsonLine[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new ToolgateError('dataset-invalid', `Cannot read ${file}: ${errorMessage(error)}`, {
      data: { file },
      cause: error,
    });
  }
  return text.split('\n').flatMap((content, index) => {
    if (content.trim() === '') return [];
    const line = index + 1;
    const wrong = (what: string): ToolgateError =>
      new ToolgateError('dataset-invalid', `${file}, line ${line}: ${what}.`, { data: { file, line } });
    try {
      return [{ value: JSON.parse(content) as unknown, line, wrong }];
    } catch (error) {
      throw wrong(`not JSON: ${errorMessage(error)}`);
    }
  });
}
