import { expect, test } from 'vitest';
import { vectorSize } from './vector-settings.ts';
import { createWordEmbedder } from './word-embedder.ts';
import { openWordVectors, packWordVectors } from './word-vectors.ts';

const names = ['weather', 'house', 'keeper'];
const rows = new Float32Array(names.length * vectorSize);
for (const place of names.keys()) rows[place * vectorSize + place] = 1;
const embedder = createWordEmbedder(openWordVectors(packWordVectors(names, rows, Float32Array.of(1, 2, 0.5))));

function likeness(a: string, b: string): number {
  const one = embedder.embed(a).vector;
  const other = embedder.embed(b).vector;
  return one.reduce((sum, value, index) => sum + value * other[index]!, 0);
}

test('known words have their own vector and importance', () => {
  expect(embedder.embed('weather').importance).toBe(1);
  expect(likeness('weather', 'weather')).toBeCloseTo(1, 5);
  expect(likeness('weather', 'house')).toBeCloseTo(0, 5);
});

test('an ending that is not known is taken off', () => {
  expect(likeness('houses', 'house')).toBeCloseTo(1, 5);
});

test('two known words in one are their mean, as important as the more important one', () => {
  expect(likeness('housekeeper', 'house')).toBeCloseTo(Math.SQRT1_2, 5);
  expect(likeness('housekeeper', 'keeper')).toBeCloseTo(Math.SQRT1_2, 5);
  expect(embedder.embed('housekeeper').importance).toBe(2);
});

test('a word that nobody knows is like itself, like near variants, and like nothing else', () => {
  expect(likeness('qzxkubectl', 'qzxkubectl')).toBeCloseTo(1, 5);
  expect(likeness('qzxkubectl', 'qzxkubectx')).toBeGreaterThan(0.5);
  expect(Math.abs(likeness('qzxkubectl', 'vwjgrafana'))).toBeLessThan(0.35);
});
