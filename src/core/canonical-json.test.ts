import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.ts';
import { digestJson, digestText } from './digest.ts';

describe('canonicalJson', () => {
  it('sorts keys by code units at every level and writes no white space', () => {
    expect(canonicalJson({ b: [1, { d: null, c: true }], a: 'x' })).toBe('{"a":"x","b":[1,{"c":true,"d":null}]}');
    // RFC 8785, section 3.2.3: the order is that of UTF-16 code units, not of code points.
    expect(canonicalJson({ '\u{1f600}': 1, '\ufb33': 2, ö: 3, '1': 4, '\r': 5 })).toBe(
      '{"\\r":5,"1":4,"ö":3,"\u{1f600}":1,"\ufb33":2}',
    );
  });

  it('writes numbers as ECMAScript does', () => {
    expect(canonicalJson([1e30, 4.5, 0.002, 1e-27, -0, 1 / 3])).toBe('[1e+30,4.5,0.002,1e-27,0,0.3333333333333333]');
  });

  it('escapes unpaired surrogates, so that different texts stay different', () => {
    expect(canonicalJson('\ud800')).toBe('"\\ud800"');
    expect(digestJson('\ud800')).not.toBe(digestJson('\udfff'));
  });

  it('keeps a key named __proto__', () => {
    expect(canonicalJson(JSON.parse('{"__proto__":1,"a":2}'))).toBe('{"__proto__":1,"a":2}');
  });

  it.each([
    ['undefined', undefined],
    ['not a number', Number.NaN],
    ['a function', () => 1],
    ['a big integer', 1n],
  ])('refuses %s', (_name, value) => {
    expect(() => canonicalJson(value)).toThrow('Only JSON values have a canonical form');
  });

  it('refuses cycles and bottomless depth', () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    expect(() => canonicalJson(cycle)).toThrow('a reference to itself');
    let deep: unknown = 1;
    for (let level = 0; level < 600; level += 1) deep = [deep];
    expect(() => canonicalJson(deep)).toThrow('more than 512 levels');
  });

  it('gives files, dates and other values of messages a form of their own when lenient', () => {
    expect(
      canonicalJson(
        { data: new Uint8Array([1, 255]), at: new Date(0), f: () => 1, url: new URL('http://a.example/') },
        { mode: 'lenient' },
      ),
    ).toBe('{"at":{"$date":"1970-01-01T00:00:00.000Z"},"data":{"$bytes":[1,255]},"url":"http://a.example/"}');
  });

  it('has a form of its own for values of messages when lenient', () => {
    const forms: readonly (readonly [value: unknown, text: string])[] = [
      [new Date(Number.NaN), '{"$date":null}'],
      [
        new Map<unknown, unknown>([
          ['b', 1],
          ['a', new Set([2])],
        ]),
        '{"$map":[["b",1],["a",{"$set":[2]}]]}',
      ],
      [new Set(['x', undefined]), '{"$set":["x",null]}'],
      [new Uint8Array([1, 2]).buffer, '{"$bytes":[1,2]}'],
      [new Uint16Array([258]), '{"$bytes":[2,1]}'],
      [new Uint8Array([9, 8, 7, 6]).subarray(1, 3), '{"$bytes":[8,7]}'],
      [12n, '{"$bigint":"12"}'],
      [Number.POSITIVE_INFINITY, '{"$number":"Infinity"}'],
      [() => 1, 'null'],
      [[undefined, Symbol('x')], '[null,null]'],
      [{ a: Symbol('x'), b: undefined, c: 1 }, '{"c":1}'],
      [{ toJSON: () => ({ z: 1, a: 2 }) }, '{"a":2,"z":1}'],
    ];
    for (const [value, text] of forms) expect(canonicalJson(value, { mode: 'lenient' })).toBe(text);
  });

  it('marks a reference to itself when lenient, and tells it from one object standing twice', () => {
    const cycle: Record<string, unknown> = { a: 1 };
    cycle['self'] = cycle;
    expect(canonicalJson(cycle, { mode: 'lenient' })).toBe('{"a":1,"self":{"$cycle":true}}');
    const shared = { x: 1 };
    expect(canonicalJson([shared, shared])).toBe('[{"x":1},{"x":1}]');
  });

  it('takes what toJSON gives when strict, leaves undefined members out, and keeps holes of lists', () => {
    expect(canonicalJson({ when: new Date(0), gone: undefined, list: [1, undefined] })).toBe(
      '{"list":[1,null],"when":"1970-01-01T00:00:00.000Z"}',
    );
    expect(canonicalJson([true, false, null, ''])).toBe('[true,false,null,""]');
  });

  it('goes down to 512 levels and no further', () => {
    const nest = (levels: number): unknown => {
      let value: unknown = 1;
      for (let level = 0; level < levels; level += 1) value = [value];
      return value;
    };
    expect(canonicalJson(nest(512))).toHaveLength(512 * 2 + 1);
    expect(() => canonicalJson(nest(513))).toThrow('more than 512 levels');
  });

  it('says what it refuses', () => {
    expect(() => canonicalJson({ a: undefined, b: [Symbol('x')] })).toThrow('found a symbol');
    expect(() => canonicalJson(undefined)).toThrow('found undefined');
    expect(() => canonicalJson(Number.NEGATIVE_INFINITY)).toThrow('found the number -Infinity');
    expect(() => canonicalJson(2n)).toThrow(
      expect.objectContaining({ code: 'invalid-option', data: { option: 'value' } }),
    );
  });

  it('is the same for any order of keys, and parses back to the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        const reversed = JSON.parse(text, (_key, inner: unknown) =>
          typeof inner === 'object' && inner !== null && !Array.isArray(inner)
            ? Object.fromEntries(Object.entries(inner).reverse())
            : inner,
        ) as unknown;
        expect(canonicalJson(reversed)).toBe(text);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

describe('digestText', () => {
  it('is SHA-256 of the UTF-8 bytes', () => {
    expect(digestText('abc')).toBe('sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
