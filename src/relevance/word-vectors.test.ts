import { expect, test } from 'vitest';
import { fromBase64 } from './load-vectors.ts';
import { vectorSize } from './vector-settings.ts';
import { openWordVectors, packWordVectors } from './word-vectors.ts';

const rows = Float32Array.from({ length: 2 * vectorSize }, (_, index) => Math.sin(index * 1.7));
const packed = packWordVectors(['cat', 'dog'], rows, Float32Array.of(0.5, 3));

test('packs a row into half as many bytes and one for its importance', () => {
  expect(packed.bytes).toHaveLength(2 * (vectorSize / 2 + 1));
  expect(packed.words).toBe('cat dog');
});

test('what was packed comes back nearly the same, at unit length', () => {
  const vectors = openWordVectors(packed);
  const row = vectors.find('dog');
  const read = new Float32Array(vectorSize + 1);
  vectors.write(row, read, 1);
  let dot = 0;
  let square = 0;
  let original = 0;
  for (let index = 0; index < vectorSize; index += 1) {
    dot += read[1 + index]! * rows[vectorSize + index]!;
    square += read[1 + index]! ** 2;
    original += rows[vectorSize + index]! ** 2;
  }
  expect(square).toBeCloseTo(1, 5);
  expect(dot / Math.sqrt(original)).toBeGreaterThan(0.99);
  expect(read[0]).toBe(0);
});

test('importance comes back in steps of 1/64; unknown words have no row', () => {
  const vectors = openWordVectors(packed);
  expect(vectors.importance(vectors.find('cat'))).toBe(0.5);
  expect(vectors.importance(vectors.find('dog'))).toBe(3);
  expect(vectors.find('bird')).toBe(-1);
});

test('base64 gives the bytes', () => {
  expect([...fromBase64('AP+AAQ==')]).toEqual([0, 255, 128, 1]);
});
