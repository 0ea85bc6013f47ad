import { localDecisionModel } from '../relevance/local-decision-model.ts';
import { DecisionModelToolSearchStrategy } from '../search/decision-model-strategy.ts';
import type { ToolSearchStrategy } from '../search/port.ts';
import type { RankingToolSearchStrategy } from '../search/text-query-strategy.ts';

/**
 * The search that is used where none is given: every tool's probability for the query, by the embedded decision model. It finds
 * more than words alone; what it gives less than half a percent is not found; see `docs/quality.md`.
 */
export function defaultSearchStrategy(): ToolSearchStrategy {
  return defaultRanking();
}

/** The same as a ranking of all tools. */
export function defaultRanking(): RankingToolSearchStrategy {
  return new DecisionModelToolSearchStrategy({
    decisionModel: localDecisionModel(),
    toolName: 'search_tools',
    toolDescription: 'Finds available tools that can help with a task',
    toolArgumentDescription: 'What you want to do, in a few words',
  });
}
