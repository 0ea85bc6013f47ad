import type { SynonymTable } from '../text/synonyms.ts';
import { builtInSynonyms, createSynonyms } from '../text/synonyms.ts';
import type { Tokenizer } from '../text/tokenizer.ts';
import type { NearMisses } from './near-misses.ts';
import { queryWords } from './query.ts';
import type { QueryTerm, QueryWord } from './query.ts';

/** What is derived from a query's words. */
export interface ExpansionOptions {
  /** Groups of words or short phrases that mean the same to this catalogue, beside the built-in ones. */
  readonly synonyms?: SynonymTable | undefined;
  /** Default true. */
  readonly builtInSynonyms?: boolean | undefined;
  /** Typos, missing separators and beginnings of words, for words that no tool has. Default true. */
  readonly nearMisses?: boolean | undefined;
}

/** What {@link expandQuery} works with. */
export interface ExpansionContext {
  readonly tokenizer: Tokenizer;
  readonly frequencyOf: (term: string) => number;
  readonly nearMisses: NearMisses;
  readonly options: ExpansionOptions;
}

/** How much a derived term counts beside a written one. */
const synonymWeight = 0.4;
/** As {@link synonymWeight}, for the verb of a polite phrase ("show me …"). */
const droppedWeight = 0.2;
const partWeight = 0.4;
const joinWeight = 0.7;
/** Unknown words that are looked at; the rest of a long paste is not. */
const maximumNearMisses = 12;

/** The terms of a query and what is derived from them. */
export function expandQuery(text: string, context: ExpansionContext): readonly QueryTerm[] {
  const { tokenizer, frequencyOf, nearMisses, options } = context;
  const { words, dropped } = queryWords(text, tokenizer);
  const terms = new Map<string, QueryTerm>();
  const put = (term: QueryTerm): void => {
    const known = terms.get(term.term);
    if (known === undefined || known.weight < term.weight) terms.set(term.term, term);
  };
  const damped = partsOfKnown(words, frequencyOf);
  for (const word of words) {
    put({ term: word.term, weight: word.weight * (damped.has(word) ? partWeight : 1), origin: 'written' });
  }
  for (const [place, word] of words.entries()) {
    const next = words[place + 1];
    if (next !== undefined && canJoin(word) && canJoin(next)) {
      const joined = tokenizer.stem(word.word + next.word);
      if (frequencyOf(joined) > 0) put({ term: joined, weight: joinWeight, origin: 'joined', of: word.term });
    }
  }
  const tables: SynonymTable[] = [];
  if (options.builtInSynonyms !== false) tables.push(builtInSynonyms);
  if (options.synonyms !== undefined) tables.push(options.synonyms);
  const written = words.map((word) => word.term);
  const droppedTerms = new Set(dropped);
  for (const table of tables) {
    // "show" is dropped as a word, and still says that something is to be read.
    for (const { term, of } of createSynonyms(table, tokenizer).expand([...written, ...dropped])) {
      if (!droppedTerms.has(term))
        put({ term, weight: droppedTerms.has(of) ? droppedWeight : synonymWeight, origin: 'synonym', of });
    }
  }
  if (options.nearMisses !== false) {
    let looked = 0;
    for (const word of words) {
      if (word.kind === 'gram' || word.kind === 'joined' || word.number || frequencyOf(word.term) > 0) continue;
      if (looked >= maximumNearMisses) break;
      looked += 1;
      for (const { term, weight } of nearMisses.find(word.word))
        put({ term, weight, origin: 'near-miss', of: word.term });
    }
  }
  return [...terms.values()];
}

/** Parts of identifiers that tools know as a whole: where `github` is known, `git` and `hub` say little. */
function partsOfKnown(words: readonly QueryWord[], frequencyOf: (term: string) => number): ReadonlySet<QueryWord> {
  const parts = new Set<QueryWord>();
  let open: QueryWord[] = [];
  for (const word of words) {
    if (word.kind === 'part') open.push(word);
    else {
      if (word.kind === 'joined' && frequencyOf(word.term) > 0) {
        for (const part of open) if (word.word.includes(part.word)) parts.add(part);
      }
      open = [];
    }
  }
  return parts;
}

function canJoin(word: QueryWord): boolean {
  return word.kind === 'word' && !word.number && word.word.length >= 1;
}
