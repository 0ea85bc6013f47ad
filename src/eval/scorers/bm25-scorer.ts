import type { ToolDefinition } from '../../core/tool.ts';
import { createToolIndex } from '../../index/tool-index.ts';
import type { Scorer } from './scorer.ts';
import { scoreTurns, weightedTurns } from './turns.ts';

/** Ranks by the fielded BM25 of the index, the turns of a conversation summed with decay. */
export function createBm25Scorer(tools: readonly ToolDefinition[]): Scorer {
  const index = createToolIndex();
  index.set(tools);
  function* scoreText(text: string): Generator<readonly [number, number]> {
    for (const { ordinal, score } of index.search(text)) yield [ordinal, score];
  }
  // The first search works the postings out; that belongs to making the index.
  index.search(tools[0]?.name ?? '');
  return { name: 'bm25', score: ({ messages }) => scoreTurns(weightedTurns(messages), tools.length, scoreText) };
}
