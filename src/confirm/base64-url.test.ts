import { expect, it } from 'vitest';
import { decodeBase64Url, encodeBase64, encodeBase64Url } from './base64-url.ts';

it('writes the examples of RFC 4648 section 10', () => {
  const text = new TextEncoder();
  const examples = [
    ['', ''],
    ['f', 'Zg=='],
    ['fo', 'Zm8='],
    ['foo', 'Zm9v'],
    ['foob', 'Zm9vYg=='],
    ['fooba', 'Zm9vYmE='],
    ['foobar', 'Zm9vYmFy'],
  ] as const;
  for (const [plain, encoded] of examples) {
    expect(encodeBase64(text.encode(plain))).toBe(encoded);
    expect(encodeBase64Url(text.encode(plain))).toBe(encoded.replaceAll('=', ''));
  }
  expect(encodeBase64Url(Uint8Array.of(251, 255, 254))).toBe('-__-');
});

it('reads only what it has written', () => {
  for (let length = 0; length < 40; length += 1) {
    const bytes = Uint8Array.from({ length }, (_, index) => (index * 37 + length) & 255);
    expect(decodeBase64Url(encodeBase64Url(bytes))).toEqual(bytes);
  }
  for (const wrong of ['A', 'Zg==', 'Zh', 'Zm9', 'a b', 'é', '+/']) expect(decodeBase64Url(wrong)).toBeUndefined();
});
