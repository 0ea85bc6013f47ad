import { describe, expect, it } from 'vitest';
import { ToolgateError } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import { manualClock } from '../testing/manual-clock.ts';
import { withRetries } from './retry.ts';
import type { RetryOptions } from './retry.ts';

const failure = (data: JsonObject): ToolgateError => new ToolgateError('decision-model-failed', 'failed', { data });
const settleDown = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Runs with a clock that jumps to whatever is waited for, and says how long each pause was. */
async function run(
  errors: readonly unknown[],
  options: Partial<RetryOptions> = {},
): Promise<{ readonly result: unknown; readonly pauses: readonly number[]; readonly tries: number }> {
  const clock = manualClock();
  const pauses: number[] = [];
  let tries = 0;
  const ended: unknown[] = [];
  const outcome = withRetries(
    async () => {
      const error = errors[tries];
      tries += 1;
      if (error !== undefined) throw error as Error;
      return 'good';
    },
    {
      clock: {
        ...clock,
        schedule(milliseconds, callback) {
          pauses.push(milliseconds);
          return clock.schedule(milliseconds, callback);
        },
      },
      random: () => 0.5,
      signal: new AbortController().signal,
      ...options,
    },
  )
    .catch((error: unknown) => error)
    .finally(() => ended.push(true));
  while (ended.length === 0) {
    await settleDown();
    clock.advance(100_000);
  }
  return { result: await outcome, pauses, tries };
}

describe('withRetries', () => {
  it('tries twice more with a random pause that may double', async () => {
    const again = failure({ retryable: true });
    expect(await run([again, again])).toEqual({ result: 'good', pauses: [125, 250], tries: 3 });
    expect(await run([again, again, again])).toEqual({ result: again, pauses: [125, 250], tries: 3 });
    expect((await run([again, again], { random: () => 0 })).pauses).toEqual([0, 0]);
    expect(
      (await run([again, again, again, again], { maxRetries: 4, baseDelayMs: 1000, maxDelayMs: 3000 })).pauses,
    ).toEqual([500, 1000, 1500, 1500]);
  });

  it('waits as long as the server asks, and not at all when that is too long', async () => {
    expect((await run([failure({ retryable: true, retryAfterMs: 2000 })])).pauses).toEqual([2125]);
    const tooLong = failure({ retryable: true, retryAfterMs: 60_000 });
    expect(await run([tooLong])).toEqual({ result: tooLong, pauses: [], tries: 1 });
  });

  it('does not start when the signal is aborted, nor try again when it is aborted in a try', async () => {
    const gone = new Error('gone');
    expect(await run([failure({ retryable: true })], { signal: AbortSignal.abort(gone) })).toEqual({
      result: gone,
      pauses: [],
      tries: 0,
    });
    const controller = new AbortController();
    let tries = 0;
    const outcome = withRetries(
      () => {
        tries += 1;
        controller.abort(gone);
        return Promise.reject(failure({ retryable: true }));
      },
      { clock: manualClock(), random: () => 0, signal: controller.signal },
    );
    await expect(outcome).rejects.toBe(gone);
    expect(tries).toBe(1);
  });

  it('waits exactly as long as it may', async () => {
    expect((await run([failure({ retryable: true, retryAfterMs: 30_000 })], { random: () => 0 })).pauses).toEqual([
      30_000,
    ]);
  });

  it('tries again after a timeout', async () => {
    expect((await run([new ToolgateError('decision-model-timeout', 'slow')])).tries).toBe(2);
  });

  it.each<[string, unknown]>([
    ['an error that does not mend', failure({ retryable: false })],
    [
      'an answer that does not fit',
      new ToolgateError('decision-model-invalid-response', 'bad', { data: { retryable: true } }),
    ],
    ['a stranger', new Error('bug')],
  ])('does not try again after %s', async (_, error) => {
    expect(await run([error])).toEqual({ result: error, pauses: [], tries: 1 });
  });

  it('does not try again when told not to', async () => {
    expect((await run([failure({ retryable: true })], { maxRetries: 0 })).tries).toBe(1);
  });

  it('ends a pause with the reason of the signal', async () => {
    const controller = new AbortController();
    const clock = manualClock();
    const outcome = withRetries(() => Promise.reject(failure({ retryable: true })), {
      clock,
      random: () => 1,
      signal: controller.signal,
    }).catch((error: unknown) => error);
    await settleDown();
    const reason = new Error('enough');
    controller.abort(reason);
    expect(await outcome).toBe(reason);
    expect(clock.pending).toBe(0);
  });
});
