import type { Clock } from '../core/clock.ts';
import { ToolgateError, errorMessage } from '../core/errors.ts';
import type { ToolProvider, ToolProviderRequest } from '../core/provider.ts';
import type { CatalogueProblem } from './types.ts';

/** What one provider gave. Its tools may be anything; they are checked later. */
export interface ProviderAnswer {
  readonly provider: string;
  readonly direct: boolean;
  readonly tools: readonly unknown[];
  readonly problem?: CatalogueProblem;
}

/** More tools than any honest provider has. */
const mostTools = 100_000;

/**
 * Asks one provider for its tools, for at most `timeoutMs`. A throw, a rejection, a wrong answer or silence becomes an answer
 * without tools and with a problem. Rejects with `aborted` only, when the request's signal is aborted.
 */
export async function askProvider(
  provider: ToolProvider,
  id: string,
  request: ToolProviderRequest,
  limits: { readonly timeoutMs: number; readonly clock: Clock },
): Promise<ProviderAnswer> {
  if (request.signal.aborted) throw aborted();
  const stop = new AbortController();
  try {
    const given = provider.provideTools({ ...request, signal: stop.signal });
    // Tools that are there at once need no time limit.
    const answer: unknown = Array.isArray(given) ? given : await inTime(given, request.signal, stop, limits);
    if (request.signal.aborted) throw aborted();
    if (answer !== tooLate) return checkAnswer(id, answer);
    return failed(
      id,
      'provider-timeout',
      `Provider "${id}" did not answer within ${limits.timeoutMs} ms; its tools are missing.`,
    );
  } catch (error) {
    if (request.signal.aborted) throw aborted();
    return failed(id, 'provider-failed', `Provider "${id}" failed: ${describe(error)}; its tools are missing.`);
  }
}

const tooLate = Symbol('too late');

/** The answer, or that it is too late; `stop` tells the provider that nobody waits any more. */
async function inTime(
  given: unknown,
  signal: AbortSignal,
  stop: AbortController,
  limits: { readonly timeoutMs: number; readonly clock: Clock },
): Promise<unknown> {
  let cancelTimer = (): void => undefined;
  let onAbort = (): void => undefined;
  try {
    const givenUp = new Promise<typeof tooLate | undefined>((resolve) => {
      cancelTimer = limits.clock.schedule(limits.timeoutMs, () => resolve(tooLate));
      onAbort = () => {
        stop.abort(signal.reason);
        resolve(undefined);
      };
      signal.addEventListener('abort', onAbort, { once: true });
    });
    const answer = await Promise.race([given, givenUp]);
    if (answer === tooLate)
      stop.abort(
        new ToolgateError('timeout', `The provider took longer than ${limits.timeoutMs} ms.`, {
          data: { timeoutMs: limits.timeoutMs },
        }),
      );
    return answer;
  } finally {
    cancelTimer();
    signal.removeEventListener('abort', onAbort);
  }
}

function checkAnswer(id: string, answer: unknown): ProviderAnswer {
  if (!Array.isArray(answer)) {
    return failed(
      id,
      'provider-failed',
      `Provider "${id}" must give a list of tools, but gave ${answer === null ? 'null' : typeof answer}.`,
    );
  }
  if (answer.length > mostTools)
    return failed(
      id,
      'provider-failed',
      `Provider "${id}" gave ${answer.length} tools; at most ${mostTools} are taken.`,
    );
  return { provider: id, direct: false, tools: answer.slice() as unknown[] };
}

function failed(provider: string, code: CatalogueProblem['code'], message: string): ProviderAnswer {
  return { provider, direct: false, tools: [], problem: { code, provider, message } };
}

function aborted(): ToolgateError {
  return new ToolgateError('aborted', 'The request for tools was given up by its caller.');
}

/** The text of whatever was thrown, also when reading it throws. */
function describe(error: unknown): string {
  try {
    return errorMessage(error).slice(0, 300).replace(/\.$/, '');
  } catch {
    return 'it threw something unreadable';
  }
}
