import { isPlainObject } from '../core/json.ts';
import type { JsonObject } from '../core/json.ts';
import type { JsonSchema } from '../core/tool.ts';
import { cutReferences } from './cut-references.ts';
import { isKeywordUsable } from './keywords.ts';
import { setOwn } from './own.ts';
import { appendPointer } from './pointer.ts';
import { judgePattern } from './safe-pattern.ts';
import { isSubschema, mapSubschemas, placePointer } from './subschemas.ts';
import type { Subschema } from './subschemas.ts';

/** Bounds on a tool's schema. */
export const schemaLimits = {
  /** Levels of objects and arrays. */
  depth: 64,
  /** Values of any kind. */
  nodes: 20_000,
  /** Characters of all keys and strings. */
  characters: 524_288,
} as const;

/** A schema that can be used, perhaps after parts that cannot were taken out, each with a note; or why it cannot. */
export type CheckedSchema =
  | { readonly ok: true; readonly schema: JsonSchema; readonly notes: readonly string[] }
  | { readonly ok: false; readonly path: string; readonly message: string };

/**
 * Checks a schema of a tool's arguments when the tool is registered. Never throws, never fetches anything, never changes its
 * input, and gives the same object back when there is nothing to mend. Refused: what is not a schema of an object, and
 * what is larger than {@link schemaLimits}. Taken out with a note: what JSON cannot carry, malformed keywords, references
 * that lead out of the document or nowhere, and references that only lead back to themselves. Patterns that cannot be
 * matched in bounded time stay visible and are noted: validation leaves them out.
 */
export function checkSchema(schema: unknown): CheckedSchema {
  if (!isPlainObject(schema))
    return { ok: false, path: '', message: `The input schema must be a JSON Schema object, got ${kindOf(schema)}.` };
  const type: unknown = schema['type'];
  const takesObjects = type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'));
  if (!takesObjects) {
    return {
      ok: false,
      path: '/type',
      message: `The input schema must describe an object, but its type is ${JSON.stringify(type) ?? kindOf(type)}.`,
    };
  }
  const notes: string[] = [];
  try {
    const json = toJson(schema, '', 0, { nodes: 0, characters: 0, open: new Set(), notes }) as JsonObject;
    const usable = cleanKeywords(json, '', notes) as JsonObject;
    const checked = cutReferences(usable, notes);
    return { ok: true, schema: checked, notes };
  } catch (error) {
    if (error instanceof SchemaFault) return { ok: false, path: error.path, message: error.message };
    return { ok: false, path: '', message: 'The input schema cannot be read.' };
  }
}

class SchemaFault extends Error {
  readonly path: string;

  constructor(path: string, message: string) {
    super(message);
    this.name = 'SchemaFault';
    this.path = path;
  }
}

interface Walk {
  nodes: number;
  characters: number;
  readonly open: Set<object>;
  readonly notes: string[];
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : value === undefined ? 'nothing' : `a ${typeof value}`;
}

/** The value with what JSON cannot carry left out; the same object when there is nothing of that kind. */
function toJson(value: unknown, path: string, depth: number, walk: Walk): unknown {
  walk.nodes += 1;
  if (walk.nodes > schemaLimits.nodes)
    throw new SchemaFault('', `The input schema has more than ${schemaLimits.nodes} values.`);
  if (typeof value === 'string') walk.characters += value.length;
  if (walk.characters > schemaLimits.characters)
    throw new SchemaFault('', `The input schema has more than ${schemaLimits.characters} characters.`);
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (!isPlainObject(value) && !Array.isArray(value)) return undefined;
  if (depth >= schemaLimits.depth)
    throw new SchemaFault('', `The input schema is nested more than ${schemaLimits.depth} levels deep.`);
  if (walk.open.has(value)) {
    walk.notes.push(
      `${path || '/'}: the schema contains itself as an object; replaced by a schema that accepts anything`,
    );
    return {};
  }
  walk.open.add(value);
  const result = Array.isArray(value) ? listToJson(value, path, depth, walk) : mapToJson(value, path, depth, walk);
  walk.open.delete(value);
  return result;
}

function listToJson(list: readonly unknown[], path: string, depth: number, walk: Walk): readonly unknown[] {
  const next = list.map((item, index) => toJson(item, appendPointer(path, index), depth + 1, walk));
  if (next.every((item, index) => item === list[index] && item !== undefined)) return list;
  return next.filter((item) => item !== undefined);
}

function mapToJson(map: Record<string, unknown>, path: string, depth: number, walk: Walk): Record<string, unknown> {
  let changed = false;
  const next: Record<string, unknown> = {};
  for (const key of Object.keys(map)) {
    walk.characters += key.length;
    const member = map[key];
    const json = toJson(member, appendPointer(path, key), depth + 1, walk);
    if (json === undefined) {
      changed = true;
      if (member !== undefined) walk.notes.push(`${appendPointer(path, key)}: not a JSON value; left out`);
      continue;
    }
    changed ||= json !== member;
    setOwn(next, key, json);
  }
  return changed ? next : map;
}

function cleanKeywords(schema: Subschema, path: string, notes: string[]): Subschema {
  if (typeof schema === 'boolean') return schema;
  let usable: Record<string, unknown> | undefined;
  for (const keyword of Object.keys(schema)) {
    if (isKeywordUsable(keyword, schema[keyword])) continue;
    usable ??= { ...schema };
    const kept = keepUsablePart(keyword, schema[keyword]);
    if (kept === undefined) delete usable[keyword];
    else usable[keyword] = kept;
    notes.push(
      `${appendPointer(path, keyword)}: malformed; ${kept === undefined ? 'left out' : 'only the usable part is kept'}`,
    );
  }
  const current = (usable ?? schema) as JsonObject;
  notePatterns(current, path, notes);
  return mapSubschemas(current, (child, place) => cleanKeywords(child, placePointer(path, place), notes));
}

/** Of a malformed map or list of schemas, what is well-formed: one bad property must not hide the others. */
function keepUsablePart(keyword: string, value: unknown): unknown {
  if (keyword === 'required' && Array.isArray(value)) return value.filter((one) => typeof one === 'string');
  const mapKeywords = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
  if (!mapKeywords.includes(keyword) || !isPlainObject(value)) return undefined;
  const kept: Record<string, unknown> = {};
  for (const key of Object.keys(value)) setOwn(kept, key, isSubschema(value[key]) ? value[key] : {});
  return kept;
}

function notePatterns(schema: JsonObject, path: string, notes: string[]): void {
  const patterns = isPlainObject(schema['patternProperties']) ? Object.keys(schema['patternProperties']) : [];
  if (typeof schema['pattern'] === 'string') patterns.push(schema['pattern']);
  for (const pattern of patterns) {
    const judged = judgePattern(pattern);
    if (!judged.safe)
      notes.push(
        `${path || '/'}: the pattern ${JSON.stringify(pattern.slice(0, 80))} is not enforced, because ${judged.reason}`,
      );
  }
}
