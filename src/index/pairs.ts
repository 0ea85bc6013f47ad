import { indexFields } from './fields.ts';
import { buildPostings } from './postings.ts';
import type { Bm25Options, Postings, ToolTerms } from './postings.ts';

/** Terms that follow each other, as terms of their own: what distinguishes "word count" from a text that counts and has words. */
export interface Pairs {
  /** The number of a pair of terms in that order, or undefined when no tool has it. */
  find(first: number, second: number): number | undefined;
  readonly postings: Postings;
}

/** Fields whose texts are phrases. Lists of values, aliases and servers are not. */
const phraseFields = new Set<string>(['name', 'description', 'parameterNames', 'parameterDescriptions']);

/** Collects the pairs of all tools. */
export function buildPairs(documents: readonly ToolTerms[], options: Bm25Options): Pairs {
  const table = createPairTable();
  const pairs = documents.map((fields) =>
    fields.map((ids, field) => {
      if (ids.length < 2 || !phraseFields.has(indexFields[field] as string)) return new Uint32Array(0);
      const numbers = new Uint32Array(ids.length - 1);
      for (let place = 0; place < numbers.length; place += 1) {
        numbers[place] = table.add(ids[place] as number, ids[place + 1] as number);
      }
      return numbers;
    }),
  );
  return { find: (first, second) => table.find(first, second), postings: buildPostings(pairs, table.size, options) };
}

interface PairTable {
  readonly size: number;
  add(first: number, second: number): number;
  find(first: number, second: number): number | undefined;
}

/** Pairs of numbers below 2^26 and their own numbers: open addressing over typed arrays, at most half full. */
function createPairTable(): PairTable {
  let keys = new Float64Array(1_024).fill(-1);
  let numbers = new Uint32Array(1_024);
  let size = 0;

  const slotOf = (key: number, first: number, second: number): number => {
    const mask = keys.length - 1;
    let slot = (Math.imul(first, 0x9e_37_79_b1) ^ Math.imul(second, 0x85_eb_ca_6b)) >>> 7;
    for (slot &= mask; keys[slot] !== -1 && keys[slot] !== key; slot = (slot + 1) & mask);
    return slot;
  };

  function grow(): void {
    const old = { keys, numbers };
    keys = new Float64Array(old.keys.length * 2).fill(-1);
    numbers = new Uint32Array(keys.length);
    for (const [place, key] of old.keys.entries()) {
      if (key === -1) continue;
      const slot = slotOf(key, Math.floor(key / 0x4_00_00_00), key % 0x4_00_00_00);
      keys[slot] = key;
      numbers[slot] = old.numbers[place] as number;
    }
  }

  return {
    get size() {
      return size;
    },
    add(first, second) {
      const key = first * 0x4_00_00_00 + second;
      let slot = slotOf(key, first, second);
      if (keys[slot] === key) return numbers[slot] as number;
      if (size * 2 >= keys.length) {
        grow();
        slot = slotOf(key, first, second);
      }
      keys[slot] = key;
      numbers[slot] = size;
      size += 1;
      return size - 1;
    },
    find(first, second) {
      const key = first * 0x4_00_00_00 + second;
      const slot = slotOf(key, first, second);
      return keys[slot] === key ? (numbers[slot] as number) : undefined;
    },
  };
}
