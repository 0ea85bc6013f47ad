import { hasText, messageText } from '../../core/message.ts';
import type { Message } from '../../core/message.ts';

/** One text of a conversation and how much it counts. */
export interface WeightedTurn {
  readonly text: string;
  /** 1 for the newest, times `decay` for each message back. */
  readonly weight: number;
}

/**
 * The newest texts of a conversation, newest first, each counting less than the one after it: a flat window loses where the
 * topic moves. For scorers that know no conversation themselves.
 * @param limit how many messages with text. Default 10
 * @param decay Default 0.7
 */
export function weightedTurns(messages: readonly Message[], limit = 10, decay = 0.7): readonly WeightedTurn[] {
  return messages
    .filter((message) => message.role !== 'system' && message.role !== 'tool' && hasText(message))
    .slice(-limit)
    .toReversed()
    .map((message, age) => ({ text: messageText(message), weight: decay ** age }));
}

/** Sums weighted scores over turns; what no turn finds stays `-Infinity`. `scoreText` gives the position and score of what it finds. */
export async function scoreTurns(
  turns: readonly WeightedTurn[],
  count: number,
  scoreText: (text: string) => Found | Promise<Found>,
): Promise<{ readonly scores: Float64Array; readonly evidence: Float64Array }> {
  const scores = new Float64Array(count).fill(Number.NEGATIVE_INFINITY);
  const evidence = new Float64Array(count);
  for (const [age, { text, weight }] of turns.entries()) {
    for (const [position, score] of await scoreText(text)) {
      const before = scores[position] as number;
      scores[position] = (before === Number.NEGATIVE_INFINITY ? 0 : before) + weight * score;
      if (age === 0) evidence[position] = score;
    }
  }
  return { scores, evidence };
}

type Found = Iterable<readonly [position: number, score: number]>;
