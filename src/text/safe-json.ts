import { hiddenCharacter } from './safe-characters.ts';

const hidden = new RegExp(hiddenCharacter.source, 'gu');

type Step = { readonly write: string } | { readonly value: unknown; readonly indent: string };

/**
 * A value as indented JSON in which every invisible or misleading character is written as `\uXXXX`: the complete, unfolded form
 * for a page of its own or an edit. Parsing it gives the value back. Works at any depth. Getters are not called and cycles not followed; both, and what is not data, become null.
 */
export function inertJson(value: unknown): string {
  let output = '';
  const open = new Set<object>();
  const closers: (Step & { readonly close?: object })[] = [{ value, indent: '' }];
  for (let step = closers.pop(); step !== undefined; step = closers.pop()) {
    if (step.close !== undefined) open.delete(step.close);
    if ('write' in step) {
      output += step.write;
      continue;
    }
    const current = step.value;
    if (typeof current !== 'object' || current === null || open.has(current)) {
      output += open.has(current as object) ? 'null' : scalar(current);
      continue;
    }
    const isList = Array.isArray(current);
    const keys = isList ? [...current.keys()].map(String) : Object.keys(current);
    if (keys.length === 0) {
      output += isList ? '[]' : '{}';
      continue;
    }
    open.add(current);
    output += isList ? '[' : '{';
    closers.push({ write: `\n${step.indent}${isList ? ']' : '}'}`, close: current });
    // The stack gives back last things first.
    for (let position = keys.length - 1; position >= 0; position -= 1) {
      const key = keys[position] ?? '';
      const descriptor = Object.getOwnPropertyDescriptor(current, key);
      closers.push({ value: descriptor?.value as unknown, indent: `${step.indent}  ` });
      const label = isList ? '' : `${quote(key)}: `;
      closers.push({ write: `${position === 0 ? '' : ','}\n${step.indent}  ${label}` });
    }
  }
  return output;
}

function scalar(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number' && Number.isFinite(value)) return JSON.stringify(value);
  return typeof value === 'boolean' ? String(value) : 'null';
}

function quote(text: string): string {
  return JSON.stringify(text).replaceAll(hidden, escapeUnits);
}

function escapeUnits(character: string): string {
  let escaped = '';
  for (let unit = 0; unit < character.length; unit += 1) {
    escaped += `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`;
  }
  return escaped;
}
