import { sleep } from '../core/clock.ts';
import { isToolgateError } from '../core/errors.ts';
import { keepProcessAlive } from './keep-process-alive.ts';
import type { ManagerSetup } from './manager-options.ts';
import type { CurrentPause } from './update-pause.ts';

/**
 * Around the run of a tool a store that is away for a moment is asked several times: an outcome must not be lost, and a claim
 * that may have been written must not be left behind. The write must recognise what it has already written.
 */
export async function withRetries(
  setup: ManagerSetup,
  known: CurrentPause | undefined,
  write: (start?: CurrentPause) => Promise<CurrentPause>,
): Promise<CurrentPause> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await write(attempt === 0 ? known : undefined);
    } catch (error) {
      const retryable = isToolgateError(error) && error.code === 'store-failed';
      if (!retryable || attempt >= 5) throw error;
      setup.logger.warn('The store is away while a call runs; trying again.', { attempt: attempt + 1 });
      const letGo = keepProcessAlive();
      await sleep(setup.clock, 50 * 2 ** attempt).finally(letGo);
    }
  }
}
