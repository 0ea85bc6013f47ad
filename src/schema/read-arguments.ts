import type { JsonValue } from '../core/json.ts';
import type { ArgumentIssue } from '../core/tool.ts';
import { setOwn } from './own.ts';
import { appendPointer } from './pointer.ts';

/** Bounds on what a model may send as arguments. */
export const argumentLimits = {
  /** Characters of the JSON text, or of all keys and strings of an object. */
  characters: 1_048_576,
  /** Levels of objects and arrays. */
  depth: 100,
  /** Values of any kind. */
  nodes: 50_000,
} as const;

export type ReadArguments =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly issues: readonly ArgumentIssue[] };

/**
 * Arguments as a model or framework gave them, as plain JSON of our own: a JSON text is read, nothing at all (missing, null,
 * blank text) is `{}`, an object is copied. Never throws; what cannot be read says why. A key `__proto__` is refused, since
 * tools that copy objects carelessly would take it for the prototype.
 */
export function readArguments(input: unknown): ReadArguments {
  if (input === undefined || input === null) return { ok: true, value: {} };
  try {
    if (typeof input !== 'string') return { ok: true, value: copyJson(input) };
    if (input.length > argumentLimits.characters) throw tooLarge(input.length);
    if (input.trim() === '') return { ok: true, value: {} };
    const value: unknown = parseText(input);
    return { ok: true, value: value === null ? {} : copyJson(value) };
  } catch (error) {
    if (error instanceof ArgumentFault) return { ok: false, issues: [{ path: error.path, message: error.message }] };
    return { ok: false, issues: [{ path: '', message: 'The arguments cannot be read as JSON.' }] };
  }
}

/** A copy of a JSON value that shares nothing with it. Throws {@link ArgumentFault}. */
export function copyJson(value: unknown): JsonValue {
  return copy(value, '', 0, { nodes: 0, characters: 0, open: new Set() }) as JsonValue;
}

/** Why arguments cannot be read, and where. */
export class ArgumentFault extends Error {
  readonly path: string;

  constructor(path: string, message: string) {
    super(message);
    this.name = 'ArgumentFault';
    this.path = path;
  }
}

interface Budget {
  nodes: number;
  characters: number;
  readonly open: Set<object>;
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 200) : 'unreadable';
    throw new ArgumentFault('', `The arguments are not valid JSON (${reason}). Send one JSON object.`);
  }
}

function copy(value: unknown, path: string, depth: number, budget: Budget): unknown {
  budget.nodes += 1;
  if (budget.nodes > argumentLimits.nodes)
    throw new ArgumentFault('', `The arguments hold more than ${argumentLimits.nodes} values. Send less.`);
  switch (typeof value) {
    case 'string':
      count(budget, value.length);
      return value;
    case 'boolean':
      return value;
    case 'number':
      // Minus zero is zero: JSON texts and canonical forms do not tell them apart.
      if (Number.isFinite(value)) return value === 0 ? 0 : value;
      throw new ArgumentFault(path, `JSON has no ${String(value)}. Send a finite number.`);
    case 'object':
      return value === null ? null : copyObject(value, path, depth, budget);
    default:
      throw new ArgumentFault(
        path,
        `Expected a JSON value, got ${value === undefined ? 'undefined' : `a ${typeof value}`}.`,
      );
  }
}

function copyObject(value: object, path: string, depth: number, budget: Budget): unknown {
  if (depth >= argumentLimits.depth)
    throw new ArgumentFault('', `The arguments are nested more than ${argumentLimits.depth} levels deep.`);
  if (budget.open.has(value)) throw new ArgumentFault(path, 'The arguments refer to themselves.');
  const toJson = (value as { toJSON?: unknown }).toJSON;
  if (typeof toJson === 'function') return copy((value as { toJSON(): unknown }).toJSON(), path, depth + 1, budget);
  budget.open.add(value);
  let result: unknown;
  if (Array.isArray(value)) {
    result = value.map((item: unknown, index) =>
      item === undefined ? null : copy(item, appendPointer(path, index), depth + 1, budget),
    );
  } else {
    result = {};
    for (const [key, member] of Object.entries(value) as [string, unknown][]) {
      if (member === undefined) continue;
      count(budget, key.length);
      if (key === '__proto__') throw new ArgumentFault(appendPointer(path, key), 'The key "__proto__" is not allowed.');
      setOwn(result as object, key, copy(member, appendPointer(path, key), depth + 1, budget));
    }
  }
  budget.open.delete(value);
  return result;
}

function count(budget: Budget, characters: number): void {
  budget.characters += characters;
  if (budget.characters > argumentLimits.characters) throw tooLarge(budget.characters);
}

function tooLarge(found: number): ArgumentFault {
  return new ArgumentFault(
    '',
    `The arguments have ${found} characters; at most ${argumentLimits.characters} are allowed. Send less, or pass a reference.`,
  );
}
