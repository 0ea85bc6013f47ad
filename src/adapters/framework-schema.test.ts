import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { argumentsToRun, readFrameworkSchema } from './framework-schema.ts';

describe('readFrameworkSchema', () => {
  it('writes a Standard Schema as JSON Schema and validates with it', async () => {
    const { inputSchema, parse } = readFrameworkSchema('pay', z.object({ amount: z.number().default(3) }));
    expect(inputSchema).toMatchObject({ type: 'object', properties: { amount: { type: 'number', default: 3 } } });
    expect(await parse?.({})).toEqual({ ok: true, value: { amount: 3 } });
    expect(await parse?.({ amount: 'x' })).toMatchObject({ ok: false, issues: [{ path: '/amount' }] });
  });

  it('takes the names of the arguments from a schema that cannot be written down', async () => {
    const old = {
      '~standard': { version: 1, vendor: 'old', validate: (value: unknown) => ({ value }) },
      shape: () => ({ to: { description: 'Who gets it.' }, note: {} }),
    };
    const { inputSchema, parse } = readFrameworkSchema('send', old);
    expect(inputSchema).toEqual({ type: 'object', properties: { to: { description: 'Who gets it.' }, note: {} } });
    expect(await parse?.({ to: 'ada' })).toEqual({ ok: true, value: { to: 'ada' } });
  });

  it('names nested arguments with a pointer', async () => {
    const { parse } = readFrameworkSchema('x', z.object({ 'a/b': z.object({ '~': z.array(z.number()) }) }));
    expect(await parse?.({ 'a/b': { '~': ['no'] } })).toMatchObject({ ok: false, issues: [{ path: '/a~1b/~0/0' }] });
  });

  it.each([
    [
      { type: 'object', properties: { a: {} } },
      { type: 'object', properties: { a: {} } },
    ],
    [{ jsonSchema: { type: 'object', required: ['a'] } }, { type: 'object', required: ['a'] }],
    [undefined, { type: 'object' }],
    ['text', { type: 'object' }],
  ])('reads %j', (schema, expected) => {
    expect(readFrameworkSchema('x', schema)).toEqual({ inputSchema: expected });
  });
});

describe('argumentsToRun', () => {
  const { parse } = readFrameworkSchema('x', z.object({ day: z.string().transform((text) => `${text}!`) }));

  it("keeps the model's arguments when nobody changed them, so that a transform is applied once", async () => {
    expect(await argumentsToRun({ parse }, { day: 'mon' }, { day: 'mon!' })).toEqual({ day: 'mon' });
  });

  it("takes a person's arguments where they differ", async () => {
    expect(await argumentsToRun({ parse }, { day: 'mon' }, { day: 'tue' })).toEqual({ day: 'tue' });
  });

  it('takes what the gate checked where the tool does not parse', async () => {
    expect(await argumentsToRun({}, { day: 'mon' }, { day: 'mon', hour: 1 })).toEqual({ day: 'mon', hour: 1 });
  });
});
