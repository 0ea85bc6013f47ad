import type { Clock } from '../core/clock.ts';

/** A signal that is aborted when its parent is, or when the time is up, whichever comes first. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** True when the time was up before the parent was aborted. */
  expired(): boolean;
  /** Stops the timer. The signal stays as it is. */
  release(): void;
}

/** Starts a deadline. `timeoutMs` undefined or infinite: only the parent ends it. */
export function startDeadline(
  clock: Clock,
  timeoutMs: number | undefined,
  parent: AbortSignal | undefined,
  reason: () => Error,
): Deadline {
  const controller = new AbortController();
  let expired = false;
  const onParent = (): void => {
    controller.abort(parent?.reason);
  };
  if (parent?.aborted === true) onParent();
  else parent?.addEventListener('abort', onParent, { once: true });
  const cancel =
    timeoutMs === undefined || !Number.isFinite(timeoutMs)
      ? () => {}
      : clock.schedule(timeoutMs, () => {
          if (controller.signal.aborted) return;
          expired = true;
          controller.abort(reason());
        });
  return {
    signal: controller.signal,
    expired: () => expired,
    release() {
      cancel();
      parent?.removeEventListener('abort', onParent);
    },
  };
}
