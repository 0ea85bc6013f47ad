import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkSchema } from './check-schema.ts';
import { prepareSchema } from './prepare-schema.ts';

function nested(levels: number): unknown {
  let schema: unknown = { type: 'string' };
  for (let level = 0; level < levels; level += 1) schema = { type: 'object', properties: { a: schema } };
  return schema;
}

describe('checkSchema', () => {
  it('gives a schema that is fine back as the same object', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string', pattern: '^[a-z]+$' } },
      'x-own': { anything: [1, 2] },
    };
    const checked = checkSchema(schema);
    expect(checked).toEqual({ ok: true, schema, notes: [] });
    expect(checked.ok && checked.schema).toBe(schema);
  });

  const unusable: readonly (readonly [schema: unknown, reason: string])[] = [
    [undefined, 'got nothing'],
    [null, 'got null'],
    ['text', 'got a string'],
    [true, 'got a boolean'],
    [[], 'got an array'],
    [{ type: 'array' }, 'its type is "array"'],
    [{ type: ['string', 'null'] }, 'its type is ["string","null"]'],
    [nested(40), 'more than 64 levels'],
    [{ type: 'object', enum: Array.from({ length: 20_000 }, () => 1) }, 'more than 20000 values'],
    [{ type: 'object', description: 'x'.repeat(524_289) }, 'more than 524288 characters'],
  ];

  it.each(unusable.map(([schema, reason]) => ({ schema, reason })))(
    'refuses a schema: $reason',
    ({ schema, reason }) => {
      const checked = checkSchema(schema);
      expect(checked.ok ? '' : checked.message).toContain(reason);
    },
  );

  it('takes out malformed keywords, keeps what is usable, and says where', () => {
    const checked = checkSchema({
      type: 'object',
      properties: { a: 7, b: { type: 'text', minLength: -1, description: 'kept' } },
      required: ['a', 3],
      anyOf: [],
    });
    expect(checked).toEqual({
      ok: true,
      schema: { type: 'object', properties: { a: {}, b: { description: 'kept' } }, required: ['a'] },
      notes: [
        '/properties: malformed; only the usable part is kept',
        '/required: malformed; only the usable part is kept',
        '/anyOf: malformed; left out',
        '/properties/b/type: malformed; left out',
        '/properties/b/minLength: malformed; left out',
      ],
    });
  });

  it('cuts references that lead out, nowhere or only back, and never fetches', () => {
    const checked = checkSchema({
      type: 'object',
      properties: {
        out: { $ref: 'https://example.com/schema.json', description: 'stays' },
        nowhere: { $ref: '#/$defs/none' },
        loop: { $ref: '#/$defs/one' },
        fine: { $ref: '#named' },
      },
      $defs: {
        one: { allOf: [{ $ref: '#/$defs/two' }] },
        two: { $ref: '#/$defs/one' },
        three: { $anchor: 'named', type: 'string' },
      },
    });
    if (!checked.ok) throw new Error(checked.message);
    expect(checked.schema['properties']).toEqual({
      out: { description: 'stays' },
      nowhere: {},
      loop: { $ref: '#/$defs/one' },
      fine: { $ref: '#named' },
    });
    expect(checked.schema['$defs']).toMatchObject({ one: { allOf: [{ $ref: '#/$defs/two' }] }, two: {} });
    expect(checked.notes).toHaveLength(3);
    expect(checked.notes[0]).toBe(
      '/properties/out: the reference "https://example.com/schema.json" leads out of the schema and is never fetched; anything is accepted there',
    );
  });

  it('survives objects that contain themselves, values that are not JSON, and prototype keys', () => {
    const circular: Record<string, unknown> = { type: 'object', properties: {} };
    (circular['properties'] as Record<string, unknown>)['self'] = circular;
    const checked = checkSchema(circular);
    expect(checked).toMatchObject({ ok: true, schema: { properties: { self: {} } } });
    const odd = checkSchema({
      type: 'object',
      description: 'd',
      default: { made: () => 1, big: 1n },
      title: undefined,
    });
    expect(odd).toMatchObject({ ok: true, schema: { type: 'object', description: 'd', default: {} } });
    const hostile: unknown = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}}}',
    );
    const kept = checkSchema(hostile);
    expect(kept.ok && Object.keys(kept.schema['properties'] as object)).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>)['type']).toBeUndefined();
  });

  it('notes patterns that cannot be enforced, and leaves them visible', () => {
    const schema = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
    const checked = checkSchema(schema);
    expect(checked).toMatchObject({ ok: true, schema });
    expect(checked.ok && checked.notes[0]).toContain('/properties/a: the pattern "^(a+)+$" is not enforced');
  });

  it('does not take a map of properties for a schema, even when a reference says so', () => {
    const checked = checkSchema({
      type: 'object',
      properties: { type: { type: 'string' }, a: { $ref: '#/properties' } },
    });
    expect(checked).toMatchObject({ ok: true, schema: { properties: { a: {} } } });
    expect(checked.ok && checked.notes[0]).toContain('is not a schema');
  });

  it('never throws, whatever JSON it is given, and neither does preparing for either dialect', () => {
    const keywords = [
      'type',
      'properties',
      'items',
      '$ref',
      'anyOf',
      'allOf',
      'oneOf',
      'not',
      'if',
      'then',
      'enum',
      'const',
      '$defs',
      'required',
      'pattern',
      '__proto__',
    ];
    const { schema } = fc.letrec((tie) => ({
      schema: fc.dictionary(fc.constantFrom(...keywords), tie('value'), { maxKeys: 5 }),
      value: fc.oneof(
        { maxDepth: 5, depthSize: 'small', withCrossShrink: true },
        fc.constantFrom<unknown>('object', 'string', '#', '#/$defs/a', '#/properties', true, null, 1),
        tie('schema'),
        fc.array(tie('schema'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'bad key'), tie('schema')),
      ),
    }));
    fc.assert(
      fc.property(schema, (generated) => {
        const root = { ...(generated as object), type: 'object' };
        const before = JSON.stringify(root);
        for (const dialect of ['common', 'gemini'] as const) {
          const preparation = prepareSchema(root, dialect);
          if (!preparation.ok) continue;
          const { shown } = preparation.prepared;
          expect(shown['type']).toBe('object');
          expect(() => JSON.stringify(shown)).not.toThrow();
          expect(prepareSchema(shown, dialect).ok).toBe(true);
        }
        expect(JSON.stringify(root)).toBe(before);
      }),
      { numRuns: 150 },
    );
  });
});
