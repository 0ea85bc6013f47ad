import { vectorSize } from './vector-settings.ts';
import type { WordVectors } from './word-vectors.ts';

/** A word's unit vector and how much it says in a query. */
export interface EmbeddedWord {
  readonly vector: Float32Array;
  readonly importance: number;
}

/** Gives every word a vector, known or not, and remembers it. */
export interface WordEmbedder {
  embed(word: string): EmbeddedWord;
}

/** Words without a row are rare, so they say much. */
const unknownImportance = 1.6;
const maximumMemory = 40_000;
const endings = ['s', 'es', 'ed', 'ing', 'er', 'ers', 'ly', 'ion', 'ions', 'd', 'able'];

/**
 * A word without a row is looked up without its ending, then as two known words in one, and at last gets a vector from its
 * letters (hashed groups of three and four, as in fastText, Bojanowski and others 2017), so that it is like itself and its near variants only.
 */
export function createWordEmbedder(vectors: WordVectors): WordEmbedder {
  const remembered = new Map<string, EmbeddedWord>();

  function known(row: number): EmbeddedWord {
    const vector = new Float32Array(vectorSize);
    vectors.write(row, vector, 0);
    return { vector, importance: vectors.importance(row) };
  }

  function make(word: string): EmbeddedWord {
    const row = vectors.find(word);
    if (row >= 0) return known(row);
    for (const ending of endings) {
      if (word.length < ending.length + 4 || !word.endsWith(ending)) continue;
      const stem = word.slice(0, -ending.length);
      for (const form of [stem, `${stem}e`]) {
        const other = vectors.find(form);
        if (other >= 0) return known(other);
      }
    }
    for (let cut = word.length - 3; cut >= 3; cut -= 1) {
      const first = vectors.find(word.slice(0, cut));
      const second = first < 0 ? -1 : vectors.find(word.slice(cut));
      if (second < 0) continue;
      const a = known(first);
      const b = known(second);
      const vector = a.vector.map((value, index) => value + (b.vector[index] as number));
      return { vector: scaled(vector), importance: Math.max(a.importance, b.importance) };
    }
    return { vector: letterVector(word), importance: unknownImportance };
  }

  return {
    embed(word) {
      let found = remembered.get(word);
      if (found === undefined) {
        found = make(word);
        if (remembered.size >= maximumMemory) remembered.clear();
        remembered.set(word, found);
      }
      return found;
    },
  };
}

function letterVector(word: string): Float32Array {
  const vector = new Float32Array(vectorSize);
  const padded = `<${word}>`;
  for (const length of [3, 4]) {
    for (let start = 0; start + length <= padded.length; start += 1) {
      let hash = 2166136261;
      for (let index = start; index < start + length; index += 1)
        hash = Math.imul(hash ^ padded.charCodeAt(index), 16777619);
      for (let index = 0; index < vectorSize; index += 1) {
        hash = Math.imul(hash ^ (hash >>> 15), 2246822519) + 3266489917;
        vector[index] = (vector[index] as number) + ((hash >>> 16) & 1 ? 1 : -1);
      }
    }
  }
  return scaled(vector);
}

function scaled(vector: Float32Array): Float32Array {
  let square = 0;
  for (const value of vector) square += value * value;
  const scale = 1 / (Math.sqrt(square) || 1);
  return vector.map((value) => value * scale);
}
