import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inertJson } from './safe-json.ts';

test('is complete JSON without a hidden character', () => {
  expect(inertJson({ a: [1, 'é\u202e'], b: {}, c: [] })).toBe(
    '{\n  "a": [\n    1,\n    "é\\u202e"\n  ],\n  "b": {},\n  "c": []\n}',
  );
  fc.assert(
    fc.property(fc.json({ stringUnit: 'binary' }), (json) => {
      const text = inertJson(JSON.parse(json));
      expect(text).not.toMatch(
        /[\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?!\n)\p{Cc}|(?! )\p{Zs}/u,
      );
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(JSON.parse(json))));
    }),
  );
});

test('calls no getter, follows no cycle and survives depth', () => {
  const value: Record<string, unknown> = { run: () => 1 };
  Object.defineProperty(value, 'trap', { enumerable: true, get: () => expect.unreachable() });
  value['self'] = value;
  expect(inertJson(value)).toBe('{\n  "run": null,\n  "trap": null,\n  "self": null\n}');
  const twice = { a: 1 };
  expect(inertJson([twice, twice])).toBe('[\n  {\n    "a": 1\n  },\n  {\n    "a": 1\n  }\n]');
  let deep: unknown = 1;
  for (let level = 0; level < 5000; level += 1) deep = [deep];
  expect(inertJson(deep).startsWith('[\n  [\n')).toBe(true);
});
