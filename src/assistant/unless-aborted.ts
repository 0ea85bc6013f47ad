import { ToolgateError } from '../core/errors.ts';
import { raceSignal } from '../select/race-signal.ts';

/** The caller may have given up before anything was settled, written or asked. Throws `aborted`. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw givenUp(signal);
}

/** What `work` gives, or `aborted` as soon as the caller gives up, whether `work` listens or not. */
export async function unlessAborted<Result>(
  work: () => Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  if (signal === undefined) return await work();
  try {
    return await raceSignal(work, signal);
  } catch (error) {
    // What work makes of the abort is its own affair: the caller gets one kind of error.
    throw signal.aborted ? givenUp(signal) : error;
  }
}

function givenUp(signal: AbortSignal): ToolgateError {
  return new ToolgateError('aborted', 'The answer was given up by its caller.', { cause: signal.reason });
}
