import type { Tokenizer } from './tokenizer.ts';

/** Groups of words or short phrases; within a group each stands for each other. Order has no meaning. */
export type SynonymTable = readonly (readonly string[])[];

/** Synonyms ready to be looked up. */
export interface Synonyms {
  /** Terms that stand for some of these terms, each with the term it stands for. A phrase stands for itself when all its terms are there. */
  expand(terms: readonly string[]): readonly { readonly term: string; readonly of: string }[];
}

/**
 * Acronyms of the trade, everyday words for what APIs call otherwise, and everyday verbs for the verbs of APIs. No group mixes verbs that
 * read with verbs that change or destroy: a wish to look must never lift a tool that deletes.
 */
export const builtInSynonyms: SynonymTable = [
  ['get', 'show', 'fetch', 'retrieve', 'read', 'view', 'display'],
  ['list', 'show', 'browse', 'enumerate'],
  ['search', 'find', 'look up', 'lookup', 'query', 'locate'],
  ['delete', 'remove', 'erase', 'destroy', 'purge', 'drop'],
  ['create', 'add', 'make', 'new', 'insert'],
  ['update', 'edit', 'modify', 'change', 'patch'],
  ['send', 'post', 'deliver'],
  ['cancel', 'abort'],
  ['buy', 'purchase', 'order'],
  ['book', 'reserve', 'reservation', 'booking'],
  ['run', 'execute', 'invoke'],
  ['start', 'launch', 'begin'],
  ['stop', 'halt', 'terminate'],
  ['translate', 'translation'],
  ['db', 'database'],
  ['repo', 'repository'],
  ['pr', 'pull request'],
  ['mr', 'merge request'],
  ['k8s', 'kubernetes'],
  ['config', 'configuration', 'settings'],
  ['auth', 'authentication'],
  ['msg', 'message'],
  ['img', 'image', 'picture', 'photo'],
  ['clip', 'video', 'movie', 'film'],
  ['doc', 'document'],
  ['docs', 'documentation'],
  ['dir', 'directory', 'folder'],
  ['env', 'environment'],
  ['mail', 'email'],
  ['dm', 'direct message'],
  ['cal', 'calendar'],
  ['meeting', 'event', 'appointment'],
  ['ticket', 'issue'],
  ['url', 'link'],
  ['song', 'music', 'track'],
  ['flight', 'plane'],
  ['car', 'vehicle', 'auto'],
  ['doctor', 'physician'],
  ['weather', 'forecast'],
  ['shop', 'store'],
  ['job', 'employment'],
  ['avg', 'average', 'mean'],
  ['max', 'maximum'],
  ['min', 'minimum'],
  ['calc', 'calculate', 'compute'],
  ['temp', 'temperature'],
  ['org', 'organization', 'organisation'],
  ['addr', 'address'],
  ['qty', 'quantity'],
  ['tz', 'timezone', 'time zone'],
  ['fx', 'currency', 'exchange rate'],
  ['kb', 'knowledge base'],
  ['crm', 'customer'],
  ['transfer', 'wire'],
];

interface Phrase {
  readonly terms: readonly string[];
  readonly others: readonly (readonly string[])[];
}

const prepared = new WeakMap<Tokenizer, WeakMap<SynonymTable, Synonyms>>();

/** Prepares a table for a tokenizer; the same pair is prepared once. */
export function createSynonyms(table: SynonymTable, tokenizer: Tokenizer): Synonyms {
  let byTable = prepared.get(tokenizer);
  if (byTable === undefined) prepared.set(tokenizer, (byTable = new WeakMap()));
  let synonyms = byTable.get(table);
  if (synonyms === undefined) byTable.set(table, (synonyms = prepare(table, tokenizer)));
  return synonyms;
}

function prepare(table: SynonymTable, tokenizer: Tokenizer): Synonyms {
  const byFirstTerm = new Map<string, Phrase[]>();
  for (const group of table) {
    const members = group
      .map((member) => tokenizer.tokenize(member).map((token) => token.term))
      .filter((terms) => terms.length > 0);
    for (const [place, terms] of members.entries()) {
      const first = terms[0] as string;
      const phrase: Phrase = { terms, others: members.filter((_member, other) => other !== place) };
      const known = byFirstTerm.get(first);
      if (known === undefined) byFirstTerm.set(first, [phrase]);
      else known.push(phrase);
    }
  }
  return {
    expand(terms) {
      const present = new Set(terms);
      const found: { term: string; of: string }[] = [];
      for (const term of present) {
        for (const phrase of byFirstTerm.get(term) ?? []) {
          if (!phrase.terms.every((one) => present.has(one))) continue;
          for (const other of phrase.others)
            for (const one of other) if (!present.has(one)) found.push({ term: one, of: term });
        }
      }
      return found;
    },
  };
}
