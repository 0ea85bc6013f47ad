import { isPlainObject } from '../core/json.ts';
import type { JsonObject } from '../core/json.ts';
import { jsonTypeOf } from './accepts.ts';
import { omitKeys } from './own.ts';
import { mapSubschemas } from './subschemas.ts';
import type { Subschema } from './subschemas.ts';

type Note = (text: string) => void;

/** Schemas whose keywords say what type they mean. */
const typeByKeyword: readonly (readonly [type: string, keywords: readonly string[]])[] = [
  [
    'object',
    [
      'properties',
      'required',
      'additionalProperties',
      'patternProperties',
      'propertyNames',
      'minProperties',
      'maxProperties',
    ],
  ],
  ['array', ['items', 'prefixItems', 'contains', 'minItems', 'maxItems', 'uniqueItems']],
  ['string', ['pattern', 'minLength', 'maxLength', 'format']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
];

/** Fills in, at every depth, what strict providers demand: a type, and items of arrays that are one schema. */
export function repairNodes(schema: JsonObject, note: Note): JsonObject {
  return repairNode(schema, note) as JsonObject;
}

function repairNode(schema: Subschema, note: Note): Subschema {
  if (typeof schema === 'boolean') return schema;
  let current = schema;
  const inferred = inferType(current);
  if (inferred !== undefined) {
    current = { ...current, type: inferred };
    note('missing types filled in');
  }
  current = repairItems(current, note);
  return mapSubschemas(current, (child, place) => {
    if (typeof child === 'object') return repairNode(child, note);
    const keyword = place[0];
    if (
      keyword === 'additionalProperties' ||
      keyword === 'unevaluatedProperties' ||
      keyword === 'additionalItems' ||
      keyword === 'unevaluatedItems'
    )
      return child;
    note('schemas that are only true or false written out');
    if (child) return {};
    return keyword === 'properties' ? undefined : { not: {} };
  });
}

function inferType(schema: JsonObject): string | undefined {
  const settled = ['type', '$ref', 'anyOf', 'oneOf', 'allOf', 'not'];
  if (settled.some((keyword) => Object.hasOwn(schema, keyword))) return undefined;
  const values: unknown = Object.hasOwn(schema, 'const') ? [schema['const']] : schema['enum'];
  if (Array.isArray(values)) {
    const types = new Set<string>(values.map(jsonTypeOf));
    if (types.size === 2 && types.has('integer') && types.has('number')) return 'number';
    return types.size === 1 ? [...types][0] : undefined;
  }
  return typeByKeyword.find(([, keywords]) => keywords.some((keyword) => Object.hasOwn(schema, keyword)))?.[0];
}

function repairItems(schema: JsonObject, note: Note): JsonObject {
  const type: unknown = schema['type'];
  const isArray = type === 'array' || (Array.isArray(type) && type.includes('array'));
  const tuple: unknown = Array.isArray(schema['prefixItems']) ? schema['prefixItems'] : schema['items'];
  if (Array.isArray(tuple)) {
    const rest = omitKeys(schema, ['prefixItems', 'items', 'additionalItems']);
    const after: unknown = tuple === schema['items'] ? schema['additionalItems'] : schema['items'];
    const kinds = [...(tuple as Subschema[]), ...(isPlainObject(after) ? [after as JsonObject] : [])].map((one) =>
      one === true ? {} : one === false ? { not: {} } : one,
    );
    note('positions of a list merged into one schema of items');
    const limits = after === false && !Object.hasOwn(rest, 'maxItems') ? { maxItems: tuple.length } : {};
    return {
      ...rest,
      ...limits,
      items: kinds.length === 0 ? {} : kinds.length === 1 ? (kinds[0] as JsonObject) : { anyOf: kinds },
    };
  }
  if (!isArray || Object.hasOwn(schema, 'items')) return schema;
  note('missing items of arrays filled in');
  return { ...schema, items: {} };
}
