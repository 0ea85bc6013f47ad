/** Code units that are written as `\uXXXX`: everything that is not printable ASCII. */
const notAscii = /[^\x20-\x7e]/g;

type Step = { readonly write: string } | { readonly value: unknown; readonly indent: string };

/**
 * A value as indented JSON in printable ASCII and newlines only: the complete, unfolded form for a page of its own, a download
 * or an edit. Works at any depth. Getters are not called and cycles not followed; both, and what is not data, become null.
 */
export function asciiJson(value: unknown): string {
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
  return JSON.stringify(text).replaceAll(notAscii, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
