import { isPlainObject } from '../core/json.ts';
import type { JsonObject, JsonValue } from '../core/json.ts';
import { acceptsType, childSchemas, jsonTypeOf, schemasAt } from './accepts.ts';
import { setOwn } from './own.ts';
import { copyJson } from './read-arguments.ts';
import type { Subschema } from './subschemas.ts';

/** Names of properties as a model was shown them, with the original names. */
export type KeyInverse = ReadonlyMap<string, string>;

/**
 * Brings arguments written for the shown schema back to the original one: shown property names become the original names,
 * and a text where the original schema takes no text becomes the JSON it holds, once, when the schema takes a value of that
 * kind (`"1"` for an integer, `"[\"a\"]"` for a list). Everything else stays as it is.
 */
export function adaptArguments(value: JsonValue, root: JsonObject, inverse: KeyInverse): JsonValue {
  return adapt(value, [root], { root, inverse, left: 200_000 }, false) as JsonValue;
}

interface Walk {
  readonly root: JsonObject;
  readonly inverse: KeyInverse;
  left: number;
}

function adapt(value: unknown, schemas: readonly Subschema[], walk: Walk, unpacked: boolean): unknown {
  walk.left -= 1;
  if (schemas.length === 0 || walk.left < 0) return value;
  if (typeof value === 'string') {
    const inside = unpacked ? undefined : unpack(value, schemas, walk.root);
    return inside === undefined ? value : adapt(inside, schemas, walk, true);
  }
  if (typeof value !== 'object' || value === null) return value;
  const applicable = [...new Set(schemas.flatMap((schema) => schemasAt(walk.root, schema)))].slice(0, 256);
  if (Array.isArray(value))
    return value.map((item: unknown, index) => adapt(item, childSchemas(walk.root, applicable, index), walk, unpacked));
  const result: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value as Record<string, unknown>)) {
    const name = originalKey(key, value, applicable, walk.inverse);
    setOwn(result, name, adapt(member, childSchemas(walk.root, applicable, name), walk, unpacked));
  }
  return result;
}

function originalKey(key: string, value: object, schemas: readonly JsonObject[], inverse: KeyInverse): string {
  const original = inverse.get(key);
  if (original === undefined || Object.hasOwn(value, original)) return key;
  const declares = (name: string): boolean =>
    schemas.some((schema) => isPlainObject(schema['properties']) && Object.hasOwn(schema['properties'], name));
  return declares(original) && !declares(key) ? original : key;
}

function unpack(text: string, schemas: readonly Subschema[], root: JsonObject): unknown {
  if (schemas.some((schema) => acceptsType(root, schema, 'string'))) return undefined;
  try {
    const inside = copyJson(JSON.parse(text));
    const type = jsonTypeOf(inside);
    return type !== 'string' && schemas.some((schema) => acceptsType(root, schema, type)) ? inside : undefined;
  } catch {
    return undefined;
  }
}
