import { indexFields } from './fields.ts';
import type { IndexField } from './fields.ts';

/** What BM25F is told about each field and about itself. */
export interface Bm25Options {
  /** How soon repetitions stop counting. Default 1.2. */
  readonly k1?: number | undefined;
  /** How much a long field is held against its words, by field, 0 to 1. */
  readonly lengthNormalisation?: Partial<Readonly<Record<IndexField, number>>> | undefined;
  /** How much a word counts, by field. */
  readonly weights?: Partial<Readonly<Record<IndexField, number>>> | undefined;
}

/** The numbers of a tool's terms by field, in the order of {@link indexFields}. */
export type ToolTerms = readonly Uint32Array[];

/** Term-major rows in two layouts: one row per term and tool for ranking, one per term, tool and field for features. */
export interface Postings {
  /** Rows of term `t` are `offsets[t]` up to `offsets[t + 1]`. */
  readonly offsets: Uint32Array;
  readonly tools: Uint32Array;
  /** Saturated weight of the term in the tool over all fields, without idf. */
  readonly weights: Float32Array;
  /** 1 where the term stands in the tool's name. */
  readonly inName: Uint8Array;
  readonly documentFrequency: Uint32Array;
  readonly idf: Float64Array;
  fieldRows(): FieldRows;
}

/** One row per term, tool and field. */
export interface FieldRows {
  readonly offsets: Uint32Array;
  readonly tools: Uint32Array;
  readonly fields: Uint8Array;
  /** Saturated weight of the term in this field alone, without idf and without the field's weight. */
  readonly weights: Float32Array;
}

const nameField = indexFields.indexOf('name');

const defaultWeights: Readonly<Record<IndexField, number>> = {
  name: 2,
  aliases: 1.6,
  description: 1,
  parameterNames: 0.8,
  parameterDescriptions: 0.6,
  values: 0.5,
  server: 0.5,
};

const defaultNormalisation: Readonly<Record<IndexField, number>> = {
  name: 0.75,
  aliases: 0.75,
  description: 0.75,
  parameterNames: 0.75,
  parameterDescriptions: 0.75,
  values: 0.75,
  server: 0.75,
};

/**
 * Builds the rows of BM25F (Robertson, Zaragoza and Taylor, "Simple BM25 extension to multiple weighted fields", CIKM 2004):
 * the frequencies of a term are weighted and length-normalised by field, added, and saturated once.
 */
export function buildPostings(documents: readonly ToolTerms[], terms: number, options: Bm25Options = {}): Postings {
  const k1 = options.k1 ?? 1.2;
  const count = documents.length;
  const fields = indexFields.length;
  const fieldWeights = indexFields.map((field) => options.weights?.[field] ?? defaultWeights[field]);
  const normalisation = indexFields.map((field) => options.lengthNormalisation?.[field] ?? defaultNormalisation[field]);
  const averages = new Float64Array(fields);
  for (const document of documents) {
    for (let field = 0; field < fields; field += 1)
      averages[field] = at(averages, field) + (document[field] as Uint32Array).length;
  }
  for (let field = 0; field < fields; field += 1) averages[field] = at(averages, field) / (count || 1) || 1;
  const inverseLength = (field: number, length: number): number => {
    const b = normalisation[field] as number;
    return 1 / (1 - b + (b * length) / at(averages, field));
  };

  const documentFrequency = new Uint32Array(terms);
  const lastSeen = new Int32Array(terms).fill(-1);
  for (let tool = 0; tool < count; tool += 1) {
    for (const ids of documents[tool] as ToolTerms) {
      for (const id of ids) {
        if (lastSeen[id] === tool) continue;
        lastSeen[id] = tool;
        documentFrequency[id] = at(documentFrequency, id) + 1;
      }
    }
  }
  const offsets = prefixSums(documentFrequency);
  const total = at(offsets, terms);
  const tools = new Uint32Array(total);
  const weights = new Float32Array(total);
  const inName = new Uint8Array(total);
  const next = offsets.slice(0, terms);
  const occurrences = createOccurrences(terms);
  lastSeen.fill(-1);
  for (let tool = 0; tool < count; tool += 1) {
    const document = documents[tool] as ToolTerms;
    for (let field = 0; field < fields; field += 1) {
      const ids = document[field] as Uint32Array;
      const unit = (fieldWeights[field] as number) * inverseLength(field, ids.length);
      occurrences.nextText();
      for (const id of ids) {
        if (lastSeen[id] !== tool) {
          lastSeen[id] = tool;
          const row = at(next, id);
          next[id] = row + 1;
          tools[row] = tool;
        }
        const row = at(next, id) - 1;
        weights[row] = at(weights, row) + unit / Math.sqrt(occurrences.count(id));
        if (field === nameField) inName[row] = 1;
      }
    }
  }
  saturate(weights, k1);
  const idf = new Float64Array(terms);
  for (let term = 0; term < terms; term += 1) idf[term] = inverseDocumentFrequency(count, at(documentFrequency, term));
  let rows: FieldRows | undefined;
  return {
    offsets,
    tools,
    weights,
    inName,
    documentFrequency,
    idf,
    fieldRows: () => (rows ??= buildFieldRows(documents, terms, k1, inverseLength)),
  };
}

