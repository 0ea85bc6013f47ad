import { isPlainObject } from '../core/json.ts';
import type { JsonObject } from '../core/json.ts';
import { resolveReference } from './pointer.ts';
import { isSubschema } from './subschemas.ts';
import type { Subschema } from './subschemas.ts';

/** A JSON type; `integer` is a number without a fraction. */
export type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null';

/** The type of a JSON value. */
export function jsonTypeOf(value: unknown): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  if (typeof value === 'string' || typeof value === 'boolean') return typeof value as JsonType;
  return 'object';
}

/** Whether a schema lets some value of this type through, as far as types, constants and their combinations say. */
export function acceptsType(
  root: JsonObject,
  schema: Subschema,
  type: JsonType,
  budget: { left: number } = { left: 2_000 },
): boolean {
  if (typeof schema === 'boolean') return schema;
  budget.left -= 1;
  if (budget.left < 0) return true;
  const allowed: unknown = schema['type'];
  if (typeof allowed === 'string' && !isOfType(type, allowed)) return false;
  if (Array.isArray(allowed) && !allowed.some((one) => isOfType(type, one as string))) return false;
  if (
    Object.hasOwn(schema, 'const') &&
    !isOfType(jsonTypeOf(schema['const']), type) &&
    !isOfType(type, jsonTypeOf(schema['const']))
  )
    return false;
  if (
    Array.isArray(schema['enum']) &&
    !schema['enum'].some((one: unknown) => isOfType(jsonTypeOf(one), type) || isOfType(type, jsonTypeOf(one)))
  )
    return false;
  if (typeof schema['$ref'] === 'string') {
    const target = resolveReference(root, schema['$ref']);
    if (isSubschema(target) && !acceptsType(root, target, type, budget)) return false;
  }
  const some = (list: unknown): boolean =>
    !Array.isArray(list) || list.some((one) => isSubschema(one) && acceptsType(root, one, type, budget));
  if (!some(schema['anyOf']) || !some(schema['oneOf'])) return false;
  const all = schema['allOf'];
  return !Array.isArray(all) || all.every((one) => !isSubschema(one) || acceptsType(root, one, type, budget));
}

function isOfType(found: string, wanted: string): boolean {
  return found === wanted || (found === 'integer' && wanted === 'number');
}

/** The schemas that speak about the same value as `schema`: itself, what it refers to, and its alternatives and parts. */
export function schemasAt(root: JsonObject, schema: Subschema): readonly JsonObject[] {
  const found = new Set<JsonObject>();
  const visit = (one: unknown): void => {
    if (!isPlainObject(one) || found.has(one as JsonObject) || found.size >= 256) return;
    const current = one as JsonObject;
    found.add(current);
    if (typeof current['$ref'] === 'string') visit(resolveReference(root, current['$ref']));
    for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const) {
      const list: unknown = current[keyword];
      if (Array.isArray(list)) list.forEach(visit);
    }
    visit(current['then']);
    visit(current['else']);
  };
  visit(schema);
  return [...found];
}

/** The schemas for one member of an object, or one item of an array. */
export function childSchemas(
  root: JsonObject,
  schemas: readonly JsonObject[],
  key: string | number,
): readonly Subschema[] {
  const found: Subschema[] = [];
  for (const schema of schemas) {
    const child = typeof key === 'number' ? itemSchema(schema, key) : memberSchema(schema, key);
    if (child !== undefined) found.push(child);
  }
  return found;
}

function memberSchema(schema: JsonObject, key: string): Subschema | undefined {
  const properties: unknown = schema['properties'];
  if (isPlainObject(properties) && Object.hasOwn(properties, key)) return properties[key] as Subschema;
  const additional: unknown = schema['additionalProperties'];
  return isPlainObject(additional) ? (additional as JsonObject) : undefined;
}

function itemSchema(schema: JsonObject, index: number): Subschema | undefined {
  const prefix: unknown = Array.isArray(schema['prefixItems']) ? schema['prefixItems'] : schema['items'];
  if (Array.isArray(prefix)) {
    if (isSubschema(prefix[index])) return prefix[index];
    const rest: unknown = prefix === schema['items'] ? schema['additionalItems'] : schema['items'];
    return isPlainObject(rest) ? (rest as JsonObject) : undefined;
  }
  return isPlainObject(schema['items']) ? (schema['items'] as JsonObject) : undefined;
}
