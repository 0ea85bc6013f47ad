import type { ToolDefinition } from '../../core/tool.ts';
import { HybridToolSearchStrategy } from '../../search/hybrid-strategy.ts';
import { SimpleToolSearchStrategy } from '../../search/simple-strategy.ts';
import type { RankingToolSearchStrategy } from '../../search/text-query-strategy.ts';
import type { Scorer } from './scorer.ts';
import { scoreTurns, weightedTurns } from './turns.ts';

/** Ranks with any search strategy that can rank for a text, the turns of a conversation summed with decay. Tools need names of their own. */
export function createStrategyScorer(
  name: string,
  strategy: RankingToolSearchStrategy,
  tools: readonly ToolDefinition[],
): Scorer {
  const positions = new Map(tools.map((tool, position) => [tool.name, position]));
  return {
    name,
    score: ({ messages, signal }) =>
      scoreTurns(weightedTurns(messages), tools.length, async (query) => {
        const found = await strategy.rank({ query, tools, signal });
        return found.map((tool) => [positions.get(tool.name) as number, tool.score] as const);
      }),
  };
}

/** LangChain4j's `SimpleToolSearchStrategy`, with every word of the text as a search term. */
export function createSimpleScorer(tools: readonly ToolDefinition[]): Scorer {
  return createStrategyScorer('simple', new SimpleToolSearchStrategy(), tools);
}

/** The hybrid search with its defaults: words and pieces of words. */
export async function createHybridScorer(tools: readonly ToolDefinition[]): Promise<Scorer> {
  const strategy = new HybridToolSearchStrategy();
  // The first search makes the index; that belongs to the set-up.
  await strategy.rank({ query: tools[0]?.name ?? '', tools });
  return createStrategyScorer('hybrid', strategy, tools);
}
