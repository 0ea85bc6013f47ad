import { isPlainObject } from '../core/json.ts';
import type { JsonObject, JsonValue } from '../core/json.ts';
import { acceptsType, jsonTypeOf } from './accepts.ts';
import { setOwn } from './own.ts';
import { copyJson } from './read-arguments.ts';
import { resolveReference } from './pointer.ts';
import type { Subschema } from './subschemas.ts';

/**
 * Fills in the defaults of missing properties, in place, at every depth that the value reaches: in `properties`, behind
 * `$ref` and in every part of `allOf`, never in alternatives, since which one is meant is not known. A default that its
 * own schema refuses (often `null` beside `type: "string"`) is not filled in.
 */
export function applyDefaults(value: JsonValue, root: JsonObject): void {
  fill(value, root, root, { left: 100_000 });
}

function fill(value: unknown, schema: Subschema | undefined, root: JsonObject, budget: { left: number }): void {
  budget.left -= 1;
  if (typeof schema !== 'object' || budget.left < 0 || typeof value !== 'object' || value === null) return;
  if (typeof schema['$ref'] === 'string')
    fill(value, resolveReference(root, schema['$ref']) as Subschema, root, budget);
  if (Array.isArray(schema['allOf']))
    for (const part of schema['allOf'] as Subschema[]) fill(value, part, root, budget);
  if (Array.isArray(value)) {
    const items: unknown = schema['items'];
    if (isPlainObject(items)) for (const item of value) fill(item, items as JsonObject, root, budget);
    return;
  }
  const properties: unknown = schema['properties'];
  if (!isPlainObject(properties)) return;
  for (const key of Object.keys(properties)) {
    const property = properties[key] as Subschema;
    if (!Object.hasOwn(value, key)) {
      const fallback = defaultOf(property, root, 0);
      if (fallback === undefined || !acceptsType(root, property, jsonTypeOf(fallback))) continue;
      setOwn(value, key, copyJson(fallback));
    }
    fill((value as Record<string, unknown>)[key], property, root, budget);
  }
}

function defaultOf(schema: Subschema | undefined, root: JsonObject, depth: number): JsonValue | undefined {
  if (typeof schema !== 'object' || depth > 16) return undefined;
  if (Object.hasOwn(schema, 'default')) return schema['default'];
  return typeof schema['$ref'] === 'string'
    ? defaultOf(resolveReference(root, schema['$ref']) as Subschema, root, depth + 1)
    : undefined;
}
