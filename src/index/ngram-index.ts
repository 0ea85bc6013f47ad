import { fold } from '../text/fold.ts';
import { createTokenizer } from '../text/tokenizer.ts';
import type { Tokenizer } from '../text/tokenizer.ts';
import type { ToolDefinition } from '../core/tool.ts';
import { fieldTexts } from './fields.ts';
import type { IndexHit } from './tool-index.ts';

/** A tool that shares n-grams with a query. */
export interface NgramHit extends IndexHit {
  /**
   * How much of the query's best-matched word the tool has, 0 to 1: 1 when every n-gram of the word occurs in the tool, rare n-grams
   * counting more, and half of it when none of the tool's words begins with the word's first two letters. Tells a misspelling from words
   * that merely have an ending in common.
   */
  readonly coverage: number;
}

/** Cosine between the character n-grams of a query and of each tool: finds word parts, compounds and misspellings that stems do not. */
export interface NgramIndex {
  set(tools: readonly ToolDefinition[]): void;
  /** Tools that share at least one n-gram and have `minCoverage` (default 0) of a word, best first; scores above 0 up to 1. */
  search(
    query: string,
    options?: { readonly limit?: number | undefined; readonly minCoverage?: number | undefined },
  ): readonly NgramHit[];
  /** The cosine of every tool with the query, by ordinal; 0 where no n-gram is shared. For callers that want no coverage and no order. */
  scores(query: string): Float64Array;
}

const shortest = 3;
const longest = 5;
const maximumCharacters = 2_000;

/**
 * An index of 3- to 5-grams over name, description, parameter names and parameter descriptions, weighted by `(1 + ln tf) * ln(1 + N / df)`. Stop
 * words are left out on both sides.
 */
