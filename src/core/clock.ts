/** Time comes in from outside, so that tests never wait and expiry can be judged at any chosen moment. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Calls `callback` once after `milliseconds`; the returned function cancels it. Must not keep the process alive. */
  schedule(milliseconds: number, callback: () => void): () => void;
}

/** Resolves after `milliseconds` on the given clock, or rejects with the signal's reason when it is aborted. */
export function sleep(clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason as Error);
      return;
    }
    const onAbort = (): void => {
      cancel();
      reject(signal?.reason as Error);
    };
    const cancel = clock.schedule(milliseconds, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
