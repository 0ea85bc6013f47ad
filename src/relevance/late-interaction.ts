import { lateThreshold, vectorFieldWeights, vectorSize } from './vector-settings.ts';
import type { QueryVectors, QueryWordVector } from './vector-index.ts';

/** Late interaction of a query with one tool, each from 0 to 1. */
export interface LateScores {
  /** Share of the query's weight that the tool answers, over all fields. */
  readonly all: number;
  /** Share of the name that the query speaks of. */
  readonly nameSpoken: number;
}

/** The words of a catalogue. */
export interface CatalogueWords {
  /** A row of {@link vectorSize} numbers for each word. */
  readonly matrix: Float32Array;
  /** Of each tool, by ordinal: its words' rows, and the field of each (0 name, 1 description, 2 parameters). */
  readonly words: readonly Int32Array[];
  readonly fields: readonly Uint8Array[];
  /** Of each word, 0 (in every tool) to 1 (in none). */
  readonly rarities: Float32Array;
}

/** Tools that are looked at closely. Each word that any of them has is a slot; it stands at the places `starts[slot]` up to `starts[slot + 1]`. */
interface CloseTools {
  readonly ordinals: readonly number[];
  /** The word of each slot. */
  readonly ids: Int32Array;
  readonly starts: Int32Array;
  /** Of each place the tool's position in `ordinals`, the field, and its number among the words of all names, or -1. */
  readonly tools: Int32Array;
  readonly fields: Uint8Array;
  readonly nameWords: Int32Array;
  /** Rarity of each word of the names; those of the tool at `position` are `nameStarts[position]` up to `nameStarts[position + 1]`. */
  readonly nameRarities: Float32Array;
  readonly nameStarts: Int32Array;
  /** What is known of words of queries. */
  readonly likeness: Map<string, WordLikeness>;
}

/** How like a word of a query is to words of tools, from 0 to 1. */
interface WordLikeness {
  /** To the most alike word of each tool, by the tool's position. */
  readonly best: Float64Array;
  /** The alike ones among the words of names, and how alike each is. */
  readonly nameWords: Int32Array;
  readonly nameValues: Float32Array;
}

const maximumRemembered = 512;

/** Words of a query that are compared at once: a row of the matrix is read once for all of them. */
const together = 4;

/**
 * Makes the late interaction (ColBERT, Khattab and Zaharia 2020) of a catalogue: for each word of a query the most alike word of a tool counts. A pair of
 * words is compared once, however many tools and readings of a conversation have it.
 */
