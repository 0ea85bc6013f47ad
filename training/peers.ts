import MiniSearch from 'minisearch';
import type { Message } from '../src/core/message.ts';
import { ndcgAt } from '../src/eval/metrics/ranking.ts';
import { createSimpleScorer } from '../src/eval/scorers/strategy-scorer.ts';
import { scoreTurns, weightedTurns } from '../src/eval/scorers/turns.ts';
import type { DataSet } from './data.ts';

/** nDCG@10 in per cent of what others make of a set: with the last message as the query, and with all messages, each older one counting less. */
export interface PeerFigures {
  readonly seedLast: number;
  readonly seedConversation: number;
  readonly minisearchLast: number;
  readonly minisearchConversation: number;
}

type Rank = (messages: readonly Message[]) => Promise<ArrayLike<number>>;

/** Measures the seed's scoring (LangChain4j's simple strategy) and minisearch with its defaults (names and descriptions). */
export async function peerFigures(set: DataSet): Promise<PeerFigures> {
  const simple = createSimpleScorer(set.tools);
  const { signal } = new AbortController();
  const search = new MiniSearch({ fields: ['name', 'description'] });
  search.addAll(set.tools.map(({ name, description = '' }, id) => ({ id, name, description })));
  const seed: Rank = async (messages) => (await simple.score({ messages, signal })).scores;
  const mini: Rank = async (messages) =>
    (
      await scoreTurns(weightedTurns(messages), set.tools.length, (text) =>
        search.search(text).map(({ id, score }) => [id as number, score] as const),
      )
    ).scores;
  return {
    seedLast: await measure(set, seed, lastOf),
    seedConversation: await measure(set, seed, allOf),
    minisearchLast: await measure(set, mini, lastOf),
    minisearchConversation: await measure(set, mini, allOf),
  };
}

const allOf = (messages: readonly Message[]): readonly Message[] => messages;

function lastOf(messages: readonly Message[]): readonly Message[] {
  const last = messages.findLast(({ role }) => role === 'user');
  return last === undefined ? [] : [last];
}

async function measure(set: DataSet, rank: Rank, part: typeof allOf): Promise<number> {
  let gain = 0;
  let cases = 0;
  for (const one of set.cases) {
    if (one.relevant.length === 0) continue;
    const scores = await rank(part(one.messages));
    const found = [...set.tools.keys()]
      .filter((place) => scores[place]! > Number.NEGATIVE_INFINITY)
      .sort((a, b) => scores[b]! - scores[a]! || a - b);
    gain += ndcgAt(found, new Set(one.relevant), 10);
    cases += 1;
  }
  return Math.round((gain / cases) * 10_000) / 100;
}
