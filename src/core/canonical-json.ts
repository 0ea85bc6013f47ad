import { ToolgateError } from './errors.ts';

const maximumDepth = 512;

/** How values that JSON does not know are treated. */
export interface CanonicalJsonOptions {
  /**
   * `strict` (default): an error. `lenient`: bytes, dates, URLs, big integers, maps and sets get a tagged form of their
   * own, functions and symbols are left out; for digests of messages, which may hold files.
   */
  readonly mode?: 'strict' | 'lenient';
}

/**
 * The canonical form of RFC 8785: keys sorted by UTF-16 code units, no white space, numbers as ECMAScript writes them.
 * Two values have the same text exactly when they are the same JSON value, whatever the order of their keys.
 * Unpaired surrogates are escaped (the RFC would refuse them). Throws `invalid-option` for values that are not JSON,
 * for cycles, and below {@link maximumDepth} levels.
 */
export function canonicalJson(value: unknown, options?: CanonicalJsonOptions): string {
  return write(value, options?.mode === 'lenient', 0, new Set());
}

function write(value: unknown, lenient: boolean, depth: number, open: Set<object>): string {
  if (value === null) return 'null';
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'number':
      if (Number.isFinite(value)) return JSON.stringify(value === 0 ? 0 : value);
      return lenient ? `{"$number":"${String(value)}"}` : refuse(`the number ${String(value)}`);
    case 'bigint':
      return lenient ? `{"$bigint":"${String(value)}"}` : refuse('a big integer');
    case 'object':
      return writeObject(value, lenient, depth, open);
    default:
      return lenient ? 'null' : refuse(value === undefined ? 'undefined' : `a ${typeof value}`);
  }
}

function writeObject(value: object, lenient: boolean, depth: number, open: Set<object>): string {
  if (depth >= maximumDepth) return refuse(`more than ${maximumDepth} levels`);
  if (open.has(value)) return lenient ? '{"$cycle":true}' : refuse('a reference to itself');
  if (lenient) {
    const special = writeSpecial(value, depth, open);
    if (special !== undefined) return special;
  } else if (typeof (value as { toJSON?: unknown }).toJSON === 'function') {
    return write((value as { toJSON(): unknown }).toJSON(), lenient, depth + 1, open);
  }
  open.add(value);
  let text: string;
  if (Array.isArray(value)) {
    const items: string[] = [];
    for (let index = 0; index < value.length; index += 1) {
      const item: unknown = value[index];
      items.push(item === undefined ? 'null' : write(item, lenient, depth + 1, open));
    }
    text = `[${items.join(',')}]`;
  } else {
    const members: string[] = [];
    for (const key of Object.keys(value).sort(byCodeUnits)) {
      const member: unknown = (value as Record<string, unknown>)[key];
      if (member === undefined || (lenient && (typeof member === 'function' || typeof member === 'symbol'))) continue;
      members.push(`${JSON.stringify(key)}:${write(member, lenient, depth + 1, open)}`);
    }
    text = `{${members.join(',')}}`;
  }
  open.delete(value);
  return text;
}

function writeSpecial(value: object, depth: number, open: Set<object>): string | undefined {
  if (value instanceof Date)
    return `{"$date":${JSON.stringify(Number.isNaN(value.getTime()) ? null : value.toISOString())}}`;
  if (value instanceof Map) return `{"$map":${write([...value.entries()], true, depth + 1, open)}}`;
  if (value instanceof Set) return `{"$set":${write([...value], true, depth + 1, open)}}`;
  if (ArrayBuffer.isView(value)) {
    return `{"$bytes":${write([...new Uint8Array(value.buffer, value.byteOffset, value.byteLength)], true, depth + 1, open)}}`;
  }
  if (value instanceof ArrayBuffer) return `{"$bytes":${write([...new Uint8Array(value)], true, depth + 1, open)}}`;
  const toJson = (value as { toJSON?: unknown }).toJSON;
  if (typeof toJson === 'function') return write((value as { toJSON(): unknown }).toJSON(), true, depth + 1, open);
  return undefined;
}

function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function refuse(what: string): never {
  throw new ToolgateError('invalid-option', `Only JSON values have a canonical form; found ${what}.`, {
    data: { option: 'value' },
  });
}
