import { createNgramIndex } from '../index/ngram-index.ts';
import type { ToolDefinition } from '../core/tool.ts';
import type { Tokenizer } from '../text/tokenizer.ts';
import type { Conversation } from './conversation.ts';
import { turnWeight } from './views.ts';

/** Character n-grams of a catalogue. */
export interface GramScores {
  /** The cosine of every tool with a text, by ordinal. Kept for the latest texts: a conversation repeats its messages. Not to be changed. */
  cosines(text: string): Float64Array;
}

const maximumRemembered = 32;

/** Older messages that count less than this beside the last one are left out: they cost as much as the others. */
const leastWeight = 0.03;

/** Makes the n-gram index of a catalogue. */
export function createGramScores(tools: readonly ToolDefinition[], tokenizer: Tokenizer): GramScores {
  const ngrams = createNgramIndex({ tokenizer });
  ngrams.set(tools);
  const remembered = new Map<string, Float64Array>();
  return {
    cosines(text) {
      let known = remembered.get(text);
      if (known === undefined) {
        if (remembered.size >= maximumRemembered) remembered.delete(remembered.keys().next().value as string);
        known = ngrams.scores(text);
        remembered.set(text, known);
      }
      return known;
    },
  };
}

/** The cosines of all messages of a conversation, each older one counting less, as in the other readings. */
export function recentCosines(grams: GramScores, conversation: Conversation): Float64Array {
  const sums = Float64Array.from(grams.cosines(conversation.last));
  for (const [age, turn] of conversation.before.entries()) {
    const weight = turnWeight(turn, age);
    if (weight < leastWeight) break;
    const cosines = grams.cosines(turn.text);
    for (let place = 0; place < sums.length; place += 1)
      sums[place] = (sums[place] as number) + weight * (cosines[place] as number);
  }
  return sums;
}