export function createLateInteraction(
  catalogue: CatalogueWords,
): (query: QueryVectors, ordinals: readonly number[]) => readonly LateScores[] {
  const { matrix, rarities } = catalogue;

  /** Likeness of words of queries to the catalogue's words; -1 where not compared yet. A conversation repeats its words. */
  const remembered = new Map<string, Float32Array>();
  let close: CloseTools | undefined;

  function rememberedFor(word: string): Float32Array {
    let known = remembered.get(word);
    if (known === undefined) {
      if (remembered.size >= maximumRemembered) remembered.delete(remembered.keys().next().value as string);
      known = new Float32Array(rarities.length).fill(-1);
      remembered.set(word, known);
    }
    return known;
  }

  function learn(query: readonly QueryWordVector[], tools: CloseTools): void {
    const { ids, likeness } = tools;
    const unknown = query.filter(({ word }) => !likeness.has(word));
    for (let start = 0; start < unknown.length; start += together) {
      const group = unknown.slice(start, start + together);
      const known = group.map(({ word }) => rememberedFor(word));
      compare(group, known, ids, matrix);
      for (const [place, { word }] of group.entries())
        likeness.set(word, likenessOf(known[place] as Float32Array, tools));
    }
  }

  return (query, ordinals) => {
    // A conversation is read in several ways over the same tools.
    if (close?.ordinals !== ordinals) close = lookClosely(catalogue, ordinals);
    learn(query.words, close);
    const { nameRarities, nameStarts, likeness } = close;
    const all = new Float64Array(ordinals.length);
    const spoken = new Float32Array(nameRarities.length);
    for (const { word, weight } of query.words) {
      const { best, nameWords, nameValues } = likeness.get(word) as WordLikeness;
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
  };
}

function lookClosely({ words, fields, rarities }: CatalogueWords, ordinals: readonly number[]): CloseTools {
  const slots = new Map<number, number>();
  const counts: number[] = [];
  let total = 0;
  for (const ordinal of ordinals) {
    const list = words[ordinal] as Int32Array;
    total += list.length;
    for (const id of list) {
      const slot = slots.get(id);
      if (slot === undefined) {
        slots.set(id, counts.length);
        counts.push(1);
      } else counts[slot] = (counts[slot] as number) + 1;
    }
  }
  const starts = new Int32Array(counts.length + 1);
  for (const [slot, count] of counts.entries()) starts[slot + 1] = (starts[slot] as number) + count;
  const next = starts.slice();
  const tools = new Int32Array(total);
  const fieldOf = new Uint8Array(total);
  const nameWords = new Int32Array(total).fill(-1);
  const nameRarities: number[] = [];
  const nameStarts = new Int32Array(ordinals.length + 1);
  for (const [tool, ordinal] of ordinals.entries()) {
    const list = words[ordinal] as Int32Array;
    const own = fields[ordinal] as Uint8Array;
    for (let j = 0; j < list.length; j += 1) {
      const id = list[j] as number;
      const slot = slots.get(id) as number;
      const place = next[slot] as number;
      next[slot] = place + 1;
      tools[place] = tool;
      fieldOf[place] = own[j] as number;
      if (own[j] !== 0) continue;
      nameWords[place] = nameRarities.length;
      nameRarities.push(rarities[id] as number);
    }
    nameStarts[tool + 1] = nameRarities.length;
  }
  return {
    ordinals,
    ids: Int32Array.from(slots.keys()),
    starts,
    tools,
    fields: fieldOf,
    nameWords,
    nameRarities: Float32Array.from(nameRarities),
    nameStarts,
    likeness: new Map(),
  };
}

/** Fills in `known[place][id]` of each word of the group where it is not known yet. */
function compare(
  group: readonly QueryWordVector[],
  known: readonly Float32Array[],
  ids: Int32Array,
  matrix: Float32Array,
): void {
  const last = group.length - 1;
  const [a, b, c, d] = Array.from({ length: together }, (_, place) => group[Math.min(place, last)]?.vector) as [
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  const cosines = new Float64Array(together);
  for (let slot = 0; slot < ids.length; slot += 1) {
    const id = ids[slot] as number;
    let isKnown = true;
    for (let place = 0; place <= last && isKnown; place += 1)
      isKnown = ((known[place] as Float32Array)[id] as number) >= 0;
    if (isKnown) continue;
    const row = id * vectorSize;
    let first = 0;
    let second = 0;
    let third = 0;
    let fourth = 0;
    for (let k = 0; k < vectorSize; k += 1) {
      const value = matrix[row + k] as number;
      first += (a[k] as number) * value;
      second += (b[k] as number) * value;
      third += (c[k] as number) * value;
      fourth += (d[k] as number) * value;
    }
    cosines[0] = first;
    cosines[1] = second;
    cosines[2] = third;
    cosines[3] = fourth;
    for (let place = 0; place <= last; place += 1) {
      const cosine = cosines[place] as number;
      (known[place] as Float32Array)[id] = cosine > lateThreshold ? (cosine - lateThreshold) / (1 - lateThreshold) : 0;
    }
  }
}

function likenessOf(
  known: Float32Array,
  { ordinals, ids, starts, tools, fields, nameWords }: CloseTools,
): WordLikeness {
  const best = new Float64Array(ordinals.length);
  const alike: number[] = [];
  const nameValues: number[] = [];
  for (let slot = 0; slot < ids.length; slot += 1) {
    const value = known[ids[slot] as number] as number;
    // Most words are unlike.
    if (value === 0) continue;
    const end = starts[slot + 1] as number;
    for (let place = starts[slot] as number; place < end; place += 1) {
      const tool = tools[place] as number;
      const valued = value * (vectorFieldWeights.late[fields[place] as number] as number);
      if (valued > (best[tool] as number)) best[tool] = valued;
      if (fields[place] !== 0) continue;
      alike.push(nameWords[place] as number);
      nameValues.push(value);
    }
  }
  return { best, nameWords: Int32Array.from(alike), nameValues: Float32Array.from(nameValues) };
}
