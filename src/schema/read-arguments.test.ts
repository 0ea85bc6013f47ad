import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { prepareSchema } from './prepare-schema.ts';
import { readArguments } from './read-arguments.ts';

function issueOf(input: unknown): { path: string; message: string } | undefined {
  const read = readArguments(input);
  return read.ok ? undefined : read.issues[0];
}

describe('readArguments', () => {
  it.each([undefined, null, '', '  \n', 'null', '{}', {}])('takes %j for no arguments', (input) => {
    expect(readArguments(input)).toEqual({ ok: true, value: {} });
  });

  it('copies, so that later changes of the input change nothing', () => {
    const input = { list: [{ a: 1 }] };
    const read = readArguments(input);
    input.list[0] = { a: 2 };
    expect(read).toEqual({ ok: true, value: { list: [{ a: 1 }] } });
  });

  it('refuses what is too large, too deep or too much, and says so', () => {
    expect(readArguments(`{"a":"${'x'.repeat(1_048_000)}"}`).ok).toBe(true);
    expect(issueOf(`{"a":"${'x'.repeat(1_048_576)}"}`)?.message).toContain('at most 1048576 are allowed');
    expect(issueOf({ a: 'x'.repeat(1_048_577) })?.message).toContain('at most 1048576 are allowed');
    expect(issueOf(`${'['.repeat(200_000)}${']'.repeat(200_000)}`)?.message).toContain('more than 100 levels');
    expect(issueOf({ a: Array.from({ length: 50_000 }, () => 0) })?.message).toContain('more than 50000 values');
  });

  it('refuses the key __proto__, also twice, and leaves prototypes alone', () => {
    expect(issueOf('{"a":{"__proto__":{"admin":true},"__proto__":{"admin":true}}}')).toEqual({
      path: '/a/__proto__',
      message: 'The key "__proto__" is not allowed.',
    });
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
    const read = readArguments('{"constructor":{"prototype":{"admin":true}}}');
    expect(read.ok && Object.keys(read.value as object)).toEqual(['constructor']);
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
  });

  it('refuses what is not JSON, and says where', () => {
    expect(issueOf('{"a":1')?.message).toMatch(/^The arguments are not valid JSON \(/);
    expect(issueOf({ a: [1, Number.NaN] })).toEqual({
      path: '/a/1',
      message: 'JSON has no NaN. Send a finite number.',
    });
    expect(issueOf({ a: () => 1 })).toEqual({ path: '/a', message: 'Expected a JSON value, got a function.' });
    expect(issueOf({ a: 1n })).toEqual({ path: '/a', message: 'Expected a JSON value, got a bigint.' });
    const circular: Record<string, unknown> = {};
    circular['b'] = { circular };
    expect(issueOf(circular)).toEqual({ path: '/b/circular', message: 'The arguments refer to themselves.' });
    const throwing = Object.defineProperty({}, 'a', {
      enumerable: true,
      get: () => {
        throw new Error('secret');
      },
    });
    expect(issueOf(throwing)).toEqual({ path: '', message: 'The arguments cannot be read as JSON.' });
  });

  it('reads a text and the object it describes alike', async () => {
    const preparation = prepareSchema({ type: 'object', properties: {} });
    if (!preparation.ok) throw new Error(preparation.message);
    const { parse } = preparation.prepared;
    const value = fc.dictionary(
      fc.string().filter((key) => key !== '__proto__'),
      fc.jsonValue({ maxDepth: 4 }),
    );
    await fc.assert(
      fc.asyncProperty(value, async (input) => {
        const plain: unknown = JSON.parse(JSON.stringify(input));
        if (JSON.stringify(plain).includes('__proto__')) return;
        expect(await parse(input)).toEqual({ ok: true, value: plain });
        expect(await parse(JSON.stringify(input))).toEqual({ ok: true, value: plain });
        // A text within a text is unpacked once, because the schema takes no text.
        expect(await parse(JSON.stringify(JSON.stringify(input)))).toEqual({ ok: true, value: plain });
      }),
      { numRuns: 200 },
    );
  });

  it.each(['[1]', '7', 'true', '"text"', [1], 7, 'plain words'])(
    'says what was expected in place of %j',
    async (input) => {
      const preparation = prepareSchema({ type: 'object' });
      const parsed = preparation.ok ? await preparation.prepared.parse(input) : undefined;
      expect(parsed?.ok).toBe(false);
      expect(parsed?.ok === false && parsed.issues[0]?.message).toMatch(/Expected a JSON object|not valid JSON/);
    },
  );

  it("keeps a tool's own parser from throwing", async () => {
    const preparation = prepareSchema({ type: 'object' });
    if (!preparation.ok) throw new Error(preparation.message);
    const throwing = (): never => {
      throw new Error('secret path /home');
    };
    const parsed = await preparation.prepared.parse({}, throwing);
    expect(parsed.ok).toBe(false);
    expect(JSON.stringify(parsed)).not.toContain('secret');
  });
});
