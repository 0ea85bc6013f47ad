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

/** Tools that are looked at closely, with what is known of the query's words. */
interface PreparedTools {
  readonly ordinals: readonly number[];
  /** Rarity of each word of all their names; those of the tool at `position` are `nameStarts[position]` up to `nameStarts[position + 1]`. */
  readonly nameRarities: Float32Array;
  readonly nameStarts: Int32Array;
  likeness(word: string, vector: Float32Array): WordLikeness;
}

/** How like a word of the query is to words of tools, from 0 to 1. */
interface WordLikeness {
  /** To the most alike word of each tool, by the tool's position. */
  readonly best: Float64Array;
  /** Numbers of the alike ones among all words of names, and how alike each is. */
  readonly nameWords: Int32Array;
  readonly nameValues: Float32Array;
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

  let prepared: PreparedTools | undefined;

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

  /** Each pair of a query's word and a catalogue's word is compared once, however many tools have it; most are unlike. */
  function prepare(ordinals: readonly number[]): PreparedTools {
    const slotOf = new Map<number, number>();
    const ids: number[] = [];
    const counts: number[] = [];
    let total = 0;
    for (const ordinal of ordinals) {
      for (const id of toolWords[ordinal] as Int32Array) {
        const slot = slotOf.get(id);
        if (slot === undefined) {
          slotOf.set(id, ids.length);
          ids.push(id);
          counts.push(1);
        } else counts[slot] = (counts[slot] as number) + 1;
        total += 1;
      }
    }
    const starts = new Int32Array(ids.length + 1);
    for (const [slot, count] of counts.entries()) starts[slot + 1] = (starts[slot] as number) + count;
    const next = starts.slice();
    const tools = new Int32Array(total);
    const fields = new Uint8Array(total);
    const nameWords = new Int32Array(total).fill(-1);
    const nameRarities: number[] = [];
    const nameStarts = new Int32Array(ordinals.length + 1);
    for (const [tool, ordinal] of ordinals.entries()) {
      const list = toolWords[ordinal] as Int32Array;
      for (let j = 0; j < list.length; j += 1) {
        const slot = slotOf.get(list[j] as number) as number;
        const place = next[slot] as number;
        next[slot] = place + 1;
        const field = (toolFields[ordinal] as Uint8Array)[j] as number;
        tools[place] = tool;
        fields[place] = field;
        if (field !== 0) continue;
        nameWords[place] = nameRarities.length;
        nameRarities.push(rarities[list[j] as number] as number);
      }
      nameStarts[tool + 1] = nameRarities.length;
    }
    const found = new Map<string, WordLikeness>();
    return {
      ordinals,
      nameRarities: Float32Array.from(nameRarities),
      nameStarts,
      likeness(word, vector) {
        let one = found.get(word);
        if (one === undefined) found.set(word, (one = compare(word, vector)));
        return one;
      },
    };

    function compare(word: string, vector: Float32Array): WordLikeness {
      const known = likenessOf(word);
      const best = new Float64Array(ordinals.length);
      const alikeNames: number[] = [];
      const nameValues: number[] = [];
      for (let slot = 0; slot < ids.length; slot += 1) {
        const id = ids[slot] as number;
        if ((known[id] as number) < 0) {
          const cosine = dot(vector, 0, matrix, id * vectorSize);
          known[id] = cosine > lateThreshold ? (cosine - lateThreshold) / (1 - lateThreshold) : 0;
        }
        const value = known[id] as number;
        // Most words are unlike.
        if (value === 0) continue;
        const end = starts[slot + 1] as number;
        for (let place = starts[slot] as number; place < end; place += 1) {
          const tool = tools[place] as number;
          const valued = value * (vectorFieldWeights.late[fields[place] as number] as number);
          if (valued > (best[tool] as number)) best[tool] = valued;
          if (fields[place] !== 0) continue;
          alikeNames.push(nameWords[place] as number);
          nameValues.push(value);
        }
      }
      return { best, nameWords: Int32Array.from(alikeNames), nameValues: Float32Array.from(nameValues) };
    }
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
      // A conversation is read in several ways over the same tools.
      if (prepared?.ordinals !== ordinals) prepared = prepare(ordinals);
      const { nameRarities, nameStarts } = prepared;
      const all = new Float64Array(ordinals.length);
      const spoken = new Float32Array(nameRarities.length);
      for (const { word, vector, weight } of query.words) {
        const { best, nameWords, nameValues } = prepared.likeness(word, vector);
        for (let tool = 0; tool < all.length; tool += 1)
          all[tool] = (all[tool] as number) + weight * (best[tool] as number);
        const most = Math.min(1, weight);
        for (let one = 0; one < nameWords.length; one += 1) {
          const said = most * (nameValues[one] as number);
          const nameWord = nameWords[one] as number;
          if (said > (spoken[nameWord] as number)) spoken[nameWord] = said;
        }
      }
      return ordinals.map((_, tool) => {
        let nameSpoken = 0;
        let nameTotal = 0;
        for (let place = nameStarts[tool] as number; place < (nameStarts[tool + 1] as number); place += 1) {
          const weight = nameRarities[place] as number;
          nameSpoken += weight * (spoken[place] as number);
          nameTotal += weight;
        }
        return { all: (all[tool] as number) / (query.total || 1), nameSpoken: nameSpoken / (nameTotal || 1) };
      });
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
