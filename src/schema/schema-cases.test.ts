import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../core/tool.ts';
import { prepareSchema } from './prepare-schema.ts';
import type { PreparedSchema } from './prepare-schema.ts';
import type { SchemaDialect } from './repair.ts';

function prepared(schema: unknown, dialect?: SchemaDialect): PreparedSchema {
  const preparation = prepareSchema(schema, dialect);
  if (!preparation.ok) throw new Error(preparation.message);
  return preparation.prepared;
}

/** Every reference of a shown schema must have its target in the shown schema. */
function danglingReferences(schema: JsonSchema): readonly string[] {
  const found: string[] = [];
  JSON.stringify(schema, (key, value: unknown) => {
    if (key === '$ref' && typeof value === 'string') found.push(value);
    return value;
  });
  return found.filter((reference) => {
    const [, section, name] = reference.split('/');
    const definitions = schema[section ?? ''] as JsonSchema | undefined;
    return reference !== '#' && definitions?.[name ?? ''] === undefined;
  });
}

describe('handed cases on JSON Schemas', () => {
  it('SC-01: every keyword of the root survives, and no reference is left without its target', () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: { paper: { $ref: '#/$defs/Paper' } },
      $defs: { Paper: { type: 'string', enum: ['a4', 'letter'] } },
      additionalProperties: false,
      title: 'RenderArgs',
      description: 'root text',
    };
    const { shown } = prepared(schema);
    expect(shown).toEqual({ ...schema, properties: { paper: { type: 'string', enum: ['a4', 'letter'] } } });
    expect(danglingReferences(shown)).toEqual([]);
    const nested = prepared({
      ...schema,
      properties: { list: { type: 'array', items: { $ref: '#/$defs/Paper' } } },
    }).shown;
    expect(nested['properties']).toEqual({ list: { type: 'array', items: { $ref: '#/$defs/Paper' } } });
    expect(danglingReferences(nested)).toEqual([]);
  });

  it('SC-02: references to any place of the document are resolved, with escapes', async () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: {
        labels: { type: 'object', additionalProperties: { type: 'string' } },
        boxes: { type: 'array', items: { $ref: '#/properties/labels' } },
        'a~b': { type: 'string' },
        c: { $ref: '#/properties/a~0b' },
        'd/e f': { type: 'integer' },
        g: { $ref: '#/properties/d~1e%20f' },
      },
    };
    const tool = prepared(schema);
    const properties = tool.shown['properties'] as Record<string, JsonSchema>;
    expect(properties['boxes']).toEqual({
      type: 'array',
      items: { type: 'object', additionalProperties: { type: 'string' } },
    });
    expect(properties['c']).toEqual({ type: 'string' });
    expect(properties['g']).toEqual({ type: 'integer' });
    expect(await tool.parse({ boxes: [{ x: 1 }] })).toMatchObject({ ok: false, issues: [{ path: '/boxes/0/x' }] });
    expect(await tool.parse({ g: 1.5 })).toMatchObject({
      ok: false,
      issues: [{ path: '/g', message: 'Expected integer, got 1.5.' }],
    });
  });

  it('SC-04: a recursive schema stays JSON, is never changed, and is checked at every depth', async () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: { top: { $ref: '#/$defs/entry' } },
      $defs: {
        entry: {
          type: 'object',
          properties: { label: { type: 'string' }, below: { type: 'array', items: { $ref: '#/$defs/entry' } } },
          required: ['label'],
        },
      },
    };
    const before = structuredClone(schema);
    const tool = prepared(schema);
    expect(tool.shown).toBe(schema);
    expect(JSON.parse(JSON.stringify(tool.shown))).toEqual(before);
    const deep = { top: { label: 'a', below: [{ label: 'b', below: [{ below: [] }] }] } };
    expect(await tool.parse(deep)).toEqual({
      ok: false,
      issues: [{ path: '/top/below/0/below/0/label', message: 'Required property "label" is missing.' }],
    });
    expect(schema).toEqual(before);
    const gemini = prepared(schema, 'gemini').shown;
    expect(JSON.stringify(gemini)).not.toContain('$ref');
    expect(gemini['properties']).toEqual({
      top: {
        type: 'object',
        properties: { label: { type: 'string' }, below: { type: 'array', items: {} } },
        required: ['label'],
      },
    });
  });

  it('SC-05: missing items are filled in at every depth and reported once', () => {
    const { shown, notes } = prepared({
      type: 'object',
      properties: {
        url: { type: 'string' },
        filters: { type: 'array' },
        matrix: { type: 'array', items: { type: 'array' } },
        either: { anyOf: [{ type: 'array' }, { type: 'string' }] },
      },
    });
    expect(shown['properties']).toEqual({
      url: { type: 'string' },
      filters: { type: 'array', items: {} },
      matrix: { type: 'array', items: { type: 'array', items: {} } },
      either: { anyOf: [{ type: 'array', items: {} }, { type: 'string' }] },
    });
    expect(notes).toEqual(['missing items of arrays filled in']);
  });

  it('SC-07: a nullable list keeps its items, and null is still accepted', async () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: {
        alphabets: { type: ['array', 'null'], items: { type: 'string' }, default: null },
        n: { type: ['integer', 'string'] },
      },
    };
    const tool = prepared(schema, 'gemini');
    expect(tool.shown['properties']).toEqual({
      alphabets: { type: 'array', items: { type: 'string' }, nullable: true },
      n: { anyOf: [{ type: 'integer' }, { type: 'string' }] },
    });
    expect(await tool.parse({ alphabets: null, n: 'x' })).toEqual({ ok: true, value: { alphabets: null, n: 'x' } });
    expect(await tool.parse({ alphabets: [1] })).toMatchObject({ ok: false, issues: [{ path: '/alphabets/0' }] });
    expect(prepared(schema).shown).toBe(schema);
  });

  it('SC-09: a combinator at the root is told in words, and still checked', async () => {
    const tool = prepared({
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'string' }, color: { type: 'string' }, weight: { type: 'integer' } },
      anyOf: [{ required: ['color'] }, { required: ['weight'] }],
    });
    expect(tool.shown).toEqual({
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'string' }, color: { type: 'string' }, weight: { type: 'integer' } },
      description: 'At least one of these must be given: color; weight.',
    });
    expect(await tool.parse({ id: '7' })).toEqual({
      ok: false,
      issues: [
        {
          path: '',
          message:
            'None of the allowed forms fits: Required property "color" is missing; or Required property "weight" is missing',
        },
      ],
    });
    expect(await tool.parse({ id: '7', weight: 3 })).toEqual({ ok: true, value: { id: '7', weight: 3 } });
  });

  it('SC-13: a property name that a provider refuses is never sent, and comes back as it was', async () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: {
        'bad key $': { type: 'string' },
        größe: { type: 'integer' },
        ['x'.repeat(70)]: { type: 'string' },
        ok: { type: 'string' },
      },
      required: ['bad key $'],
      additionalProperties: false,
    };
    const tool = prepared(schema);
    const names = Object.keys(tool.shown['properties'] as object);
    for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_.-]{1,64}$/);
    const [bad, size] = names;
    expect(tool.shown['required']).toEqual([bad]);
    expect(await tool.parse({ [bad ?? '']: 'a', [size ?? '']: 4 })).toEqual({
      ok: true,
      value: { 'bad key $': 'a', größe: 4 },
    });
    expect(await tool.parse({})).toEqual({
      ok: false,
      issues: [{ path: `/${bad}`, message: `Required property "${bad}" is missing.` }],
    });
  });

  it('SC-15: numbers and booleans in enums are shown as texts and come back as what they were', async () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: { dir: { type: 'integer', enum: [0, 1, 2] }, on: { type: 'boolean', enum: [true] } },
    };
    const gemini = prepared(schema, 'gemini');
    expect(gemini.shown['properties']).toEqual({
      dir: { type: 'string', enum: ['0', '1', '2'] },
      on: { type: 'string', enum: ['true'] },
    });
    for (const tool of [gemini, prepared(schema)]) {
      expect(await tool.parse({ dir: '1', on: 'true' })).toEqual({ ok: true, value: { dir: 1, on: true } });
      expect(await tool.parse({ dir: '3' })).toMatchObject({
        ok: false,
        issues: [{ path: '/dir', message: 'Expected one of [0,1,2], got 3.' }],
      });
    }
  });

  it('SC-20: missing types are inferred, and what is free stays free', () => {
    const { shown } = prepared({
      properties: {
        key: { enum: ['id', 'text'] },
        k2: { const: 'x' },
        o: { properties: { a: { type: 'string' } } },
        any: {},
        desc: { description: 'free' },
        yes: true,
        no: false,
      },
    });
    expect(shown).toEqual({
      type: 'object',
      properties: {
        key: { type: 'string', enum: ['id', 'text'] },
        k2: { type: 'string', const: 'x' },
        o: { type: 'object', properties: { a: { type: 'string' } } },
        any: {},
        desc: { description: 'free' },
        yes: {},
      },
    });
  });

  it('SC-21: the fields of one referenced object are visible, with what stands beside the reference', async () => {
    const tool = prepared({
      type: 'object',
      $defs: {
        Q: {
          type: 'object',
          properties: { place: { type: 'string', default: null }, limit: { type: 'integer', default: 20 } },
        },
      },
      properties: { shift_filter: { $ref: '#/$defs/Q', description: 'filters' } },
      required: ['shift_filter'],
    });
    expect(tool.shown['properties']).toEqual({
      shift_filter: {
        type: 'object',
        description: 'filters',
        properties: { place: { type: 'string', default: null }, limit: { type: 'integer', default: 20 } },
      },
    });
    expect(await tool.parse({})).toEqual({
      ok: false,
      issues: [{ path: '/shift_filter', message: 'Required property "shift_filter" is missing.' }],
    });
    // A default of null that its own type refuses is not filled in.
    expect(await tool.parse({ shift_filter: {} })).toEqual({ ok: true, value: { shift_filter: { limit: 20 } } });
  });
});
