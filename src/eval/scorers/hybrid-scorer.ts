import type { ToolDefinition } from '../../core/tool.ts';
import { createBm25Scorer } from './bm25-scorer.ts';
import type { Scorer } from './scorer.ts';

/** Placeholder. */
export function createHybridScorer(tools: readonly ToolDefinition[]): Scorer {
  return { ...createBm25Scorer(tools), name: 'hybrid' };
}
