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
