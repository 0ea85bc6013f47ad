import { isPlainObject } from '../core/json.ts';
import type { SelectionLabel } from '../select/selection-labels.ts';
import { readJsonLines } from './read-json-lines.ts';
import type { JsonLine } from './read-json-lines.ts';

/** What one user message needed: every tool that was asked about, and whether it was called. */
export type LabelledMessage = readonly SelectionLabel[];

/**
 * Reads labels as a gate's `onLabels` gives them, one JSON object a line: `{ id, labels }`. Lines of one id belong to one user message:
 * a tool called in any of them was called. Throws `dataset-invalid` with file and line.
 */
export function readLabels(files: readonly string[]): LabelledMessage[] {
  const messages = new Map<string, Map<string, SelectionLabel>>();
  for (const file of files) {
    for (const line of readJsonLines(file)) {
      const { id, labels } = parse(line);
      const message = messages.get(id) ?? new Map<string, SelectionLabel>();
      messages.set(id, message);
      for (const label of labels) {
        const before = message.get(label.name);
        message.set(label.name, before === undefined ? label : { ...label, called: label.called || before.called });
      }
    }
  }
  return [...messages.values()].map((message) => [...message.values()]);
}

function parse({ value, wrong }: JsonLine): { id: string; labels: SelectionLabel[] } {
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
