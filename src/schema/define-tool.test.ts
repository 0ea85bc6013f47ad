import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { ToolContext } from '../core/tool.ts';
import { tool } from './define-tool.ts';
import { prepareSchema } from './prepare-schema.ts';

const one = (): number => 1;

describe('tool', () => {
  it('keeps what it was given and takes a JSON Schema as it is', () => {
    const input = { type: 'object', properties: { a: { type: 'string' } } } as const;
    const made = tool({
      name: 'one',
      description: 'First',
      input,
      execute: () => 'done',
      aliases: ['uno'],
      visibility: 'always',
      returnBehavior: 'immediate',
    });
    expect(made).toMatchObject({
      name: 'one',
      description: 'First',
      aliases: ['uno'],
      visibility: 'always',
      returnBehavior: 'immediate',
    });
    expect(made.inputSchema).toBe(input);
    expect(made.parse).toBeUndefined();
    expect(made.execute(undefined as never, undefined as unknown as ToolContext)).toBe('done');
  });

  it.each<[string, object, string]>([
    ['no name', { name: ' ', input: { type: 'object' }, execute: one }, 'invalid-tool'],
    ['no execute', { name: 'a', input: { type: 'object' } }, 'invalid-tool'],
    ['a schema that is not an object', { name: 'a', input: 'text', execute: one }, 'invalid-schema'],
    ['no schema', { name: 'a', execute: one }, 'invalid-schema'],
    ['a schema of a text', { name: 'a', input: { type: 'string' }, execute: one }, 'invalid-schema'],
    ['a Standard Schema of a text', { name: 'a', input: z.string(), execute: one }, 'invalid-schema'],
  ])('refuses %s', (_what, options, code) => {
    expect(() => tool(options as never)).toThrow(expect.objectContaining({ code }));
  });

  it('names the tool in the error', () => {
    expect(() => tool({ name: 'refund', input: [] as never, execute: () => 1 })).toThrow('"refund"');
  });

  it('refuses a Standard Schema that cannot write JSON Schemas, and says what to do', () => {
    const old = { '~standard': { version: 1, vendor: 'old', validate: (value: unknown) => ({ value }) } };
    expect(() => tool({ name: 'a', input: old as never, execute: () => 1 })).toThrow(/zod 4\.2/);
  });

  it('takes schemas of other libraries by structure, also callable ones', async () => {
    const schema = Object.assign(() => undefined, {
      '~standard': {
        version: 1 as const,
        vendor: 'callable',
        validate: (value: unknown) => Promise.resolve({ value }),
        jsonSchema: { input: () => ({ type: 'object', properties: { a: { type: 'integer' } } }) },
      },
    });
    const made = tool({ name: 'a', input: schema, execute: () => 1 });
    expect(made.inputSchema).toEqual({ type: 'object', properties: { a: { type: 'integer' } } });
    expect(await made.parse?.({ a: 1 })).toEqual({ ok: true, value: { a: 1 } });
  });

  it('shows an object of anything when a library refuses to write its schema', () => {
    const schema = {
      '~standard': {
        version: 1 as const,
        vendor: 'stubborn',
        validate: (value: unknown) => ({ value }),
        jsonSchema: {
          input: (): Record<string, unknown> => {
            throw new Error('no way');
          },
        },
      },
    };
    const made = tool({ name: 'a', input: schema, execute: () => 1 });
    expect(made.inputSchema).toEqual({ type: 'object', properties: {} });
    const preparation = prepareSchema(made.inputSchema);
    expect(preparation.ok && preparation.prepared.notes.join()).toContain('no way');
  });

  it('reports the faults of a Standard Schema with pointers', async () => {
    const made = tool({
      name: 'a',
      input: z.object({ list: z.array(z.object({ 'a/b': z.number() })) }),
      execute: () => 1,
    });
    expect(await made.parse?.({ list: [{ 'a/b': 'x' }] })).toEqual({
      ok: false,
      issues: [{ path: '/list/0/a~1b', message: 'Invalid input: expected number, received string' }],
    });
  });
});
