import { isPlainObject } from '../core/json.ts';
import type { JsonObject, JsonValue } from '../core/json.ts';
import { omitKeys } from './own.ts';
import { mapSubschemas } from './subschemas.ts';
import type { Subschema } from './subschemas.ts';

type Note = (text: string) => void;

/** Keywords outside the subset of OpenAPI 3.0 that Gemini takes. */
const dropped = [
  '$schema', '$id', '$anchor', '$comment', '$defs', 'definitions', 'additionalProperties', 'unevaluatedProperties', 'patternProperties', 'propertyNames', 'not', 'if', 'then',
  'else', 'dependentRequired', 'dependentSchemas', 'dependencies', 'contains', 'minContains', 'maxContains', 'uniqueItems', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'examples',
]; // prettier-ignore
const byType: Readonly<Record<string, readonly string[]>> = {
  array: ['items', 'minItems', 'maxItems'],
  object: ['properties', 'required', 'minProperties', 'maxProperties'],
  string: ['pattern', 'minLength', 'maxLength', 'format'],
  number: ['minimum', 'maximum'],
  integer: ['minimum', 'maximum'],
};

/** The schema in Gemini's subset. What gets lost is still checked by validation, and values come back by adapting arguments. */
export function repairForGemini(schema: JsonObject, note: Note): JsonObject {
  return repair(schema, note) as JsonObject;
}

function repair(schema: Subschema, note: Note): Subschema {
  if (typeof schema === 'boolean') return schema;
  let current: Record<string, unknown> = schema;
  const superfluous = dropped.filter((keyword) => Object.hasOwn(current, keyword));
  if (superfluous.length > 0) {
    current = Object.fromEntries(Object.entries(current).filter(([keyword]) => !dropped.includes(keyword)));
    for (const keyword of superfluous) if (!keyword.startsWith('$')) note(`${keyword} is not shown`);
  }
  if (Array.isArray(current['oneOf'])) {
    const { oneOf, ...rest } = current;
    current = { ...rest, anyOf: Array.isArray(rest['anyOf']) ? [...rest['anyOf'], ...(oneOf as unknown[])] : oneOf };
  }
  current = mergeParts(current);
  current = splitTypes(current, note);
  current = textValues(current, note);
  if (current['default'] === null) {
    current = omitKeys(current, ['default']);
  }
  return mapSubschemas(current as JsonObject, (child) => repair(child, note));
}

function mergeParts(schema: Record<string, unknown>): Record<string, unknown> {
  const { allOf, ...rest } = schema;
  if (!Array.isArray(allOf)) return schema;
  let merged: Record<string, unknown> = rest;
  for (const part of allOf) {
    if (!isPlainObject(part)) continue;
    const properties = {
      ...(part['properties'] as object | undefined),
      ...(merged['properties'] as object | undefined),
    };
    const required = [
      ...new Set([
        ...((part['required'] as string[] | undefined) ?? []),
        ...((merged['required'] as string[] | undefined) ?? []),
      ]),
    ];
    merged = {
      ...part,
      ...merged,
      ...(Object.keys(properties).length > 0 ? { properties } : {}),
      ...(required.length > 0 ? { required } : {}),
    };
  }
  return merged;
}

function splitTypes(schema: Record<string, unknown>, note: Note): Record<string, unknown> {
  const types = schema['type'];
  if (!Array.isArray(types)) return schema;
  const kinds = types.filter((type) => type !== 'null') as string[];
  const nullable = kinds.length < types.length ? { nullable: true } : {};
  note('lists of types written as alternatives');
  if (kinds.length <= 1) return { ...schema, type: kinds[0] ?? 'string', ...nullable };
  const specific = new Set(Object.values(byType).flat());
  const shared = Object.fromEntries(
    Object.entries(schema).filter(([keyword]) => keyword !== 'type' && keyword !== 'enum' && !specific.has(keyword)),
  );
  const branches = kinds.map((type) => ({
    type,
    ...Object.fromEntries(
      (byType[type] ?? [])
        .filter((keyword) => Object.hasOwn(schema, keyword))
        .map((keyword) => [keyword, schema[keyword]]),
    ),
  }));
  return { ...shared, ...nullable, anyOf: branches };
}

function textValues(schema: Record<string, unknown>, note: Note): Record<string, unknown> {
  const { const: constant, enum: listed, ...rest } = schema;
  const values = Object.hasOwn(schema, 'const')
    ? [constant]
    : Array.isArray(listed)
      ? (listed as unknown[])
      : undefined;
  if (values === undefined) return schema;
  const present = values.filter((value) => value !== null) as JsonValue[];
  const nullable = present.length < values.length ? { nullable: true } : {};
  if (present.every((value) => typeof value === 'string'))
    return { ...rest, type: 'string', enum: present, ...nullable };
  if (present.every((value) => typeof value === 'number' || typeof value === 'boolean')) {
    note('enum values are shown as texts');
    return { ...rest, type: 'string', enum: present.map(String), ...nullable };
  }
  note('enum values are told in the description');
  const description = [rest['description'], `One of ${JSON.stringify(values)}.`]
    .filter((one) => typeof one === 'string')
    .join(' ');
  return { ...rest, ...nullable, description };
}
