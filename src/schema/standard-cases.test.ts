import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { ParsedArguments, Tool } from '../core/tool.ts';
import { tool } from './define-tool.ts';
import { prepareSchema } from './prepare-schema.ts';

function shownOf(made: Tool): Record<string, unknown> {
  const preparation = prepareSchema(made.inputSchema);
  if (!preparation.ok) throw new Error(preparation.message);
  return preparation.prepared.shown;
}

async function call(made: Tool, input: unknown): Promise<ParsedArguments> {
  const preparation = prepareSchema(made.inputSchema);
  if (!preparation.ok) throw new Error(preparation.message);
  return preparation.prepared.parse(input, made.parse);
}

const execute = (): string => 'done';

describe('handed cases on Standard Schemas', () => {
  it('SC-10: a discriminated union becomes one object that says which kind needs what', async () => {
    const ticket = tool({
      name: 'ticket',
      input: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('open'), subject: z.string() }),
        z.object({ kind: z.literal('close'), number: z.number().int(), note: z.string().optional() }),
      ]),
      execute,
    });
    const shown = shownOf(ticket);
    expect(shown).toMatchObject({
      type: 'object',
      required: ['kind'],
      properties: {
        kind: { type: 'string', enum: ['open', 'close'] },
        subject: { type: 'string' },
        number: { type: 'integer' },
        note: { type: 'string' },
      },
      description: 'When kind is "open": subject required; when kind is "close": number required.',
    });
    expect(JSON.stringify(shown)).not.toContain('oneOf');
    expect(await call(ticket, { kind: 'close', note: 'x' })).toMatchObject({
      ok: false,
      issues: [{ path: '/number' }],
    });
    expect(await call(ticket, { kind: 'close', number: 3 })).toEqual({ ok: true, value: { kind: 'close', number: 3 } });
  });

  it('SC-16: fields with a default keep their type, are not required, and are filled in', async () => {
    const start = tool({
      name: 'start',
      input: z.object({
        port: z.number().int().default(8081).describe('port'),
        force: z.boolean().default(false),
        mode: z.literal('fast').or(z.literal('slow')).optional(),
      }),
      execute,
    });
    const shown = shownOf(start);
    expect(shown['required']).toBeUndefined();
    expect(shown['properties']).toMatchObject({
      port: { type: 'integer', default: 8081, description: 'port' },
      force: { type: 'boolean', default: false },
      mode: { anyOf: [{ const: 'fast' }, { const: 'slow' }] },
    });
    expect(await call(start, {})).toEqual({ ok: true, value: { port: 8081, force: false } });
    expect(await call(start, undefined)).toEqual({ ok: true, value: { port: 8081, force: false } });
  });

  it('SC-17: a date or a transform never breaks the list, and the date arrives as a date', async () => {
    const remind = tool({
      name: 'remind',
      input: z.object({ when: z.date(), text: z.string().transform((text) => text.trim()) }),
      execute,
    });
    expect(remind.inputSchema).toMatchObject({
      type: 'object',
      properties: { when: { type: 'string', format: 'date-time' }, text: { type: 'string' } },
      required: ['when', 'text'],
    });
    expect(await call(remind, { when: '2026-03-01T10:00:00Z', text: ' hi ' })).toEqual({
      ok: true,
      value: { when: new Date('2026-03-01T10:00:00Z'), text: 'hi' },
    });
    expect(await call(remind, { when: 'soon', text: '' })).toMatchObject({ ok: false, issues: [{ path: '/when' }] });
    const odd = tool({
      name: 'odd',
      input: z.object({ big: z.bigint(), bag: z.map(z.string(), z.string()), text: z.string() }),
      execute,
    });
    expect(odd.inputSchema).toMatchObject({ properties: { big: {}, bag: {}, text: { type: 'string' } } });
    const preparation = prepareSchema(odd.inputSchema);
    expect(preparation.ok && preparation.prepared.notes).toEqual([
      '2 part(s) of the schema cannot be written as JSON Schema and accept anything',
    ]);
  });

  it('SC-18: the published side is what goes in, and a text is unpacked only where no text is accepted', async () => {
    const open = tool({
      name: 'open',
      input: z.object({
        paths: z
          .union([z.array(z.string()), z.string()])
          .transform((paths) => (typeof paths === 'string' ? (JSON.parse(paths) as string[]) : paths)),
      }),
      execute,
    });
    expect(open.inputSchema).toMatchObject({
      properties: { paths: { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'string' }] } },
    });
    expect(await call(open, { paths: '["a.ts","b.ts"]' })).toEqual({ ok: true, value: { paths: ['a.ts', 'b.ts'] } });
    const strict = {
      type: 'object',
      properties: { paths: { type: 'array', items: { type: 'string' } }, text: { type: 'string' } },
    };
    const preparation = prepareSchema(strict);
    const parse = preparation.ok ? preparation.prepared.parse : undefined;
    expect(await parse?.({ paths: '["a.ts"]', text: '["a.ts"]' })).toEqual({
      ok: true,
      value: { paths: ['a.ts'], text: '["a.ts"]' },
    });
    // Once: a text inside the text stays a text.
    expect(await parse?.({ paths: '"[\\"a.ts\\"]"' })).toMatchObject({ ok: false, issues: [{ path: '/paths' }] });
    expect(await parse?.({ paths: '{"a":1}' })).toMatchObject({ ok: false, issues: [{ path: '/paths' }] });
  });
});
