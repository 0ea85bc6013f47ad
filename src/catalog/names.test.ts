import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { acceptableName, withSuffix } from './name-text.ts';
import { Names, ownerOf } from './names.ts';
import type { NameRequest } from './names.ts';
import type { PrefixRule } from './types.ts';

const ownName = fc.oneof(
  fc.constantFrom('read', 'Read', 'READ', 'read_file', 'read.file', 'read/file', 'search_tools', 'größe', 'grösse', '工具', '1', '__proto__', 'constructor', 'x'.repeat(70), `${'x'.repeat(70)}y`), // prettier-ignore
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 90 }),
);
const rule = fc.constantFrom<PrefixRule>('on-collision', 'always', 'never');
const request = fc.record({ server: fc.constantFrom('a', 'A', 'a__read', 'other server', 'x'.repeat(60)), ownName });

function requestsOf(list: readonly { server: string; ownName: string }[]): NameRequest[] {
  const seen = new Map<string, number>();
  return list.map(({ server, ownName: name }) => {
    const first = ownerOf(`server:${server}`, name, 0);
    const repetition = seen.get(first) ?? 0;
    seen.set(first, repetition + 1);
    return { owner: ownerOf(`server:${server}`, name, repetition), ownName: name, prefix: server, direct: false };
  });
}

describe('Names', () => {
  it('are unique but for case, fit every provider, avoid reserved names, and stay', () => {
    fc.assert(
      fc.property(
        rule,
        fc.array(request, { maxLength: 25 }),
        fc.array(request, { maxLength: 10 }),
        (prefix, before, after) => {
          let saved: readonly (readonly [string, string])[] = [];
          const store = {
            load: () => saved,
            save: (entries: readonly (readonly [string, string])[]) => void (saved = entries),
          };
          const options = { prefix, reserved: ['search_tools'], store };
          const names = new Names(options);
          const first = requestsOf(before);
          const given = names.give(first).map((one) => one.name);
          for (const name of given) {
            expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
            expect(name.toLowerCase()).not.toBe('search_tools');
            expect(names.has(name)).toBe(true);
          }
          expect(new Set(given.map((name) => name.toLowerCase())).size).toBe(given.length);
          // Newcomers in front change nothing for those who have a name, in this process and in the next one.
          const known = new Map(first.map((one, index) => [one.owner, given[index]]));
          const mixed = requestsOf([...after, ...before]);
          for (const later of [names, new Names(options)]) {
            const again = later.give(mixed).map((one) => one.name);
            expect(new Set(again.map((name) => name.toLowerCase())).size).toBe(again.length);
            mixed.forEach((one, index) => {
              if (known.has(one.owner)) expect(again[index]).toBe(known.get(one.owner));
            });
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('depend on nothing but the requests', () => {
    fc.assert(
      fc.property(rule, fc.array(request, { maxLength: 15 }), (prefix, list) => {
        const give = (): readonly unknown[] => new Names({ prefix, reserved: [] }).give(requestsOf(list));
        expect(give()).toEqual(give());
      }),
      { numRuns: 100 },
    );
  });
});

describe('acceptableName', () => {
  it.each([
    ['read_file', 'read_file'],
    ['read.file', 'read_file'],
    ['Crème brûlée!', 'Creme_brulee_'],
    ['-x', '_-x'],
    ['42', '_42'],
  ])('writes %j as %j', (own, expected) => {
    expect(acceptableName(own)).toBe(expected);
  });

  it('cuts a long name and tells it from others with the same beginning', () => {
    const one = acceptableName('x'.repeat(65));
    expect(one).toMatch(/^x{55}_[0-9a-f]{8}$/);
    expect(acceptableName('x'.repeat(66))).not.toBe(one);
    expect(withSuffix('y'.repeat(64), '12345678')).toBe(`${'y'.repeat(55)}_12345678`);
  });
});
