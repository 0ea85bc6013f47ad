import type { ToolDefinition } from '../core/tool.ts';
import { createTokenizer } from '../text/tokenizer.ts';
import type { Tokenizer } from '../text/tokenizer.ts';
import { expandQuery } from './expand.ts';
import type { ExpansionOptions } from './expand.ts';
import { fieldTexts, indexFields } from './fields.ts';
import type { FieldTexts, IndexField } from './fields.ts';
import { createNearMisses } from './near-misses.ts';
import type { NearMisses } from './near-misses.ts';
import { buildPairs } from './pairs.ts';
import type { Pairs } from './pairs.ts';
import { buildPostings, inverseDocumentFrequency } from './postings.ts';
import type { Bm25Options, Postings } from './postings.ts';
import type { QueryTerm, QueryTerms } from './query.ts';
import { readSnapshot, writeSnapshot } from './snapshot.ts';
import { createVocabulary } from './vocabulary.ts';

/** How a {@link ToolIndex} works. */
export interface ToolIndexOptions extends Bm25Options, ExpansionOptions {
  /** Default: `createTokenizer()`, English. */
  readonly tokenizer?: Tokenizer | undefined;
}

/** What a search takes into account. */
export interface IndexSearchOptions {
  /** At most this many, 1 or more. Default: all that match. */
  readonly limit?: number | undefined;
  /** Only tools for which this holds. It limits the candidates; scores do not depend on it. */
  readonly filter?: ((tool: ToolDefinition, ordinal: number) => boolean) | undefined;
  /** Only tools of the server with exactly this name. */
  readonly server?: string | undefined;
  /** Only tools whose hint has exactly this value, for example `{ readOnlyHint: true }`. A missing hint matches nothing. */
  readonly annotations?:
    | Partial<Readonly<Record<'readOnlyHint' | 'destructiveHint' | 'idempotentHint' | 'openWorldHint', boolean>>>
    | undefined;
}

/** One tool that matches a query. */
export interface IndexHit {
  readonly name: string;
  /** The tool's place in the catalogue, counted from 0. */
  readonly ordinal: number;
  /**
   * BM25F, plus BM25F of adjacent pairs of words times 0.3, plus 0.05 of the query's idf times the share of the tool's name that the query covers. Above
   * 0; comparable within one query only.
   */
  readonly score: number;
}

/** Scores by field: BM25 of each field alone, without the field's weight, 0 where nothing matches. */
export type FieldScores = Readonly<Record<IndexField, Float64Array>>;

/**
 * A lexical index over one catalogue. Ordinals are places in the catalogue as set: they change when tools are removed. A query is a
 * text, or terms with weights (`queryTerms` gives those of a text, to be mixed by the caller). All results are
 * deterministic; equal scores stand in the catalogue's order.
 *
 * Changes are cheap to make and are worked in when the next question is asked: only new or changed texts are read again.
 */
export interface ToolIndex {
  readonly size: number;
  readonly tools: readonly ToolDefinition[];
  /** Makes these the tools, in this order. Tools whose texts did not change are not read again. Of several with one name the first counts. */
  set(tools: readonly ToolDefinition[]): void;
  /** Puts a tool at the end, or, where one of its name is known, in that one's place. */
  add(tool: ToolDefinition): void;
  /** False when no tool has this name. */
  remove(name: string): boolean;
  /** The place of the tool with exactly this name. */
  ordinalOf(name: string): number | undefined;

  /** Best first. Text that says nothing gives nothing. */
  search(query: string | QueryTerms, options?: IndexSearchOptions): readonly IndexHit[];
  /** The score of every tool, by ordinal; 0 for those that do not match. The array is the caller's. */
  scores(query: string | QueryTerms): Float64Array;
  /** The BM25 scores of each field alone (no pairs, no share of the name), for the given ordinals in their order, else for all tools. */
  fieldScores(query: string | QueryTerms, ordinals?: readonly number[]): FieldScores;

