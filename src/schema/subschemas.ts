import { isPlainObject } from '../core/json.ts';
import type { JsonObject } from '../core/json.ts';
import { setOwn } from './own.ts';
import { appendPointer } from './pointer.ts';

/** A schema inside a schema. */
export type Subschema = JsonObject | boolean;

/** Where in its parent a schema stands: the keyword, and the key or index under it. */
export type Place = readonly [keyword: string] | readonly [keyword: string, key: string | number];

const singles = new Set([
  'additionalItems', 'unevaluatedItems', 'contains', 'additionalProperties', 'unevaluatedProperties', 'propertyNames', 'not', 'if', 'then', 'else', 'contentSchema',
]); // prettier-ignore
const lists = new Set(['prefixItems', 'allOf', 'anyOf', 'oneOf']);
const maps = new Set(['$defs', 'definitions', 'properties', 'patternProperties', 'dependentSchemas', 'dependencies']);

/** True for what JSON Schema takes as a schema. */
export function isSubschema(value: unknown): value is Subschema {
  return typeof value === 'boolean' || isPlainObject(value);
}

/** Calls `visit` for every schema that stands directly inside `schema`, in order. */
export function forEachSubschema(schema: JsonObject, visit: (child: Subschema, place: Place) => void): void {
  for (const keyword of Object.keys(schema)) {
    const value: unknown = schema[keyword];
    if ((singles.has(keyword) || keyword === 'items') && isSubschema(value)) {
      visit(value, [keyword]);
    } else if ((lists.has(keyword) || keyword === 'items') && Array.isArray(value)) {
      value.forEach((child: unknown, index) => {
        if (isSubschema(child)) visit(child, [keyword, index]);
      });
    } else if (maps.has(keyword) && isPlainObject(value)) {
      for (const key of Object.keys(value)) {
        const child = value[key];
        if (isSubschema(child)) visit(child, [keyword, key]);
      }
    }
  }
}

/**
 * A schema with every schema directly inside it replaced by what `change` gives (undefined: left out). The same object
 * when nothing changed.
 */
export function mapSubschemas(
  schema: JsonObject,
  change: (child: Subschema, place: Place) => Subschema | undefined,
): JsonObject {
  let result: Record<string, unknown> | undefined;
  for (const keyword of Object.keys(schema)) {
    const value: unknown = schema[keyword];
    let next: unknown = value;
    if ((singles.has(keyword) || keyword === 'items') && isSubschema(value)) {
      next = change(value, [keyword]);
    } else if ((lists.has(keyword) || keyword === 'items') && Array.isArray(value)) {
      next = mapList(value, (child, index) => change(child, [keyword, index]));
    } else if (maps.has(keyword) && isPlainObject(value)) {
      next = mapMap(value, (child, key) => change(child, [keyword, key]));
    }
    if (next === value) continue;
    result ??= { ...schema };
    if (next === undefined) delete result[keyword];
    else result[keyword] = next;
  }
  return (result ?? schema) as JsonObject;
}

function mapList(
  list: readonly unknown[],
  change: (child: Subschema, index: number) => Subschema | undefined,
): readonly unknown[] {
  let changed = false;
  const next: unknown[] = [];
  list.forEach((child, index) => {
    const replaced = isSubschema(child) ? change(child, index) : child;
    changed ||= replaced !== child;
    if (replaced !== undefined) next.push(replaced);
  });
  return changed ? next : list;
}

function mapMap(
  map: Record<string, unknown>,
  change: (child: Subschema, key: string) => Subschema | undefined,
): Record<string, unknown> {
  let changed = false;
  const next: Record<string, unknown> = {};
  for (const key of Object.keys(map)) {
    const child = map[key];
    const replaced = isSubschema(child) ? change(child, key) : child;
    changed ||= replaced !== child;
    if (replaced !== undefined) setOwn(next, key, replaced);
  }
  return changed ? next : map;
}

/** The JSON Pointer of a place inside a schema at `path`. */
export function placePointer(path: string, place: Place): string {
  const withKeyword = appendPointer(path, place[0]);
  return place.length === 1 ? withKeyword : appendPointer(withKeyword, place[1]);
}
