import { canonicalJson } from '../core/canonical-json.ts';
import { isPlainObject } from '../core/json.ts';
import type { JsonObject, JsonValue } from '../core/json.ts';
import { getOwn, omitKeys, setOwn } from './own.ts';
import { resolveReference } from './pointer.ts';
import type { Subschema } from './subschemas.ts';

type Note = (text: string) => void;

/** What a provider does not take at the root of a tool's schema. */
const combinators = [
  '$ref',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'enum',
  'const',
  'dependentSchemas',
  'dependencies',
] as const;

/**
 * A root that is a plain object schema: what `$ref`, `allOf` and alternatives say is merged into its properties, and the rule
 * that gets lost is told in the description. The same object when the root is plain already.
 */
export function flattenRoot(root: JsonObject, note: Note): JsonObject {
  const found = combinators.filter((keyword) => Object.hasOwn(root, keyword));
  let current: JsonObject = root;
  if (found.length > 0) {
    const hints: string[] = [];
    const merged = flatten(root, { root, left: 400 }, hints);
    const { $defs, definitions } = root;
    current = {
      ...($defs === undefined ? {} : { $defs }),
      ...(definitions === undefined ? {} : { definitions }),
      ...merged,
    };
    if (hints.length > 0)
      current = {
        ...current,
        description: [text(merged['description']), ...hints].filter((one) => one !== '').join(' '),
      };
    note(`${found.join(', ')} at the root merged into one object`);
  }
  if (current['type'] !== 'object') current = { ...current, type: 'object' };
  return isPlainObject(current['properties']) ? current : { ...current, properties: {} };
}

interface Walk {
  readonly root: JsonObject;
  /** Alternatives within alternatives multiply; what is left out of the shown schema is still checked. */
  left: number;
}

function flatten(schema: JsonObject, walk: Walk, hints: string[]): JsonObject {
  const { $ref, allOf, anyOf, oneOf, then, else: otherwise } = schema;
  let result = omitKeys(schema, combinators);
  walk.left -= 1;
  if (walk.left < 0) return result;
  if (typeof $ref === 'string') {
    const target = resolveReference(walk.root, $ref);
    if (isPlainObject(target) && target !== walk.root) {
      const own = omitKeys(target as JsonObject, ['$defs', 'definitions']);
      result = mergeAll(flatten(own, walk, hints), result);
    }
  }
  for (const part of objects(allOf)) result = mergeAll(result, flatten(part, walk, hints));
  for (const [keyword, list] of [
    ['anyOf', anyOf],
    ['oneOf', oneOf],
  ] as const) {
    const variants = objects(list).map((variant) => flatten(variant, walk, []));
    if (variants.length === 0) continue;
    const hint = alternativesHint(variants, keyword);
    if (hint !== '') hints.push(hint);
    result = mergeAll(result, mergeAny(variants));
  }
  for (const branch of [then, otherwise]) {
    if (isPlainObject(branch)) result = mergeAll(result, mergeAny([flatten(branch as JsonObject, walk, []), {}]));
  }
  return result;
}

function objects(list: unknown): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter((one): one is JsonObject => isPlainObject(one)) : [];
}

/** Both hold: properties and required keys of both. */
function mergeAll(one: JsonObject, other: JsonObject): JsonObject {
  const properties: Record<string, JsonValue> = { ...propertiesOf(one) };
  const others = propertiesOf(other);
  for (const key of Object.keys(others)) {
    const mine = getOwn(properties, key);
    const theirs = others[key] as JsonValue;
    setOwn(
      properties,
      key,
      mine === undefined || isSame(mine, theirs)
        ? theirs
        : isPlainObject(mine) && isPlainObject(theirs)
          ? { ...theirs, ...mine }
          : mine,
    );
  }
  const required = [...new Set([...requiredOf(one), ...requiredOf(other)])];
  return withMembers({ ...other, ...one }, properties, required);
}

/** One of them holds: properties of all, required only what all require. */
function mergeAny(variants: readonly JsonObject[]): JsonObject {
  const properties: Record<string, JsonValue> = {};
  for (const variant of variants) {
    const own = propertiesOf(variant);
    for (const key of Object.keys(own)) {
      const seen = getOwn(properties, key);
      const next = own[key] as JsonValue;
      setOwn(properties, key, seen === undefined ? next : eitherOf(seen, next));
    }
  }
  const required = requiredOf(variants[0] ?? {}).filter((key) =>
    variants.every((variant) => requiredOf(variant).includes(key)),
  );
  const closed = variants.length > 0 && variants.every((variant) => variant['additionalProperties'] === false);
  return withMembers(closed ? { additionalProperties: false } : {}, properties, required);
}

function eitherOf(one: JsonValue, other: JsonValue): JsonValue {
  if (isSame(one, other)) return one;
  const left = valuesOf(one);
  const right = valuesOf(other);
  if (left !== undefined && right !== undefined) {
    const rest = omitKeys(one as JsonObject, ['const', 'enum']);
    const all = [...left, ...right.filter((value) => !left.some((known) => isSame(known, value)))];
    return { ...rest, enum: all };
  }
  const earlier =
    isPlainObject(one) && Object.keys(one).length === 1 && Array.isArray(one['anyOf'])
      ? (one['anyOf'] as JsonValue[])
      : [one];
  return earlier.some((known) => isSame(known, other)) ? one : { anyOf: [...earlier, other] };
}

function valuesOf(schema: JsonValue): readonly JsonValue[] | undefined {
  if (!isPlainObject(schema)) return undefined;
  if (Object.hasOwn(schema, 'const')) return [schema['const'] as JsonValue];
  return Array.isArray(schema['enum']) ? (schema['enum'] as JsonValue[]) : undefined;
}

function alternativesHint(variants: readonly JsonObject[], keyword: 'anyOf' | 'oneOf'): string {
  const forms = variants.map((variant) => {
    const own = propertiesOf(variant);
    const fixed = Object.keys(own).filter((key) => valuesOf(own[key] as JsonValue)?.length === 1);
    const needed = requiredOf(variant).filter((key) => !fixed.includes(key));
    const when = fixed.map((key) => `${key} is ${JSON.stringify(valuesOf(own[key] as JsonValue)?.[0])}`).join(' and ');
    if (when === '') return needed.join(' and ');
    return `when ${when}: ${needed.length === 0 ? 'nothing else is required' : `${needed.join(' and ')} required`}`;
  });
  const told = [...new Set(forms.filter((form) => form !== ''))];
  if (told.length === 0) return '';
  const conditional = told.every((form) => form.startsWith('when '));
  if (conditional) return `${capital(told.join('; '))}.`;
  if (forms.includes('')) return '';
  return `${keyword === 'anyOf' ? 'At least one' : 'Exactly one'} of these must be given: ${told.join('; ')}.`;
}

function capital(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

function propertiesOf(schema: JsonObject): Readonly<Record<string, Subschema>> {
  const properties: unknown = schema['properties'];
  return isPlainObject(properties) ? (properties as Record<string, Subschema>) : {};
}

function requiredOf(schema: JsonObject): readonly string[] {
  const required: unknown = schema['required'];
  return Array.isArray(required) ? required.filter((key): key is string => typeof key === 'string') : [];
}

function withMembers(
  schema: JsonObject,
  properties: Record<string, JsonValue>,
  required: readonly string[],
): JsonObject {
  return { ...omitKeys(schema, ['properties', 'required']), properties, ...(required.length > 0 ? { required } : {}) };
}

function isSame(one: JsonValue, other: JsonValue): boolean {
  return one === other || canonicalJson(one) === canonicalJson(other);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
