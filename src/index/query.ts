import type { Tokenizer } from '../text/tokenizer.ts';

/** Terms of a query with their weights. Weights are above 0; a plain word that occurs once has 1. */
export type QueryTerms = ReadonlyMap<string, number>;

/** Why a term is in a query: it was written, or it was derived from what was written. */
export type QueryTermOrigin = 'written' | 'joined' | 'synonym' | 'near-miss';

/** One term of an analysed query. */
export interface QueryTerm {
  readonly term: string;
  /** Above 0. A word written once has 1, one written more often at most `sqrt(2)`, a derived one less. */
  readonly weight: number;
  readonly origin: QueryTermOrigin;
  /** For derived terms: the written term that they stand for. They never weigh more than it. */
  readonly of?: string | undefined;
  /** True: counts where it occurs in a tool's name or aliases only (numbers). */
  readonly nameOnly?: boolean | undefined;
}

/** Longer queries are cut: what follows the first pages of a paste says little about the tool that is meant. */
export const maximumQueryLength = 20_000;
/** More different terms than this are ignored, so that the work for one query is bounded whatever it is. */
export const maximumQueryTerms = 400;

/** A word of a query in its place, before anything is derived from it. */
export interface QueryWord {
  readonly term: string;
  readonly word: string;
  readonly weight: number;
  readonly kind: 'word' | 'part' | 'joined' | 'gram';
  readonly number: boolean;
}

/** The words of a query. */
export interface QueryWords {
  /** Content words (all words where there are no content words), in the order of first sight, repetitions damped. */
  readonly words: readonly QueryWord[];
  /** Terms of the stop words that were dropped. */
  readonly dropped: readonly string[];
}

/** Reads at most {@link maximumQueryTerms} different words of a query. */
export function queryWords(text: string, tokenizer: Tokenizer): QueryWords {
  const tokens = tokenizer.tokenize(text.length > maximumQueryLength ? text.slice(0, maximumQueryLength) : text);
  const hasContent = tokens.some((token) => !token.stop);
  const counts = new Map<string, { word: QueryWord; count: number }>();
  const dropped = new Set<string>();
  for (const { term, word, kind, number, stop } of tokens) {
    const known = counts.get(term);
    if (stop && hasContent) dropped.add(term);
    else if (known !== undefined) known.count += 1;
    else if (counts.size < maximumQueryTerms)
      counts.set(term, { word: { term, word, kind, number, weight: 1 }, count: 1 });
  }
  const words = [...counts.values()].map(({ word, count }) => (count === 1 ? word : { ...word, weight: Math.SQRT2 }));
  return { words, dropped: [...dropped] };
}
