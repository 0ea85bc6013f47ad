import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asciiJson } from './safe-json.ts';

test('is complete JSON in printable ASCII', () => {
  expect(asciiJson({ a: [1, 'é\u202e'], b: {}, c: [] })).toBe(
    '{\n  "a": [\n    1,\n    "\\u00e9\\u202e"\n  ],\n  "b": {},\n  "c": []\n}',
  );
  fc.assert(
    fc.property(fc.json({ stringUnit: 'binary' }), (json) => {
      const text = asciiJson(JSON.parse(json));
      expect(text).toMatch(/^[\n -~]*$/);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(JSON.parse(json))));
    }),
  );
});

test('calls no getter, follows no cycle and survives depth', () => {
  const value: Record<string, unknown> = { run: () => 1 };
  Object.defineProperty(value, 'trap', { enumerable: true, get: () => expect.unreachable() });
  value['self'] = value;
  expect(asciiJson(value)).toBe('{\n  "run": null,\n  "trap": null,\n  "self": null\n}');
  const twice = { a: 1 };
  expect(asciiJson([twice, twice])).toBe('[\n  {\n    "a": 1\n  },\n  {\n    "a": 1\n  }\n]');
  let deep: unknown = 1;
  for (let level = 0; level < 5000; level += 1) deep = [deep];
  expect(asciiJson(deep).startsWith('[\n  [\n')).toBe(true);
});
