import { isToolgateError } from '../core/errors.ts';
import type { Invocation } from '../core/provider.ts';
import type { FoundTool, ToolSearchStrategy } from './port.ts';
import { mainArgument } from './search-filters.ts';
import { canRank } from './text-query-strategy.ts';
import type { RankingToolSearchStrategy, RankRequest } from './text-query-strategy.ts';

/** One search put to a strategy. */
export interface StrategyRun extends RankRequest {
  readonly invocation: Invocation;
}

/** What a strategy gave; never a failure. */
export interface StrategyResult {
  /** May hold anything the strategy says: names are checked by the caller. */
  readonly ranked: readonly FoundTool[];
  /** The strategy could not use the arguments, in its words. */
  readonly problem?: string;
  /** The strategy failed, and the fallback ranked. */
  readonly degraded?: boolean;
}

/**
 * Asks a strategy, through its ranking where it has one, else through the port with arguments of the shape its own tool wants. When it fails the fallback
 * ranks in its place: a search is an optimiser. Throws when the signal is aborted, and arguments errors that are marked to end the loop.
 */
export async function runStrategy(
  strategy: ToolSearchStrategy,
  run: StrategyRun,
  fallback: RankingToolSearchStrategy,
): Promise<StrategyResult> {
  try {
    if (canRank(strategy)) return { ranked: await strategy.rank(run) };
    const [tool] = strategy.getToolSearchTools(run.invocation);
    const { name, isList } = mainArgument(tool);
    const input = run.input ?? { [name]: isList ? run.query.split(/\s+/u) : run.query };
    const result = await strategy.search({
      call: { toolCallId: '', toolName: tool?.name ?? '', input },
      searchableTools: run.tools,
      invocation: run.invocation,
      signal: run.signal,
    });
    const scored = new Map((result.found ?? []).map((one) => [one.name, one]));
    return { ranked: result.foundToolNames.map((found) => scored.get(found) ?? { name: found, score: 0 }) };
  } catch (error) {
    run.signal?.throwIfAborted();
    if (isToolgateError(error) && error.code === 'search-arguments') {
      if (error.data['abort'] === true) throw error;
      return { ranked: [], problem: error.message };
    }
    return { ranked: await fallback.rank(run), degraded: true };
  }
}
