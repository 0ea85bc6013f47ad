import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../core/json.ts';
import { adaptArguments } from './adapt-arguments.ts';
import { prepareSchema } from './prepare-schema.ts';
import { repairSchema } from './repair.ts';

/** Property names of all kinds, with a value that fits each schema. */
const key = fc.oneof(fc.constantFrom('a', 'b', 'bad key', 'bad.key', 'bad_key', 'größe', '$', '', 'a/b', 'a~b', 'constructor', 'x'.repeat(70)), fc.string({ maxLength: 8 })).filter((name) => name !== '__proto__'); // prettier-ignore

interface Sample {
  readonly schema: JsonObject;
  readonly value: JsonValue;
}

const leaf: fc.Arbitrary<Sample> = fc.oneof(
  fc.integer().map((value): Sample => ({ schema: { type: 'integer' }, value })),
  fc.string().map((value): Sample => ({ schema: { type: 'string' }, value })),
  fc.constantFrom<Sample>(
    { schema: { enum: [1, 2] }, value: 2 },
    { schema: { type: ['boolean', 'null'] }, value: null },
    { schema: { type: 'array' }, value: ['x'] },
  ),
);

const { object } = fc.letrec<{ object: Sample; any: Sample }>((tie) => ({
  object: fc.dictionary(key, tie('any'), { maxKeys: 4 }).map((members): Sample => {
    const entries = Object.entries(members);
    return {
      schema: {
        type: 'object',
        properties: Object.fromEntries(entries.map(([name, one]) => [name, one.schema])),
        required: entries.map(([name]) => name),
      },
      value: Object.fromEntries(entries.map(([name, one]) => [name, one.value])),
    };
  }),
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    tie('object'),
    tie('any').map((one): Sample => ({ schema: { type: 'array', items: one.schema }, value: [one.value] })),
    tie('any').map((one): Sample => ({ schema: { anyOf: [{ type: 'null' }, one.schema] }, value: one.value })),
  ),
}));

/** What a model would send that was shown the renamed properties. */
function inShownNames(value: JsonValue, shown: ReadonlyMap<string, string>): JsonValue {
  if (Array.isArray(value)) return value.map((item) => inShownNames(item as JsonValue, shown));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [shown.get(name) ?? name, inShownNames(member as JsonValue, shown)]),
  );
}

describe('repairSchema', () => {
  it('has an inverse: arguments for the shown schema come back as arguments for the original one, and fit it', async () => {
    await fc.assert(
      fc.asyncProperty(object, async ({ schema, value }) => {
        const repaired = repairSchema(schema);
        const shown = new Map([...repaired.inverse].map(([name, original]) => [original, name]));
        const sent = inShownNames(value, shown);
        expect(adaptArguments(sent, schema, repaired.inverse)).toEqual(value);
        const preparation = prepareSchema(schema);
        expect(preparation.ok && (await preparation.prepared.parse(sent))).toEqual({ ok: true, value });
      }),
      { numRuns: 300 },
    );
  });

  it('is settled after one repair, and gives only names that every provider takes', () => {
    fc.assert(
      fc.property(object, ({ schema }) => {
        const { schema: shown } = repairSchema(schema);
        expect(repairSchema(shown).schema).toBe(shown);
        JSON.stringify(shown, (_name, part: unknown) => {
          const properties =
            typeof part === 'object' && part !== null ? (part as { properties?: object }).properties : undefined;
          for (const name of Object.keys(properties ?? {})) expect(name).toMatch(/^[A-Za-z0-9_.-]{1,64}$/);
          return part;
        });
      }),
      { numRuns: 200 },
    );
  });

  it('does not rename a free key that happens to look like a shown name', () => {
    const schema: JsonObject = {
      type: 'object',
      properties: { 'bad key': { type: 'string' }, free: { type: 'object', additionalProperties: { type: 'string' } } },
    };
    const { inverse } = repairSchema(schema);
    const [shown] = [...inverse.keys()];
    expect(shown).toBe('bad_key');
    expect(adaptArguments({ bad_key: 'x', free: { bad_key: 'y' } }, schema, inverse)).toEqual({
      'bad key': 'x',
      free: { bad_key: 'y' },
    });
    expect(adaptArguments({ 'bad key': 'x', bad_key: 'z' }, schema, inverse)).toEqual({ 'bad key': 'x', bad_key: 'z' });
  });

  it('merges the parts of a root allOf and a root reference', () => {
    const schema: JsonObject = {
      $ref: '#/$defs/base',
      allOf: [{ properties: { b: { type: 'integer' } }, required: ['b'] }],
      $defs: { base: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], description: 'Base.' } },
    };
    expect(repairSchema(schema).schema).toEqual({
      type: 'object',
      description: 'Base.',
      properties: { a: { type: 'string' }, b: { type: 'integer' } },
      required: ['a', 'b'],
      $defs: schema['$defs'],
    });
  });

  it('turns positions of a list into one schema of items', () => {
    const tuple: JsonObject = { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false };
    expect(repairSchema({ type: 'object', properties: { t: tuple } }).schema['properties']).toEqual({
      t: { type: 'array', maxItems: 2, items: { anyOf: [{ type: 'string' }, { type: 'integer' }] } },
    });
  });

  it('writes schemas of Gemini without what it refuses', () => {
    const schema: JsonObject = {
      type: 'object',
      additionalProperties: false,
      properties: {
        kind: { const: 'x' },
        odd: { enum: ['a', 1, null] },
        nested: { allOf: [{ properties: { a: { type: 'string' } }, required: ['a'] }] },
        either: { oneOf: [{ type: 'string' }, { type: 'integer', exclusiveMinimum: 0 }] },
      },
    };
    expect(repairSchema(schema, 'gemini').schema).toEqual({
      type: 'object',
      properties: {
        kind: { type: 'string', enum: ['x'] },
        odd: { nullable: true, description: 'One of ["a",1,null].' },
        nested: { properties: { a: { type: 'string' } }, required: ['a'], type: 'object' },
        either: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
      },
    });
  });
});
