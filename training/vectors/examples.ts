import type { ToolDefinition } from '../../src/core/tool.ts';
import { messageText } from '../../src/core/message.ts';
import { fieldTexts } from '../../src/index/fields.ts';
import { vectorWords } from '../../src/relevance/vector-words.ts';
import { createTokenizer } from '../../src/text/tokenizer.ts';
import type { DataSet } from '../data.ts';
import { createRandom, shuffled } from '../random.ts';
import type { Vocabulary } from './vocabulary.ts';

/** The words of a tool: positions in the vocabulary, the field of each (0 name, 1 description, 2 parameters), and its rarity in the catalogue. */
export interface ToolWords {
  readonly words: Int32Array;
  readonly fields: Uint8Array;
}

/** A query, the tool that answers it, and tools that do not. */
export interface Example {
  readonly query: Int32Array;
  readonly positives: readonly number[];
  /** Wrong tools that share rare words with the query. */
  readonly hard: readonly number[];
  readonly catalogue: TrainingCatalogue;
}

export interface TrainingCatalogue {
  readonly tools: readonly ToolWords[];
  /** By vocabulary position: 0 (in every tool) to 1 (in none). */
  readonly rarity: Float32Array;
}

const tokenizer = createTokenizer();
export const queryLimit = 30;
const limits = [8, 40, 24] as const;

function encode(text: string, limit: number, vocabulary: Vocabulary): number[] {
  return vectorWords(tokenizer.tokenize(text), limit * 2)
    .flatMap((word) => vocabulary.positions.get(word) ?? [])
    .slice(0, limit);
}

export function encodeTool(tool: ToolDefinition, vocabulary: Vocabulary): ToolWords {
  const fields = fieldTexts(tool);
  const texts = [
    `${fields.name} ${fields.aliases}`,
    fields.description,
    `${fields.parameterNames} ${fields.parameterDescriptions}`,
  ];
  const words: number[] = [];
  const kinds: number[] = [];
  for (const [field, text] of texts.entries()) {
    for (const word of encode(text, limits[field as 0 | 1 | 2], vocabulary)) {
      words.push(word);
      kinds.push(field);
    }
  }
  return { words: Int32Array.from(words), fields: Uint8Array.from(kinds) };
}

function makeCatalogue(tools: readonly ToolWords[], size: number): TrainingCatalogue {
  const frequency = new Float32Array(size);
  for (const tool of tools) for (const word of new Set(tool.words)) frequency[word]! += 1;
  const count = tools.length;
  const rarity = frequency.map(
    (value) => Math.log(1 + (count - value + 0.5) / (value + 0.5)) / Math.log(2 * count + 2),
  );
  return { tools, rarity };
}

/** Queries of a set; at most `limit`. */
export function examplesOf(set: DataSet, vocabulary: Vocabulary, limit: number): Example[] {
  const catalogue = makeCatalogue(
    set.tools.map((tool) => encodeTool(tool, vocabulary)),
    vocabulary.words.length,
  );
  const postings = invert(catalogue.tools);
  const usable = set.cases.filter((one) => one.relevant.length > 0);
  const examples: Example[] = [];
  for (const one of shuffled(usable, createRandom(3))) {
    if (examples.length >= limit) break;
    const users = one.messages.filter((message) => message.role === 'user');
    const last = users.at(-1);
    const query = last === undefined ? [] : encode(messageText(last), queryLimit, vocabulary);
    if (query.length < 2) continue;
    const right = new Set([...one.relevant, ...one.alternatives]);
    examples.push({
      query: Int32Array.from(query),
      positives: one.relevant,
      hard: hardNegatives(query, right, catalogue, postings),
      catalogue,
    });
  }
  return examples;
}

/** Name asks, description and parameters answer. */
export function pairsOf(tools: readonly ToolDefinition[], vocabulary: Vocabulary): Example[] {
  const encoded = tools.map((tool) => encodeTool(tool, vocabulary));
  const withoutName = encoded.map((tool) => {
    const keep = [...tool.words.keys()].filter((index) => tool.fields[index] !== 0);
    return {
      words: Int32Array.from(keep, (index) => tool.words[index]!),
      fields: Uint8Array.from(keep, (index) => tool.fields[index]!),
    };
  });
  const catalogue = makeCatalogue(withoutName, vocabulary.words.length);
  const postings = invert(withoutName);
  const examples: Example[] = [];
  for (const [position, tool] of encoded.entries()) {
    const query = [...tool.words].filter((_, index) => tool.fields[index] === 0);
    if (query.length < 2 || (withoutName[position]?.words.length ?? 0) < 4) continue;
    examples.push({
      query: Int32Array.from(query),
      positives: [position],
      hard: hardNegatives(query, new Set([position]), catalogue, postings).slice(4),
      catalogue,
    });
  }
  return examples;
}

function invert(tools: readonly ToolWords[]): Map<number, number[]> {
  const postings = new Map<number, number[]>();
  for (const [position, tool] of tools.entries()) {
    for (const word of new Set(tool.words)) {
      const list = postings.get(word);
      if (list === undefined) postings.set(word, [position]);
      else list.push(position);
    }
  }
  return postings;
}

function hardNegatives(
  query: readonly number[],
  right: ReadonlySet<number>,
  catalogue: TrainingCatalogue,
  postings: ReadonlyMap<number, readonly number[]>,
): number[] {
  const scores = new Map<number, number>();
  for (const word of query) {
    const list = postings.get(word);
    if (list === undefined || list.length > catalogue.tools.length * 0.3 + 20) continue;
    for (const tool of list) if (!right.has(tool)) scores.set(tool, (scores.get(tool) ?? 0) + catalogue.rarity[word]!);
  }
  return [...scores.entries()]
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, 12)
    .map(([tool]) => tool);
}
