import { readFileSync } from 'node:fs';
import { ToolgateError, errorMessage } from '../core/errors.ts';
import { isPlainObject } from '../core/json.ts';
import type { SelectionLabel } from '../select/selection-labels.ts';

/** What one user message needed: every tool that was asked about, and whether it was called. */
export type LabelledMessage = readonly SelectionLabel[];

/**
 * Reads labels as a gate's `onLabels` gives them, one JSON object a line: `{ id, labels }`. Lines of one id belong to one user message:
 * a tool called in any of them was called. Throws `dataset-invalid` with file and line.
 */
export function readLabels(files: readonly string[]): LabelledMessage[] {
  const messages = new Map<string, Map<string, SelectionLabel>>();
  for (const file of files) {
    let text: string;
    try {
      text = readFileSync(file, 'utf8');
    } catch (error) {
      throw new ToolgateError('dataset-invalid', `Cannot read ${file}: ${errorMessage(error)}`, {
        data: { file },
        cause: error,
      });
    }
    text.split('\n').forEach((line, index) => {
      if (line.trim() === '') return;
      const { id, labels } = parse(line, file, index + 1);
      const message = messages.get(id) ?? new Map<string, SelectionLabel>();
      messages.set(id, message);
      for (const label of labels) {
        const before = message.get(label.name);
        message.set(label.name, before === undefined ? label : { ...label, called: label.called || before.called });
      }
    });
  }
  return [...messages.values()].map((message) => [...message.values()]);
}

function parse(text: string, file: string, line: number): { id: string; labels: SelectionLabel[] } {
  const wrong = (what: string): ToolgateError =>
    new ToolgateError('dataset-invalid', `${file}, line ${line}: ${what}.`, { data: { file, line } });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw wrong(`not JSON: ${errorMessage(error)}`);
  }
  if (!isPlainObject(value) || typeof value['id'] !== 'string' || !Array.isArray(value['labels']))
    throw wrong('expected { "id": …, "labels": [ … ] }');
  const labels = value['labels'].map((entry: unknown): SelectionLabel => {
    if (!isPlainObject(entry)) throw wrong('a label is an object');
    const { name, probability, selected, called, tokens } = entry;
    if (typeof name !== 'string' || typeof probability !== 'number' || !(probability >= 0 && probability <= 1))
      throw wrong('a label needs a name and a probability from 0 to 1');
    return {
      name,
      probability,
      selected: selected === true,
      called: called === true,
      tokens: typeof tokens === 'number' ? tokens : 0,
    };
  });
  return { id: value['id'], labels };
}
