import type { ToolIndex } from '../index/tool-index.ts';
import { createLateInteraction } from './late-interaction.ts';
import type { LateScores } from './late-interaction.ts';
import { vectorFieldWeights, vectorSize } from './vector-settings.ts';
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

/** Word vectors of one catalogue. */
export interface VectorIndex {
  query(words: ReadonlyMap<string, number>): QueryVectors;
  /** The cosine of every tool's mean with the query's, by ordinal. */
  cosines(query: QueryVectors): Float32Array;
  /** Late interaction with the given tools, in their order. */
  late(query: QueryVectors, ordinals: readonly number[]): readonly LateScores[];
}

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

  const late = createLateInteraction({ matrix, words: toolWords, fields: toolFields, rarities });

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
    late,
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
