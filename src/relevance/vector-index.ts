import type { ToolIndex } from '../index/tool-index.ts';
import { lateThreshold, vectorFieldWeights, vectorSize } from './vector-settings.ts';
import { vectorWords } from './vector-words.ts';
import type { WordEmbedder } from './word-embedder.ts';

/** The words of a query with vectors. */
export interface QueryVectors {
  readonly words: readonly QueryWordVector[];
  /** Sum of the words' weights. */
  readonly total: number;
  /** Unit length; all zeros when there is no word. */
  readonly mean: Float32Array;
}

export interface QueryWordVector {
  readonly word: string;
  readonly vector: Float32Array;
  /** Importance times the caller's weight times rarity in the catalogue. */
  readonly weight: number;
}

/** Late interaction of a query with one tool, each from 0 to 1. */
export interface LateScores {
  /** Share of the query's weight that the tool answers, over all fields. */
  readonly all: number;
  /** Share of the name that the query speaks of. */
  readonly nameSpoken: number;
}

/** Word vectors of one catalogue. */
export interface VectorIndex {
  query(words: ReadonlyMap<string, number>): QueryVectors;
  /** The cosine of every tool's mean with the query's, by ordinal. */
  cosines(query: QueryVectors): Float32Array;
  /** Late interaction with the given tools, in their order. */
  late(query: QueryVectors, ordinals: readonly number[]): readonly LateScores[];
}

const maximumRemembered = 512;
const fieldLimits = [8, 40, 24] as const;

