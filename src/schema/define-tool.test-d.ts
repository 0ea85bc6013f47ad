import { describe, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import type { JsonValue } from '../core/json.ts';
import type { Tool } from '../core/tool.ts';
import { tool } from './define-tool.ts';

describe('types of tool()', () => {
  it('gives execute the output type of a Standard Schema', () => {
    const made = tool({
      name: 'start',
      input: z.object({ port: z.number().default(80), text: z.string().transform((text) => text.length) }),
      requiresConfirmation: (args) => {
        expectTypeOf(args).toEqualTypeOf<{ port: number; text: number }>();
        return args.port > 80;
      },
      preview: (args) => {
        expectTypeOf(args.port).toEqualTypeOf<number>();
        return args.text;
      },
      execute: (args, context) => {
        expectTypeOf(args).toEqualTypeOf<{ port: number; text: number }>();
        expectTypeOf(context.idempotencyKey).toEqualTypeOf<string>();
        return args.port;
      },
    });
    expectTypeOf(made).toEqualTypeOf<Tool>();
  });

  it('gives execute a record of JSON values with a JSON Schema, or the type it names', () => {
    tool({
      name: 'plain',
      input: { type: 'object', properties: { a: { type: 'string' } } },
      execute: (args) => {
        expectTypeOf(args).toEqualTypeOf<Readonly<Record<string, JsonValue>>>();
      },
    });
    tool<{ a: string }>({
      name: 'named',
      input: { type: 'object' },
      execute: (args) => expectTypeOf(args.a).toEqualTypeOf<string>(),
    });
  });

  it('refuses what does not fit', () => {
    // @ts-expect-error execute wants a number where the schema gives a string
    tool({ name: 'wrong', input: z.object({ a: z.string() }), execute: (args: { a: number }) => args.a });
    // @ts-expect-error a property that the schema does not have
    tool({ name: 'wrong', input: z.object({ a: z.string() }), execute: (args) => args.b as unknown });
    // @ts-expect-error the input is missing
    tool({ name: 'wrong', execute: () => 1 });
    // @ts-expect-error execute is missing
    tool({ name: 'wrong', input: z.object({}) });
    // @ts-expect-error an unknown visibility
    tool({ name: 'wrong', input: z.object({}), execute: () => 1, visibility: 'sometimes' });
  });
});