/**
 * Counts how often a term has come in one text so far. The k-th time adds 1/sqrt(k): a word that prose
 * repeats must not outdo the same word in a name.
 */
function createOccurrences(terms: number): { nextText(): void; count(id: number): number } {
  const counts = new Uint32Array(terms);
  const texts = new Uint32Array(terms);
  let text = 0;
  return {
    nextText() {
      text += 1;
    },
    count(id) {
      if (texts[id] !== text) {
        texts[id] = text;
        counts[id] = 0;
      }
      return (counts[id] = at(counts, id) + 1);
    },
  };
}

/** The idf of BM25, never negative: `ln(1 + (N - df + 0.5) / (df + 0.5))`. */
export function inverseDocumentFrequency(documents: number, frequency: number): number {
  return Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5));
}

function buildFieldRows(
  documents: readonly ToolTerms[],
  terms: number,
  k1: number,
  inverseLength: (field: number, length: number) => number,
): FieldRows {
  const frequency = new Uint32Array(terms);
  const lastSeen = new Float64Array(terms).fill(-1);
  const fieldCount = indexFields.length;
  const occurrences = createOccurrences(terms);
  const visit = (onRow: (id: number, tool: number, field: number, isNew: boolean, unit: number) => void): void => {
    lastSeen.fill(-1);
    documents.forEach((document, tool) => {
      document.forEach((ids, field) => {
        const stamp = tool * fieldCount + field;
        const unit = inverseLength(field, ids.length);
        occurrences.nextText();
        for (const id of ids) {
          onRow(id, tool, field, lastSeen[id] !== stamp, unit / Math.sqrt(occurrences.count(id)));
          lastSeen[id] = stamp;
        }
      });
    });
  };
  visit((id, _tool, _field, isNew) => {
    if (isNew) frequency[id] = at(frequency, id) + 1;
  });
  const offsets = prefixSums(frequency);
  const total = at(offsets, terms);
  const tools = new Uint32Array(total);
  const fields = new Uint8Array(total);
  const weights = new Float32Array(total);
  const next = offsets.slice(0, terms);
  visit((id, tool, field, isNew, unit) => {
    if (isNew) next[id] = at(next, id) + 1;
    const row = at(next, id) - 1;
    tools[row] = tool;
    fields[row] = field;
    weights[row] = at(weights, row) + unit;
  });
  saturate(weights, k1);
  return { offsets, tools, fields, weights };
}

function saturate(weights: Float32Array, k1: number): void {
  for (let row = 0; row < weights.length; row += 1) {
    const frequency = at(weights, row);
    weights[row] = (frequency * (k1 + 1)) / (frequency + k1);
  }
}

function prefixSums(counts: Uint32Array): Uint32Array {
  const sums = new Uint32Array(counts.length + 1);
  for (let index = 0; index < counts.length; index += 1) sums[index + 1] = at(sums, index) + at(counts, index);
  return sums;
}

function at(array: Uint32Array | Float32Array | Float64Array, index: number): number {
  return array[index] as number;
}
