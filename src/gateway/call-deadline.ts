import type { Clock } from '../core/clock.ts';
import { ToolgateError } from '../core/errors.ts';

/** Which limits a call has, in milliseconds; null: none. */
export interface CallLimits {
  readonly idleMs: number | null;
  readonly totalMs: number | null;
  /** How the limits are called in the configuration, for the message. */
  readonly subject: string;
}

/** A signal that is aborted when a call takes too long, and the means to say that it is alive. */
export interface CallDeadline {
  readonly signal: AbortSignal;
  /** There was a sign of life. */
  alive(): void;
  /** Ends all timers. */
  done(): void;
}

/** Watches one call: silence of `idleMs` or `totalMs` altogether abort it, and so does the caller's own signal. */
export function startDeadline(clock: Clock, limits: CallLimits, caller: AbortSignal): CallDeadline {
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(caller.reason);
  let cancelIdle: (() => void) | undefined;
  const watchIdle = (): void => {
    cancelIdle?.();
    const { idleMs } = limits;
    if (idleMs === null) return;
    cancelIdle = clock.schedule(idleMs, () =>
      controller.abort(
        timeout(
          idleMs,
          `${limits.subject} gave no sign of life for ${describe(idleMs)} and was cancelled (callTimeoutMs).`,
        ),
      ),
    );
  };
  const { totalMs } = limits;
  const cancelTotal =
    totalMs === null
      ? undefined
      : clock.schedule(totalMs, () =>
          controller.abort(
            timeout(
              totalMs,
              `${limits.subject} took longer than ${describe(totalMs)} and was cancelled (callTotalTimeoutMs).`,
            ),
          ),
        );
  if (caller.aborted) onAbort();
  else caller.addEventListener('abort', onAbort, { once: true });
  watchIdle();
  return {
    signal: controller.signal,
    alive: watchIdle,
    done() {
      cancelIdle?.();
      cancelTotal?.();
      caller.removeEventListener('abort', onAbort);
    },
  };
}

function timeout(milliseconds: number, message: string): ToolgateError {
  return new ToolgateError('timeout', message, { data: { timeoutMs: milliseconds } });
}

function describe(milliseconds: number): string {
  return milliseconds % 1_000 === 0 ? `${milliseconds / 1_000} s` : `${milliseconds} ms`;
}
