import type { Digest } from '../core/digest.ts';
import { errorMessage } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import { raceSignal } from './race-signal.ts';
import type { CachedDecision, SelectionCache } from './selection-cache.ts';

/** What the cache knows. A cache that fails, hangs or gives something of another shape knows nothing. */
export async function lookUpDecision(
  cache: SelectionCache,
  key: Digest,
  count: number,
  signal: AbortSignal,
  logger: Logger,
): Promise<CachedDecision | undefined> {
  try {
    const known = await raceSignal(() => cache.get(key), signal);
    return known !== undefined && isUsable(known, count) ? known : undefined;
  } catch (error) {
    if (signal.aborted) throw error;
    logger.warn('The selection cache could not be read; the decision model is asked.', { error: errorMessage(error) });
    return undefined;
  }
}

/** Stores a decision without waiting. A failure is logged. */
export function storeDecision(cache: SelectionCache, key: Digest, decision: CachedDecision, logger: Logger): void {
  Promise.resolve()
    .then(() => cache.set(key, decision))
    .catch((error: unknown) => {
      logger.warn('The selection cache could not be written.', { error: errorMessage(error) });
    });
}

function isUsable(known: CachedDecision, count: number): boolean {
  const { probabilities, order } = known;
  const isProbability = (value: unknown): boolean =>
    value === null || (typeof value === 'number' && value >= 0 && value <= 1);
  if (!Array.isArray(probabilities) || probabilities.length !== count || !probabilities.every(isProbability))
    return false;
  if (order === undefined) return probabilities.every((value) => value !== null);
  return (
    Array.isArray(order) && order.every((position) => Number.isInteger(position) && position >= 0 && position < count)
  );
}
