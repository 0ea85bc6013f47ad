import type { JsonValue } from '../core/json.ts';

/** A place in a text, both counted from 1; columns count UTF-16 code units. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** What was read, and where each value stands, by JSON Pointer. */
export interface PositionedJson {
  readonly value: JsonValue;
  readonly positions: ReadonlyMap<string, TextPosition>;
}

/** Not JSON: what was expected and where. */
export class JsonSyntaxError extends Error {
  readonly position: TextPosition;
  readonly path: string;

  constructor(message: string, position: TextPosition, path: string) {
    super(message);
    this.name = 'JsonSyntaxError';
    this.position = position;
    this.path = path;
  }
}

const maximumDepth = 200;

/**
 * Reads JSON and remembers where every value stands. Comments and a comma before a closing bracket are allowed, because
 * the configuration files of several clients have them. A key that stands twice in one object is an error: one of the two
 * would silently win. Throws {@link JsonSyntaxError}.
 */
export function parseJsonWithPositions(text: string): PositionedJson {
  const positions = new Map<string, TextPosition>();
  let offset = text.codePointAt(0) === 0xfeff ? 1 : 0;

  function positionAt(index: number): TextPosition {
    let line = 1;
    let lineStart = 0;
    for (let found = text.indexOf('\n'); found !== -1 && found < index; found = text.indexOf('\n', found + 1)) {
      line += 1;
      lineStart = found + 1;
    }
    return { line, column: index - lineStart + 1 };
  }

  function fail(message: string, path: string, index: number = offset): never {
    throw new JsonSyntaxError(message, positionAt(index), path);
  }

  function seen(): string {
    if (offset >= text.length) return 'the end of the file';
    return JSON.stringify(text.slice(offset, offset + 1));
  }

  function skip(path: string): void {
    for (;;) {
      const character = text[offset];
      if (character === ' ' || character === '\t' || character === '\n' || character === '\r') offset += 1;
      else if (character === '/' && text[offset + 1] === '/') {
        const end = text.indexOf('\n', offset);
        offset = end === -1 ? text.length : end;
      } else if (character === '/' && text[offset + 1] === '*') {
        const end = text.indexOf('*/', offset + 2);
        if (end === -1) fail('a comment that is never closed', path);
        offset = end + 2;
      } else return;
    }
  }

  function readString(path: string): string {
    const start = offset;
    offset += 1;
    for (;;) {
      const character = text[offset];
      if (character === undefined || character === '\n') fail('a text that is never closed: expected "', path, start);
      if (character === '\\') offset += 2;
      else {
        offset += 1;
        if (character === '"') break;
      }
    }
    try {
      return JSON.parse(text.slice(start, offset)) as string;
    } catch {
      return fail('a text with an escape that JSON does not know', path, start);
    }
  }

  function readValue(path: string, depth: number): JsonValue {
    if (depth > maximumDepth) fail(`more than ${maximumDepth} levels`, path);
    skip(path);
    positions.set(path, positionAt(offset));
    const character = text[offset];
    if (character === '{') return readObject(path, depth);
    if (character === '[') return readArray(path, depth);
    if (character === '"') return readString(path);
    const match = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/.exec(
      text.slice(offset, offset + 400),
    );
    if (match === null) return fail(`expected a value, found ${seen()}`, path);
    offset += match[0].length;
    return JSON.parse(match[0]) as JsonValue;
  }

  function readObject(path: string, depth: number): JsonValue {
    const entries = new Map<string, JsonValue>();
    offset += 1;
    for (;;) {
      skip(path);
      if (text[offset] === '}') break;
      if (text[offset] !== '"') fail(`expected a name in double quotes or }, found ${seen()}`, path);
      const start = offset;
      const key = readString(path);
      if (entries.has(key)) fail(`the name ${JSON.stringify(key)} stands twice in one object`, path, start);
      if (key === '__proto__') fail('the name "__proto__" cannot be used', path, start);
      skip(path);
      if (text[offset] !== ':') fail(`expected : after ${JSON.stringify(key)}, found ${seen()}`, path);
      offset += 1;
      entries.set(key, readValue(`${path}/${escapePointer(key)}`, depth + 1));
      skip(path);
      if (text[offset] === ',') offset += 1;
      else if (text[offset] !== '}') fail(`expected , or }, found ${seen()}`, path);
    }
    offset += 1;
    return Object.fromEntries(entries);
  }

  function readArray(path: string, depth: number): JsonValue {
    const items: JsonValue[] = [];
    offset += 1;
    for (;;) {
      skip(path);
      if (text[offset] === ']') break;
      items.push(readValue(`${path}/${items.length}`, depth + 1));
      skip(path);
      if (text[offset] === ',') offset += 1;
      else if (text[offset] !== ']') fail(`expected , or ], found ${seen()}`, path);
    }
    offset += 1;
    return items;
  }

  const value = readValue('', 0);
  skip('');
  if (offset < text.length) fail(`expected the end of the file, found ${seen()}`, '');
  return { value, positions };
}

/** A key as a part of a JSON Pointer (RFC 6901). */
export function escapePointer(key: string | number): string {
  return String(key).replaceAll('~', '~0').replaceAll('/', '~1');
}