  /** What a text asks for, with everything that was derived from it. */
  analyse(text: string): readonly QueryTerm[];
  /** The written terms of a text with their weights, nothing derived. */
  queryTerms(text: string): QueryTerms;
  /** In how many tools a term (a stem, as in {@link QueryTerms}) occurs. */
  documentFrequency(term: string): number;
  /** `ln(1 + (N - df + 0.5) / (df + 0.5))`; the highest value for terms that no tool has. */
  idf(term: string): number;
  /** The terms of a field of a tool in order, with repetitions; stop words only where the field is `name` or `aliases`. */
  terms(ordinal: number, field: IndexField): readonly string[];
  /** The untouched texts of a tool's fields. */
  texts(ordinal: number): FieldTexts;
  readonly tokenizer: Tokenizer;

  /** The index as bytes. Keep them under the catalogue's fingerprint, or any name: a wrong file costs time, never correctness. */
  save(): Uint8Array;
  /**
   * Sets the tools and takes what it can from bytes that {@link ToolIndex.save} made, for the tools whose texts are the same.
   * Gives how many tools did not have to be read. Bytes that are broken or of another version give 0, never an error.
   */
  load(bytes: Uint8Array, tools: readonly ToolDefinition[]): number;
}

interface Entry {
  readonly tool: ToolDefinition;
  readonly texts: FieldTexts;
  readonly ids: readonly Uint32Array[];
}

interface WeighedTerm {
  readonly id: number;
  readonly weight: number;
  readonly idf: number;
  readonly written: boolean;
}

const nameField = indexFields.indexOf('name');
/** How much two words next to each other count beside each word alone. */
const pairWeight = 0.3;
/** How much a wholly matched name counts beside the whole query: the short root tool stands before its longer siblings. */
const coverageWeight = 0.05;

const maximumAnalysed = 16;

