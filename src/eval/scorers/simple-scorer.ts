import type { ToolDefinition } from '../../core/tool.ts';
import type { Scorer } from './scorer.ts';
import { scoreTurns, weightedTurns } from './turns.ts';

/**
 * The ranking of LangChain4j's `SimpleToolSearchStrategy`, with every word of the text as a search term: 2 for a term in the
 * tool's name, 1 for a term in its description, below 1 not found.
 */
export function createSimpleScorer(tools: readonly ToolDefinition[]): Scorer {
  const texts = tools.map(({ name, description }) => [name.toLowerCase(), (description ?? '').toLowerCase()] as const);
  function* scoreText(text: string): Generator<readonly [number, number]> {
    const terms = [...new Set(text.toLowerCase().split(/\s+/u))].filter((term) => term !== '');
    for (const [position, [name, description]] of texts.entries()) {
      let score = 0;
      for (const term of terms) score += (name.includes(term) ? 2 : 0) + (description.includes(term) ? 1 : 0);
      if (score >= 1) yield [position, score];
    }
  }
  return { name: 'simple', score: ({ messages }) => scoreTurns(weightedTurns(messages), tools.length, scoreText) };
}
