import type { ToolDefinition } from '../../src/core/tool.ts';
import { fieldTexts } from '../../src/index/fields.ts';
import { createTokenizer } from '../../src/text/tokenizer.ts';
import { gloveDimensions } from '../glove.ts';
import type { Glove } from '../glove.ts';

/** The words that get a vector, most frequent first, and where they start from. */
export interface Vocabulary {
  readonly words: readonly string[];
  readonly positions: ReadonlyMap<string, number>;
  /** Rows of unit length. */
  readonly vectors: Float32Array;
}

/** How many words: as many as fit under 4 MB at four bits a number. */
export const vocabularySize = 48_000;
const fromFrequency = 46_000;

/**
 * The most frequent words, and rarer ones that tools of the catalogues without cases use. Vectors lose the mean and the two strongest
 * directions, which say how frequent a word is rather than what it means (Mu and Viswanath, "All-but-the-Top", 2018).
 */
export function chooseVocabulary(glove: Glove, catalogues: readonly ToolDefinition[]): Vocabulary {
  const tokenizer = createTokenizer();
  const uses = new Map<string, number>();
  for (const tool of catalogues) {
    const fields = fieldTexts(tool);
    const seen = new Set<string>();
    for (const token of tokenizer.tokenize(
      `${fields.name} ${fields.description} ${fields.parameterNames} ${fields.parameterDescriptions}`,
    ))
      seen.add(token.word);
    for (const word of seen) uses.set(word, (uses.get(word) ?? 0) + 1);
  }
  const rows = Array.from({ length: Math.min(fromFrequency, glove.words.length) }, (_, row) => row);
  const rare: number[] = [];
  for (let row = fromFrequency; row < glove.words.length; row += 1)
    if (uses.has(glove.words[row] as string)) rare.push(row);
  rare.sort((a, b) => (uses.get(glove.words[b] as string) ?? 0) - (uses.get(glove.words[a] as string) ?? 0) || a - b);
  rows.push(...rare.slice(0, vocabularySize - rows.length).sort((a, b) => a - b));
  const vectors = new Float32Array(rows.length * gloveDimensions);
  for (const [index, row] of rows.entries())
    vectors.set(glove.vectors.subarray(row * gloveDimensions, (row + 1) * gloveDimensions), index * gloveDimensions);
  removeCommonDirections(vectors, 2);
  normaliseRows(vectors);
  const words = rows.map((row) => glove.words[row] as string);
  return { words, positions: new Map(words.map((word, position) => [word, position])), vectors };
}

function removeCommonDirections(vectors: Float32Array, count: number): void {
  const size = gloveDimensions;
  const rows = vectors.length / size;
  const mean = new Float64Array(size);
  for (let index = 0; index < vectors.length; index += 1) mean[index % size]! += vectors[index]! / rows;
  for (let index = 0; index < vectors.length; index += 1) vectors[index]! -= mean[index % size]!;
  for (let round = 0; round < count; round += 1) {
    let direction = Float64Array.from({ length: size }, (_, index) => 1 + (index % 7) / 10);
    for (let step = 0; step < 30; step += 1) {
      const next = new Float64Array(size);
      for (let row = 0; row < rows; row += 5) {
        let along = 0;
        for (let k = 0; k < size; k += 1) along += vectors[row * size + k]! * direction[k]!;
        for (let k = 0; k < size; k += 1) next[k]! += along * vectors[row * size + k]!;
      }
      const length = Math.hypot(...next) || 1;
      direction = next.map((value) => value / length);
    }
    for (let row = 0; row < rows; row += 1) {
      let along = 0;
      for (let k = 0; k < size; k += 1) along += vectors[row * size + k]! * direction[k]!;
      for (let k = 0; k < size; k += 1) vectors[row * size + k]! -= along * direction[k]!;
    }
  }
}

function normaliseRows(vectors: Float32Array): void {
  for (let start = 0; start < vectors.length; start += gloveDimensions) {
    let square = 0;
    for (let k = 0; k < gloveDimensions; k += 1) square += vectors[start + k]! ** 2;
    const length = Math.sqrt(square) || 1;
    for (let k = 0; k < gloveDimensions; k += 1) vectors[start + k]! /= length;
  }
}
