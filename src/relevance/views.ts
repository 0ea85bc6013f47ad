import type { ToolIndex } from '../index/tool-index.ts';
import type { QueryTerms } from '../index/query.ts';
import type { Token } from '../text/tokenizer.ts';
import type { Conversation, Turn } from './conversation.ts';
import { splitRequests } from './requests.ts';
import { vectorWords } from './vector-words.ts';

/** One way to read a conversation as a query: terms for the index and words for the vectors, each with a weight. */
export interface View {
  readonly terms: QueryTerms;
  readonly words: ReadonlyMap<string, number>;
}

/**
 * The readings that the features rest on. `last`: the last message alone. `recent`: all messages, each older one counting less, so that a
 * "yes" leans on what it answers. `reply`: what the assistant said just before the last message.
 */
export interface Views {
  readonly last: View;
  readonly recent: View;
  readonly reply: View;
  /** The last message cut into its requests. */
  readonly segments: readonly View[];
  /** 0 (long last message) to 1 (nothing in it): how much the last message needs the ones before it. */
  readonly lean: number;
  readonly hasHistory: boolean;
}

const wordLimit = 30;
const viewWordLimit = 40;
const decay = 0.6;
const assistantShare = 0.7;

/** How much a message counts beside the last one, by how many messages before it stands (0: just before). */
export function turnWeight(turn: Turn, age: number): number {
  return decay ** (age + 1) * (turn.role === 'assistant' ? assistantShare : 1);
}

/** Reads a conversation in all ways. */
export function readViews(conversation: Conversation, index: ToolIndex): Views {
  const last = viewOf(conversation.last, index);
  const lean = 1 / (1 + last.terms.size / 3);
  const segments = readSegments(conversation.last, index);
  const { before } = conversation;
  const common = { last, segments, lean };
  if (before.length === 0) return { ...common, recent: last, reply: emptyView, hasHistory: false };
  const views = before.map((turn) => viewOf(turn.text, index));
  const weighted = before.map((turn, age): Weighted => [views[age] as View, turnWeight(turn, age)]);
  const replyAge = before[0]?.role === 'assistant' ? 0 : -1;
  return {
    ...common,
    recent: mix([[last, 1], ...weighted]),
    reply: views[replyAge] ?? emptyView,
    hasHistory: true,
  };
}

type Weighted = readonly [View, number];

const emptyView: View = { terms: new Map(), words: new Map() };

function viewOf(text: string, index: ToolIndex): View {
  const tokens: readonly Token[] = index.tokenizer.tokenize(text);
  return { terms: index.queryTerms(text), words: new Map(vectorWords(tokens, wordLimit).map((word) => [word, 1])) };
}

const maximumSegments = 6;
const smallestSegment = 2;

function readSegments(text: string, index: ToolIndex): View[] {
  const segments: View[] = [];
  for (const part of splitRequests(text)) {
    if (segments.length >= maximumSegments) break;
    const view = viewOf(part, index);
    if (view.terms.size >= smallestSegment) segments.push(view);
  }
  return segments;
}

function mix(parts: readonly Weighted[]): View {
  const terms = new Map<string, number>();
  const words = new Map<string, number>();
  for (const [view, weight] of parts) {
    for (const [term, value] of view.terms) terms.set(term, Math.max(terms.get(term) ?? 0, value * weight));
    for (const [word, value] of view.words) {
      if (words.has(word) || words.size < viewWordLimit)
        words.set(word, Math.max(words.get(word) ?? 0, value * weight));
    }
  }
  return { terms, words };
}
