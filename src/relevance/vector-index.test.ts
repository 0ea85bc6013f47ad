import { expect, test } from 'vitest';
import { createToolIndex } from '../index/tool-index.ts';
import { createVectorIndex } from './vector-index.ts';
import { lateThreshold, vectorSize } from './vector-settings.ts';
import type { WordEmbedder } from './word-embedder.ts';

/** `rain` and `weather` have a cosine of 0.8; other words are at right angles. */
const directions: Record<string, readonly (readonly [number, number])[]> = {
  weather: [[0, 1]],
  rain: [
    [0, 0.8],
    [1, 0.6],
  ],
  email: [[2, 1]],
  send: [[3, 1]],
};
const embedder: WordEmbedder = {
  embed(word) {
    const vector = new Float32Array(vectorSize);
    for (const [place, value] of directions[word] ?? [[10 + (word.length % 80), 1] as const]) vector[place] = value;
    return { vector, importance: 1 };
  },
};
const index = createToolIndex();
index.set([
  { name: 'weather', inputSchema: { type: 'object' } },
  { name: 'send_email', inputSchema: { type: 'object' } },
]);
const vectors = createVectorIndex(index, embedder);

test('the mean of a tool is near a query about the same thing', () => {
  const [weather, mail] = vectors.cosines(vectors.query(new Map([['rain', 1]])));
  expect(weather).toBeCloseTo(0.8, 5);
  expect(mail).toBeCloseTo(0, 5);
});

test('late interaction takes the best word of the tool, above the threshold, by the query word’s weight', () => {
  const [weather, mail] = vectors.late(vectors.query(new Map([['rain', 1]])), [0, 1]);
  expect(weather?.all).toBeCloseTo((0.8 - lateThreshold) / (1 - lateThreshold), 5);
  expect(mail).toEqual({ all: 0, nameSpoken: 0 });
});

test('the name is spoken of by the share of its words that the query means', () => {
  const [, mail] = vectors.late(vectors.query(new Map([['email', 1]])), [0, 1]);
  expect(mail?.nameSpoken).toBeGreaterThan(0.3);
  expect(mail?.nameSpoken).toBeLessThan(0.7);
  expect(mail?.all).toBeCloseTo(1, 5);
});

test('a query without words is like nothing', () => {
  const query = vectors.query(new Map());
  expect([...vectors.cosines(query)]).toEqual([0, 0]);
  expect(vectors.late(query, [0])[0]?.all).toBe(0);
});