/** An empty index. Throws `invalid-option` for options out of range. */
export function createToolIndex(options: ToolIndexOptions = {}): ToolIndex {
  const tokenizer = options.tokenizer ?? createTokenizer();
  const vocabulary = createVocabulary();
  let entries: Entry[] = [];
  let ordinals = new Map<string, number>();
  let postings: Postings | undefined;
  let nearMisses: NearMisses | undefined;
  /** The latest few texts: one search for a conversation reads its messages in several ways. */
  const analysed = new Map<string, readonly QueryTerm[]>();
  let pairs: Pairs;
  let accumulator = new Float64Array(0);
  /** By tool: the sum of the idf of its name's different terms, and, while a query is worked on, of those that it has. */
  let nameWeights = new Float64Array(0);
  let covered = new Float64Array(0);

  function read(tool: ToolDefinition, previous: Entry | undefined): Entry {
    if (previous !== undefined && previous.tool === tool) return previous;
    const texts = fieldTexts(tool);
    if (previous !== undefined && sameTexts(texts, previous.texts)) return { tool, texts, ids: previous.ids };
    return { tool, texts, ids: indexFields.map((field) => idsOf(field, texts[field])) };
  }

  function idsOf(field: IndexField, text: string): Uint32Array {
    const ids: number[] = [];
    const isName = field === 'name' || field === 'aliases';
    for (const token of tokenizer.tokenize(text)) {
      // Stop words and bare numbers say something in a name only ("who_is", "step_2"): a number in a description is an example.
      if (!isName && (token.stop || token.number)) continue;
      ids.push(vocabulary.add(token.term));
    }
    return Uint32Array.from(ids);
  }

  function replace(next: Entry[]): void {
    if (next.length === entries.length && next.every((entry, place) => entry === entries[place])) return;
    entries = next;
    ordinals = new Map(next.map((entry, ordinal) => [entry.tool.name, ordinal]));
    outdate();
  }

  function outdate(): void {
    postings = undefined;
    nearMisses = undefined;
    analysed.clear();
  }

  function setWith(tools: readonly ToolDefinition[], known: (tool: ToolDefinition) => Entry | undefined): void {
    const next = new Map<string, Entry>();
    for (const tool of tools) if (!next.has(tool.name)) next.set(tool.name, read(tool, known(tool)));
    replace([...next.values()]);
  }

  function entryOf(name: string): Entry | undefined {
    const ordinal = ordinals.get(name);
    return ordinal === undefined ? undefined : entries[ordinal];
  }

  function ready(): Postings {
    if (postings === undefined) {
      postings = buildPostings(
        entries.map((entry) => entry.ids),
        vocabulary.size,
        options,
      );
      pairs = buildPairs(
        entries.map((entry) => entry.ids),
        options,
      );
      accumulator = new Float64Array(entries.length);
      covered = new Float64Array(entries.length);
      const { idf } = postings;
      nameWeights = Float64Array.from(entries, ({ ids }) => {
        let weight = 0;
        for (const id of new Set(ids[nameField])) weight += idf[id] as number;
        return weight || 1;
      });
    }
    return postings;
  }

  const frequencyOf = (term: string): number => {
    const id = vocabulary.find(term);
    return id === undefined ? 0 : (ready().documentFrequency[id] ?? 0);
  };

  function analyse(text: string): readonly QueryTerm[] {
    let terms = analysed.get(text);
    if (terms === undefined) {
      nearMisses ??= createNearMisses({ vocabulary, frequencyOf, stem: (word) => tokenizer.stem(word) });
      terms = expandQuery(text, { tokenizer, frequencyOf, nearMisses, options });
      if (analysed.size >= maximumAnalysed) analysed.delete(analysed.keys().next().value as string);
      analysed.set(text, terms);
    }
    return terms;
  }

  /** Numbered terms with weight times idf; derived terms are never rarer than what they stand for. */
  function weigh(query: string | QueryTerms): readonly WeighedTerm[] {
    const { idf, documentFrequency } = ready();
    const weighed: WeighedTerm[] = [];
    const push = (term: string, weight: number, limit: number, written: boolean): void => {
      const id = vocabulary.find(term);
      if (id === undefined || (documentFrequency[id] ?? 0) === 0) return;
      weighed.push({ id, weight: weight * Math.min(idf[id] as number, limit), idf: idf[id] as number, written });
    };
    if (typeof query !== 'string') {
      for (const [term, weight] of query) if (weight > 0) push(term, weight, Number.POSITIVE_INFINITY, true);
      return weighed;
    }
    for (const { term, weight, of, origin } of analyse(query)) {
      const original = of === undefined ? 0 : frequencyOf(of);
      const limit = original === 0 ? Number.POSITIVE_INFINITY : inverseDocumentFrequency(entries.length, original);
      push(term, weight, limit, origin === 'written');
    }
    return weighed;
  }

  /** Adds up into `into` and gives the tools that got anything, in no particular order. */
  function accumulate(query: string | QueryTerms, into: Float64Array): readonly number[] {
    const { offsets, tools, weights, inName } = ready();
    const touched: number[] = [];
    const terms = weigh(query);
    let written = 0;
    for (const { id, weight, idf, written: isWritten } of terms) {
      if (isWritten) written += weight;
      const named = Math.min(weight, idf);
      const end = offsets[id + 1] as number;
      for (let row = offsets[id] as number; row < end; row += 1) {
        const tool = tools[row] as number;
        const before = into[tool] as number;
        if (before === 0) touched.push(tool);
        into[tool] = before + weight * (weights[row] as number);
        if (inName[row] === 1) covered[tool] = (covered[tool] as number) + named;
      }
    }
    if (typeof query === 'string') addPairs(terms, into);
    for (const tool of touched) {
      const share = (covered[tool] as number) / (nameWeights[tool] as number);
      if (share > 0) into[tool] = (into[tool] as number) + coverageWeight * written * share;
      covered[tool] = 0;
    }
    return touched;
  }

  function addPairs(terms: readonly WeighedTerm[], into: Float64Array): void {
    const { offsets, tools, weights, idf } = pairs.postings;
    for (let place = 1; place < terms.length; place += 1) {
      const first = terms[place - 1] as WeighedTerm;
      const second = terms[place] as WeighedTerm;
      if (!first.written || !second.written) continue;
      const pair = pairs.find(first.id, second.id);
      if (pair === undefined) continue;
      const end = offsets[pair + 1] as number;
      for (let row = offsets[pair] as number; row < end; row += 1) {
        const tool = tools[row] as number;
        into[tool] = (into[tool] as number) + pairWeight * (idf[pair] as number) * (weights[row] as number);
      }
    }
  }

  return {
    tokenizer,
    get size() {
      return entries.length;
    },
    get tools() {
      return entries.map((entry) => entry.tool);
    },
    set: (tools) => setWith(tools, (tool) => entryOf(tool.name)),
    add(tool) {
      const ordinal = ordinals.get(tool.name);
      const entry = read(tool, entryOf(tool.name));
      if (ordinal === undefined) {
        ordinals.set(tool.name, entries.length);
        entries.push(entry);
      } else entries[ordinal] = entry;
      outdate();
    },
    remove(name) {
      const ordinal = ordinals.get(name);
      if (ordinal === undefined) return false;
      replace(entries.filter((_entry, place) => place !== ordinal));
      return true;
    },
    ordinalOf: (name) => ordinals.get(name),
    search(query, searchOptions = {}) {
      ready();
      const touched = accumulate(query, accumulator);
      const accept = filterOf(searchOptions);
      const hits: IndexHit[] = [];
      for (const ordinal of touched) {
        const score = accumulator[ordinal] as number;
        accumulator[ordinal] = 0;
        const { tool } = entries[ordinal] as Entry;
        if (accept === undefined || accept(tool, ordinal)) hits.push({ name: tool.name, ordinal, score });
      }
      hits.sort((a, b) => b.score - a.score || a.ordinal - b.ordinal);
      return searchOptions.limit === undefined ? hits : hits.slice(0, Math.max(0, searchOptions.limit));
    },
    scores(query) {
      const scores = new Float64Array(entries.length);
      accumulate(query, scores);
      return scores;
    },
    fieldScores(query, chosen) {
      const { offsets, tools, fields, weights } = ready().fieldRows();
      const count = chosen?.length ?? entries.length;
      const places = new Int32Array(entries.length).fill(chosen === undefined ? 0 : -1);
      if (chosen === undefined) for (let ordinal = 0; ordinal < count; ordinal += 1) places[ordinal] = ordinal;
      else for (const [place, ordinal] of chosen.entries()) places[ordinal] = place;
      const scores = indexFields.map(() => new Float64Array(count));
      for (const { id, weight } of weigh(query)) {
        const end = offsets[id + 1] as number;
        for (let row = offsets[id] as number; row < end; row += 1) {
          const place = places[tools[row] as number] as number;
          if (place < 0) continue;
          const field = scores[fields[row] as number] as Float64Array;
          field[place] = (field[place] as number) + weight * (weights[row] as number);
        }
      }
      return Object.fromEntries(indexFields.map((field, place) => [field, scores[place]])) as FieldScores;
    },
    analyse,
    queryTerms: (text) =>
      new Map(
        analyse(text)
          .filter((term) => term.origin === 'written')
          .map((term) => [term.term, term.weight]),
      ),
    documentFrequency: frequencyOf,
    idf: (term) => inverseDocumentFrequency(entries.length, frequencyOf(term)),
    terms: (ordinal, field) =>
      Array.from(entries[ordinal]?.ids[indexFields.indexOf(field)] ?? [], (id) => vocabulary.term(id)),
    texts: (ordinal) => entries[ordinal]?.texts ?? fieldTexts({ name: '', inputSchema: {} }),
    save: () => writeSnapshot(tokenizer.signature, vocabulary, entries),
    load(bytes, tools) {
      const stored = readSnapshot(bytes, tokenizer.signature, vocabulary);
      let reused = 0;
      setWith(tools, (tool) => {
        const texts = fieldTexts(tool);
        const ids = stored?.find(tool.name, texts);
        if (ids === undefined) return undefined;
        reused += 1;
        return { tool, texts, ids };
      });
      return reused;
    },
  };
}

function filterOf(options: IndexSearchOptions): ((tool: ToolDefinition, ordinal: number) => boolean) | undefined {
  const { filter, server, annotations } = options;
  if (filter === undefined && server === undefined && annotations === undefined) return undefined;
  const hints = Object.entries(annotations ?? {});
  return (tool, ordinal) => {
    if (server !== undefined && tool.server?.name !== server) return false;
    for (const [hint, value] of hints) {
      if (value !== undefined && tool.annotations?.[hint as keyof typeof tool.annotations] !== value) return false;
    }
    return filter === undefined || filter(tool, ordinal);
  };
}

function sameTexts(a: FieldTexts, b: FieldTexts): boolean {
  return indexFields.every((field) => a[field] === b[field]);
}
