import { sleep } from '../core/clock.ts';
import type { Clock } from '../core/clock.ts';
import { isToolgateError } from '../core/errors.ts';

/** When and how often something is tried again. */
export interface RetryOptions {
  /** After the first try. Default 2. */
  readonly maxRetries?: number | undefined;
  /** The first pause is random up to this, each further one up to twice as much. Default 250 ms. */
  readonly baseDelayMs?: number | undefined;
  /** No pause of our own is longer. Default 8,000 ms. */
  readonly maxDelayMs?: number | undefined;
  /** A server that asks for a longer pause than this is not waited for. Default 30,000 ms. */
  readonly maxRetryAfterMs?: number | undefined;
  readonly clock: Clock;
  /** A number from 0 up to but without 1. */
  readonly random: () => number;
  readonly signal: AbortSignal;
}

/**
 * Tries until it succeeds, fails for good, or the retries are used up. Errors that say `retryable: true` and timeouts of a single try are
 * tried again, after a pause with full jitter, or after what the server asked for (`retryAfterMs`) and a little jitter. A pause ends with the signal.
 */
export async function withRetries<Value>(
  attempt: (attempt: number) => Promise<Value>,
  options: RetryOptions,
): Promise<Value> {
  const { maxRetries = 2, clock, signal } = options;
  for (let tried = 0; ; tried += 1) {
    signal.throwIfAborted();
    try {
      return await attempt(tried);
    } catch (error) {
      if (signal.aborted) throw signal.reason as Error;
      const pause = tried < maxRetries ? pauseAfter(error, tried, options) : undefined;
      if (pause === undefined) throw error;
      await sleep(clock, pause, signal);
    }
  }
}

/** How long to pause before the next try, or undefined when there shall be none. */
function pauseAfter(error: unknown, tried: number, options: RetryOptions): number | undefined {
  if (!isToolgateError(error)) return undefined;
  const isTimeout = error.code === 'decision-model-timeout';
  if (!isTimeout && !(error.code === 'decision-model-failed' && error.data['retryable'] === true)) return undefined;
  const { baseDelayMs = 250, maxDelayMs = 8000, maxRetryAfterMs = 30_000, random } = options;
  const wanted = error.data['retryAfterMs'];
  if (typeof wanted === 'number') {
    return wanted > maxRetryAfterMs ? undefined : Math.round(wanted + random() * baseDelayMs);
  }
  return Math.round(random() * Math.min(maxDelayMs, baseDelayMs * 2 ** tried));
}