/** Makes the vector index of a catalogue: one mean for each tool, and the words of each. */
export function createVectorIndex(index: ToolIndex, embedder: WordEmbedder): VectorIndex {
  const { tokenizer } = index;
  const count = index.size;
  const ids = new Map<string, number>();
  const words: string[] = [];
  const toolWords: Int32Array[] = [];
  const toolFields: Uint8Array[] = [];
  const frequency: number[] = [];
  const lastTool: number[] = [];
  for (let tool = 0; tool < count; tool += 1) {
    const texts = index.texts(tool);
    const list: number[] = [];
    const fields: number[] = [];
    const add = (text: string, field: 0 | 1 | 2): void => {
      for (const word of vectorWords(tokenizer.tokenize(text), fieldLimits[field])) {
        let id = ids.get(word);
        if (id === undefined) {
          id = words.length;
          ids.set(word, id);
          words.push(word);
          frequency.push(0);
          lastTool.push(-1);
        }
        if (lastTool[id] !== tool) frequency[id] = (frequency[id] as number) + 1;
        lastTool[id] = tool;
        list.push(id);
        fields.push(field);
      }
    };
    add(`${texts.name} ${texts.aliases}`, 0);
    add(texts.description, 1);
    add(`${texts.parameterNames} ${texts.parameterDescriptions}`, 2);
    toolWords.push(Int32Array.from(list));
    toolFields.push(Uint8Array.from(fields));
  }
  const rarity = (held: number): number => Math.log(1 + (count - held + 0.5) / (held + 0.5)) / Math.log(2 * count + 2);
  const rarities = Float32Array.from(frequency, rarity);
  const matrix = new Float32Array(words.length * vectorSize);
  for (const [id, word] of words.entries()) matrix.set(embedder.embed(word).vector, id * vectorSize);
  const means = new Float32Array(count * vectorSize);
  for (let tool = 0; tool < count; tool += 1) writeMean(tool);

  /** Row of each word in the query at hand; -1 between queries. */
  const slots = new Int32Array(words.length).fill(-1);

  /** Likeness of words of queries to the catalogue's words; -1 where not compared yet. A conversation repeats its words. */
  const remembered = new Map<string, Float32Array>();

  function likenessOf(word: string): Float32Array {
    let known = remembered.get(word);
    if (known === undefined) {
      if (remembered.size >= maximumRemembered) remembered.delete(remembered.keys().next().value as string);
      known = new Float32Array(words.length).fill(-1);
      remembered.set(word, known);
    }
    return known;
  }

  function writeMean(tool: number): void {
    const list = toolWords[tool] as Int32Array;
    const fields = toolFields[tool] as Uint8Array;
    const sums = [0.5, 0.5, 0.5];
    for (let j = 0; j < list.length; j += 1)
      sums[fields[j] as number] = (sums[fields[j] as number] as number) + (rarities[list[j] as number] as number);
    const start = tool * vectorSize;
    for (let j = 0; j < list.length; j += 1) {
      const field = fields[j] as number;
      const share =
        ((vectorFieldWeights.mean[field] as number) * (rarities[list[j] as number] as number)) /
        (sums[field] as number);
      const from = (list[j] as number) * vectorSize;
      for (let k = 0; k < vectorSize; k += 1)
        means[start + k] = (means[start + k] as number) + share * (matrix[from + k] as number);
    }
    normalise(means, start);
  }

  return {
    query(weights) {
      const list: QueryWordVector[] = [];
      const mean = new Float32Array(vectorSize);
      let total = 0;
      for (const [word, share] of weights) {
        const { vector, importance } = embedder.embed(word);
        const id = ids.get(word);
        const weight = importance * share * (0.5 + 0.5 * rarity(id === undefined ? 0 : (frequency[id] as number)));
        total += weight;
        for (let k = 0; k < vectorSize; k += 1) mean[k] = (mean[k] as number) + weight * (vector[k] as number);
        list.push({ word, vector, weight });
      }
      normalise(mean, 0);
      return { words: list, total, mean };
    },
    cosines({ mean }) {
      const cosines = new Float32Array(count);
      for (let tool = 0; tool < count; tool += 1) cosines[tool] = dot(mean, 0, means, tool * vectorSize);
      return cosines;
    },
    late(query, ordinals) {
      // Each pair of a query's word and a catalogue's word is compared once, however many tools have it.
      const rows: number[] = [];
      for (const tool of ordinals) {
        for (const id of toolWords[tool] as Int32Array) {
          if ((slots[id] as number) >= 0) continue;
          slots[id] = rows.length;
          rows.push(id);
        }
      }
      const width = rows.length;
      const likeness = new Float32Array(query.words.length * width);
      for (const [i, { word, vector }] of query.words.entries()) {
        const known = likenessOf(word);
        for (let slot = 0; slot < width; slot += 1) {
          const id = rows[slot] as number;
          let value = known[id] as number;
          if (value < 0) {
            const cosine = dot(vector, 0, matrix, id * vectorSize);
            value = cosine > lateThreshold ? (cosine - lateThreshold) / (1 - lateThreshold) : 0;
            known[id] = value;
          }
          likeness[i * width + slot] = value;
        }
      }
      const results = ordinals.map((tool) => {
        const fields = toolFields[tool] as Uint8Array;
        const places = Int32Array.from(toolWords[tool] as Int32Array, (id) => slots[id] as number);
        const spoken = new Float32Array(places.length);
        let all = 0;
        for (let i = 0; i < query.words.length; i += 1) {
          const { weight } = query.words[i] as QueryWordVector;
          let best = 0;
          for (let j = 0; j < places.length; j += 1) {
            const field = fields[j] as number;
            const value = likeness[i * width + (places[j] as number)] as number;
            const valued = value * (vectorFieldWeights.late[field] as number);
            if (valued > best) best = valued;
            if (field !== 0) continue;
            const said = Math.min(1, weight) * value;
            if (said > (spoken[j] as number)) spoken[j] = said;
          }
          all += weight * best;
        }
        let nameSpoken = 0;
        let nameTotal = 0;
        for (let j = 0; j < places.length; j += 1) {
          if (fields[j] !== 0) continue;
          const weight = rarities[(toolWords[tool] as Int32Array)[j] as number] as number;
          nameSpoken += weight * (spoken[j] as number);
          nameTotal += weight;
        }
        return { all: all / (query.total || 1), nameSpoken: nameSpoken / (nameTotal || 1) };
      });
      for (const id of rows) slots[id] = -1;
      return results;
    },
  };
}

function dot(a: Float32Array, startA: number, b: Float32Array, startB: number): number {
  let sum = 0;
  for (let k = 0; k < vectorSize; k += 4) {
    sum +=
      (a[startA + k] as number) * (b[startB + k] as number) +
      (a[startA + k + 1] as number) * (b[startB + k + 1] as number) +
      (a[startA + k + 2] as number) * (b[startB + k + 2] as number) +
      (a[startA + k + 3] as number) * (b[startB + k + 3] as number);
  }
  return sum;
}

function normalise(values: Float32Array, start: number): void {
  let square = 0;
  for (let k = 0; k < vectorSize; k += 1) square += (values[start + k] as number) ** 2;
  const scale = 1 / (Math.sqrt(square) || 1);
  for (let k = 0; k < vectorSize; k += 1) values[start + k] = (values[start + k] as number) * scale;
}
