import { isPlainObject } from '../core/json.ts';
import { isSubschema } from './subschemas.ts';

/** The types that JSON Schema knows. */
export const schemaTypes: ReadonlySet<string> = new Set([
  'string',
  'number',
  'integer',
  'boolean',
  'object',
  'array',
  'null',
]);

type Test = (value: unknown) => boolean;

const text: Test = (value) => typeof value === 'string';
const texts: Test = (value) => Array.isArray(value) && value.every(text);
const count: Test = (value) => typeof value === 'number' && Number.isFinite(value) && value >= 0;
const number: Test = (value) => typeof value === 'number' && Number.isFinite(value);
const schemas: Test = (value) => Array.isArray(value) && value.length > 0 && value.every(isSubschema);
const schemaMap: Test = (value) => isPlainObject(value) && Object.values(value).every(isSubschema);
const limit: Test = (value) => number(value) || typeof value === 'boolean';

/** What a keyword's value must be. Keywords that are not here mean nothing to validation and pass as they are. */
const tests: ReadonlyMap<string, Test> = new Map<string, Test>([
  ['type', (value) => (text(value) && schemaTypes.has(value as string)) || (texts(value) && (value as string[]).length > 0 && (value as string[]).every((one) => schemaTypes.has(one)))],
  ['enum', (value) => Array.isArray(value) && value.length > 0],
  ['$ref', text],
  ['required', texts],
  ['properties', schemaMap],
  ['patternProperties', schemaMap],
  ['$defs', schemaMap],
  ['definitions', schemaMap],
  ['dependentSchemas', schemaMap],
  ['dependentRequired', (value) => isPlainObject(value) && Object.values(value).every(texts)],
  ['dependencies', (value) => isPlainObject(value) && Object.values(value).every((one) => isSubschema(one) || texts(one))],
  ['additionalProperties', isSubschema],
  ['unevaluatedProperties', isSubschema],
  ['propertyNames', isSubschema],
  ['items', (value) => isSubschema(value) || (Array.isArray(value) && value.every(isSubschema))],
  ['prefixItems', schemas],
  ['additionalItems', isSubschema],
  ['unevaluatedItems', isSubschema],
  ['contains', isSubschema],
  ['not', isSubschema],
  ['if', isSubschema],
  ['then', isSubschema],
  ['else', isSubschema],
  ['anyOf', schemas],
  ['oneOf', schemas],
  ['allOf', schemas],
  ['minProperties', count],
  ['maxProperties', count],
  ['minItems', count],
  ['maxItems', count],
  ['minContains', count],
  ['maxContains', count],
  ['minLength', count],
  ['maxLength', count],
  ['minimum', number],
  ['maximum', number],
  ['exclusiveMinimum', limit],
  ['exclusiveMaximum', limit],
  ['multipleOf', (value) => number(value) && (value as number) > 0],
  ['uniqueItems', (value) => typeof value === 'boolean'],
  ['pattern', text],
  ['format', text],
  ['description', text],
  ['title', text],
]); // prettier-ignore

/** False when the keyword is known and its value is not what the specification asks for. */
export function isKeywordUsable(keyword: string, value: unknown): boolean {
  const test = tests.get(keyword);
  return test === undefined || test(value);
}

/** True for keywords that take part in validation. */
export function isValidationKeyword(keyword: string): boolean {
  return (
    keyword === 'const' ||
    (tests.has(keyword) &&
      keyword !== 'title' &&
      keyword !== 'description' &&
      keyword !== '$defs' &&
      keyword !== 'definitions')
  );
}