export function createNgramIndex(options: { readonly tokenizer?: Tokenizer | undefined } = {}): NgramIndex {
  const tokenizer = options.tokenizer ?? createTokenizer();
  let names: readonly string[] = [];
  let ids = new Map<string, number>();
  let offsets = new Uint32Array(1);
  let tools = new Uint32Array(0);
  let weights = new Float32Array(0);
  let idf = new Float64Array(0);
  let scores = new Float64Array(0);
  let best = new Float64Array(0);
  let ofWord = new Float64Array(0);
  let lastWord = new Int32Array(0);
  let begun = new Int32Array(0);

  function words(text: string): readonly string[] {
    const kept: string[] = [];
    let length = 0;
    for (const token of tokenizer.tokenize(text)) {
      if (token.stop || token.kind === 'joined' || token.kind === 'gram') continue;
      length += token.word.length + 1;
      if (length > maximumCharacters) break;
      kept.push(token.word);
    }
    return kept;
  }

  const rarity = (id: number | undefined): number =>
    id === undefined ? Math.log(1 + names.length) : (idf[id] as number);

  return {
    set(definitions) {
      names = definitions.map((tool) => tool.name);
      ids = new Map();
      const documents = definitions.map((tool) => {
        const { name, description, parameterNames, parameterDescriptions } = fieldTexts(tool);
        return grams(words([name, description, parameterNames, parameterDescriptions].join('\n')));
      });
      const frequency: number[] = [];
      for (const document of documents) {
        for (const gram of document.keys()) {
          let id = ids.get(gram);
          if (id === undefined) ids.set(gram, (id = ids.size));
          frequency[id] = (frequency[id] ?? 0) + 1;
        }
      }
      idf = Float64Array.from(frequency, (count) => Math.log(1 + documents.length / count));
      offsets = new Uint32Array(frequency.length + 1);
      for (const [id, count] of frequency.entries()) offsets[id + 1] = (offsets[id] as number) + count;
      tools = new Uint32Array(offsets[frequency.length] as number);
      weights = new Float32Array(tools.length);
      const next = offsets.slice();
      for (const [ordinal, document] of documents.entries()) {
        let square = 0;
        for (const [gram, count] of document)
          square += ((1 + Math.log(count)) * (idf[ids.get(gram) as number] as number)) ** 2;
        const inverse = 1 / (Math.sqrt(square) || 1);
        for (const [gram, count] of document) {
          const id = ids.get(gram) as number;
          const row = next[id] as number;
          next[id] = row + 1;
          tools[row] = ordinal;
          weights[row] = (1 + Math.log(count)) * (idf[id] as number) * inverse;
        }
      }
      scores = new Float64Array(definitions.length);
      best = new Float64Array(definitions.length);
      ofWord = new Float64Array(definitions.length);
      lastWord = new Int32Array(definitions.length);
      begun = new Int32Array(definitions.length);
    },
    scores(query) {
      const cosines = new Float64Array(names.length);
      let square = 0;
      for (const [gram, count] of grams(words(query))) {
        const id = ids.get(gram);
        const weight = (1 + Math.log(count)) * rarity(id);
        square += weight ** 2;
        if (id === undefined) continue;
        const end = offsets[id + 1] as number;
        for (let row = offsets[id] as number; row < end; row += 1) {
          const ordinal = tools[row] as number;
          cosines[ordinal] = (cosines[ordinal] as number) + weight * (weights[row] as number);
        }
      }
      const inverse = 1 / (Math.sqrt(square) || 1);
      return cosines.map((value) => value * inverse);
    },
    search(query, { limit, minCoverage = 0 } = {}) {
      const touched: number[] = [];
      const queryWords = words(query);
      const left = grams(queryWords);
      let square = 0;
      for (const [gram, count] of left) square += ((1 + Math.log(count)) * rarity(ids.get(gram))) ** 2;
      lastWord.fill(-1);
      begun.fill(-1);

      /** Adds one n-gram to the scores unless it has been, and its share of the word (a number from 0) to the coverage. */
      function visit(gram: string, word: number, share: number, isFirst = false): void {
        const id = ids.get(gram);
        const count = left.get(gram);
        left.delete(gram);
        if (id === undefined) return;
        const weight = count === undefined ? 0 : (1 + Math.log(count)) * (idf[id] as number);
        const end = offsets[id + 1] as number;
        for (let row = offsets[id] as number; row < end; row += 1) {
          const ordinal = tools[row] as number;
          if (weight > 0) {
            const before = scores[ordinal] as number;
            if (before === 0) touched.push(ordinal);
            scores[ordinal] = before + weight * (weights[row] as number);
          }
          if (share === 0) continue;
          const covered = lastWord[ordinal] === word ? (ofWord[ordinal] as number) + share : share;
          lastWord[ordinal] = word;
          ofWord[ordinal] = covered;
          if (isFirst) begun[ordinal] = word;
          const counted = begun[ordinal] === word ? covered : covered / 2;
          if (counted > (best[ordinal] as number)) best[ordinal] = counted;
        }
      }

      for (const [number, word] of [...new Set(queryWords)].entries()) {
        const own = [...grams([word]).keys()];
        let total = 0;
        for (const gram of own) total += rarity(ids.get(gram));
        for (const [place, gram] of own.entries())
          visit(gram, number, rarity(ids.get(gram)) / (total || 1), place === 0);
      }
      // What is left stands across two words.
      for (const gram of left.keys()) visit(gram, -1, 0);

      const inverse = 1 / (Math.sqrt(square) || 1);
      const hits: NgramHit[] = [];
      for (const ordinal of touched) {
        const coverage = Math.min(1, best[ordinal] as number);
        if (coverage >= minCoverage)
          hits.push({
            name: names[ordinal] as string,
            ordinal,
            score: (scores[ordinal] as number) * inverse,
            coverage,
          });
        scores[ordinal] = 0;
        best[ordinal] = 0;
      }
      hits.sort((a, b) => b.score - a.score || a.ordinal - b.ordinal);
      return limit === undefined ? hits : hits.slice(0, Math.max(0, limit));
    },
  };
}

/** Counts of the n-grams of a line of words. */
function grams(words: readonly string[]): Map<string, number> {
  const line = fold(` ${words.join(' ')} `);
  const counts = new Map<string, number>();
  for (let size = shortest; size <= longest; size += 1) {
    for (let start = 0; start + size <= line.length; start += 1) {
      const gram = line.slice(start, start + size);
      counts.set(gram, (counts.get(gram) ?? 0) + 1);
    }
  }
  return counts;
}
