import { withinEditDistance } from '../text/edit-distance.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Finds what was probably meant by a word that no tool has. */
export interface NearMisses {
  /** Terms of the vocabulary for an unknown word, with weights of at most 1; empty when nothing is near enough. */
  find(word: string): readonly { readonly term: string; readonly weight: number }[];
}

/** What is known of the catalogue's terms. */
export interface NearMissOptions {
  readonly vocabulary: Vocabulary;
  /** In how many tools a term occurs now. */
  readonly frequencyOf: (term: string) => number;
  readonly stem: (word: string) => string;
}

/** Shorter words are near to too many others. */
const shortestTypo = 5;
const shortestPart = 3;
const shortestPrefix = 3;
const longest = 40;
const maximumMemory = 5_000;

interface Candidate {
  readonly term: string;
  /** One bit per letter: two words within n edits differ in at most 2n bits. */
  readonly letters: number;
}

/**
 * Near misses over one vocabulary. In this order, the first that gives something: the word is several known words without a separator
 * (`sendmail`); it is the beginning of known words (`config`); it is a known word with a typo (one edit, two from nine letters on).
 */
export function createNearMisses(options: NearMissOptions): NearMisses {
  const { vocabulary, frequencyOf, stem } = options;
  let buckets: Map<string, Candidate[]> | undefined;
  const remembered = new Map<string, readonly { term: string; weight: number }[]>();

  const known = (term: string): boolean => frequencyOf(term) > 0;

  function bucketsOf(): Map<string, Candidate[]> {
    if (buckets !== undefined) return buckets;
    buckets = new Map();
    for (let id = 0; id < vocabulary.size; id += 1) {
      const term = vocabulary.term(id);
      if (term.length < shortestPrefix || term.length > longest || !known(term)) continue;
      const key = bucketKey(term, term.length);
      const bucket = buckets.get(key);
      if (bucket === undefined) buckets.set(key, [{ term, letters: letterBits(term) }]);
      else bucket.push({ term, letters: letterBits(term) });
    }
    return buckets;
  }

  function split(word: string): readonly string[] {
    for (let cut = word.length - shortestPart; cut >= shortestPart; cut -= 1) {
      const head = stem(word.slice(0, cut));
      if (!known(head)) continue;
      const rest = word.slice(cut);
      const tail = stem(rest);
      if (known(tail)) return [head, tail];
      for (let second = rest.length - shortestPart; second >= shortestPart; second -= 1) {
        const middle = stem(rest.slice(0, second));
        const last = stem(rest.slice(second));
        if (known(middle) && known(last)) return [head, middle, last];
      }
    }
    return [];
  }

  function prefixed(word: string): readonly string[] {
    const found: string[] = [];
    for (let length = word.length + 1; length <= Math.min(longest, word.length * 3); length += 1) {
      for (const { term } of bucketsOf().get(bucketKey(word, length)) ?? []) {
        if (term.startsWith(word)) found.push(term);
        if (found.length >= 4) return [];
      }
    }
    return found;
  }

  function mistyped(word: string): readonly string[] {
    const edits = word.length >= 9 ? 2 : 1;
    const letters = letterBits(word);
    for (let allowed = 1; allowed <= edits; allowed += 1) {
      const found: string[] = [];
      for (let length = word.length - allowed; length <= word.length + allowed; length += 1) {
        for (const candidate of bucketsOf().get(bucketKey(word, length)) ?? []) {
          if (bitCount(candidate.letters ^ letters) > 2 * allowed) continue;
          if (withinEditDistance(word, candidate.term, allowed)) found.push(candidate.term);
        }
      }
      if (found.length > 0) return found.slice(0, 3);
    }
    return [];
  }

  return {
    find(word) {
      const before = remembered.get(word);
      if (before !== undefined) return before;
      const stemmed = stem(word);
      let found: readonly { term: string; weight: number }[] = [];
      if (word.length <= longest) {
        const parts = word.length >= 2 * shortestPart ? split(word) : [];
        if (parts.length > 0) found = parts.map((term) => ({ term, weight: 0.8 }));
        else {
          const longer = stemmed.length >= shortestPrefix ? prefixed(stemmed) : [];
          if (longer.length > 0) found = longer.map((term) => ({ term, weight: 0.5 }));
          else if (stemmed.length >= shortestTypo) found = mistyped(stemmed).map((term) => ({ term, weight: 0.6 }));
        }
      }
      if (remembered.size >= maximumMemory) remembered.clear();
      remembered.set(word, found);
      return found;
    },
  };
}

function bucketKey(word: string, length: number): string {
  return `${word.charAt(0)}${length}`;
}

function letterBits(word: string): number {
  let bits = 0;
  for (let index = 0; index < word.length; index += 1) bits |= 1 << (word.charCodeAt(index) & 31);
  return bits;
}

function bitCount(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}
