import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../core/tool.ts';
import { checkSchema } from './check-schema.ts';
import { createValidator } from './validate.ts';

function issuesOf(schema: unknown, value: unknown): readonly { path: string; message: string }[] {
  const checked = checkSchema(schema);
  if (!checked.ok) throw new Error(checked.message);
  return createValidator(checked.schema)(value as never);
}

function properties(map: Record<string, unknown>, more: object = {}): JsonSchema {
  return { type: 'object', properties: map, ...more } as JsonSchema;
}

describe('createValidator', () => {
  it('says where, what was expected and what came', () => {
    const schema = properties(
      {
        n: { type: 'integer' },
        mode: { enum: ['a', 'b'] },
        list: { type: 'array', items: { type: 'object', required: ['id'] } },
        k: { const: 'x' },
      },
      { additionalProperties: false, required: ['n'] },
    );
    expect(issuesOf(schema, { n: 'one', mode: 'c', list: [{}, { id: 1 }], k: 'y', 'no/pe': 1 })).toEqual([
      { path: '/n', message: 'Expected integer, got the string "one".' },
      { path: '/mode', message: 'Expected one of ["a","b"], got the string "c".' },
      { path: '/list/0/id', message: 'Required property "id" is missing.' },
      { path: '/k', message: 'Expected "x", got the string "y".' },
      { path: '/no~1pe', message: 'This property is not known. Leave it out, or correct its name.' },
    ]);
    expect(issuesOf(schema, { n: 1, mode: 'a', list: [{ id: 1 }], k: 'x' })).toEqual([]);
  });

  it('follows draft-07 where the schema says so, and 2020-12 otherwise', () => {
    const beside = properties(
      { a: { $ref: '#/definitions/text', maxLength: 2 } },
      { definitions: { text: { type: 'string' } } },
    );
    expect(issuesOf(beside, { a: 'abc' })).toHaveLength(1);
    expect(issuesOf({ ...beside, $schema: 'http://json-schema.org/draft-07/schema#' }, { a: 'abc' })).toEqual([]);
    const tuple = { type: 'array', items: [{ type: 'string' }], additionalItems: false };
    expect(
      issuesOf(properties({ t: tuple }, { $schema: 'http://json-schema.org/draft-07/schema#' }), { t: ['a', 1] }),
    ).toHaveLength(1);
    expect(
      issuesOf(properties({ t: { type: 'array', prefixItems: [{ type: 'string' }], items: false } }), { t: ['a', 1] }),
    ).toHaveLength(1);
    expect(
      issuesOf(properties({ a: { type: 'string' } }, { dependentRequired: { a: ['b'] } }), { a: 'x' }),
    ).toHaveLength(1);
  });

  it('refuses within its budget what would take for ever: doubled references', () => {
    const definitions: Record<string, unknown> = { d0: { type: 'string' } };
    for (let level = 1; level <= 40; level += 1) {
      definitions[`d${level}`] = { allOf: [{ $ref: `#/$defs/d${level - 1}` }, { $ref: `#/$defs/d${level - 1}` }] };
    }
    const schema = properties({ a: { $ref: '#/$defs/d40' } }, { $defs: definitions });
    expect(issuesOf(schema, { a: 'x' })).toEqual([
      { path: '', message: 'Checking the arguments takes too long. Send fewer or simpler values.' },
    ]);
    expect(issuesOf(schema, {})).toEqual([]);
  });

  it('starts every validation with a fresh budget', () => {
    const checked = checkSchema(properties({ list: { type: 'array', items: { type: 'integer' } } }));
    const validate = createValidator(checked.ok ? checked.schema : {});
    const list = Array.from({ length: 40_000 }, (_, index) => index);
    for (let round = 0; round < 4; round += 1) expect(validate({ list })).toEqual([]);
  });

  it('refuses long arrays where items must differ, and accepts shorter ones', () => {
    const schema = properties({ list: { type: 'array', uniqueItems: true } });
    const list = (length: number): number[] => Array.from({ length }, (_, index) => index);
    expect(issuesOf(schema, { list: list(2_001) })[0]?.message).toContain('more than 2000 items');
    expect(issuesOf(schema, { list: list(50) })).toEqual([]);
    expect(issuesOf(schema, { list: [1, 1] })).toHaveLength(1);
  });

  it('enforces safe patterns on bounded texts, and leaves unsafe ones out, also where they are negated', () => {
    expect(issuesOf(properties({ a: { pattern: '^[a-z]+$' } }), { a: 'A1' })).toHaveLength(1);
    expect(issuesOf(properties({ a: { pattern: '^[a-z]+$' } }), { a: 'a'.repeat(100_001) })).toHaveLength(1);
    expect(issuesOf(properties({ a: { pattern: '^(a+)+$' } }), { a: `${'a'.repeat(50)}!` })).toEqual([]);
    expect(issuesOf(properties({ a: { not: { pattern: '^(a+)+$' } } }), { a: `${'a'.repeat(50)}!` })).toEqual([]);
    expect(issuesOf(properties({ a: { oneOf: [{ pattern: '^(a+)+$' }, { pattern: '^b' }] } }), { a: 'bbb' })).toEqual(
      [],
    );
    const keys = {
      type: 'object',
      patternProperties: { '^(a+)+$': { type: 'string' }, '^x-': { type: 'string' } },
      additionalProperties: false,
    };
    expect(issuesOf(keys, { 'x-a': 1 })).toHaveLength(1);
    expect(issuesOf(keys, { aaa: 'fine' })).toEqual([]);
  });

  it('checks common formats on bounded texts', () => {
    expect(issuesOf(properties({ a: { format: 'email' } }), { a: 'no' })).toHaveLength(1);
    expect(issuesOf(properties({ a: { format: 'email' } }), { a: 'a@example.com' })).toEqual([]);
    expect(
      issuesOf(properties({ a: { format: 'uri' } }), { a: `https://example.com/${'a'.repeat(3_000)}` }),
    ).toHaveLength(1);
    expect(issuesOf(properties({ a: { format: 'own-format' } }), { a: 'x'.repeat(3_000) })).toEqual([]);
  });

  it('is not led astray by keys of the validator or of prototypes', () => {
    const hostile = JSON.parse(
      '{"type":"object","properties":{"a":{"$ref":"#/$defs/t","__absolute_ref__":"https://example.com"},"__proto__":{"type":"string"}},"$defs":{"t":{"type":"string"}}}',
    ) as unknown;
    expect(issuesOf(hostile, { a: 1 })).toHaveLength(1);
    expect(issuesOf(properties({ a: {} }, { required: ['constructor'] }), {})).toEqual([
      { path: '/constructor', message: 'Required property "constructor" is missing.' },
    ]);
    expect(issuesOf(properties({}, { additionalProperties: false }), { toString: 1 })).toHaveLength(1);
  });

  it('never changes the schema it is given', () => {
    const schema = properties({ a: { $ref: '#/$defs/t' } }, { $defs: { t: { type: 'string' } } });
    const frozen = JSON.stringify(schema);
    Object.freeze(schema);
    createValidator(schema)({ a: 'x' });
    expect(JSON.stringify(schema)).toBe(frozen);
    expect(Object.getOwnPropertyNames(schema)).toEqual(['type', 'properties', '$defs']);
  });
});
