/** Calls a stranger's function and waits for it no longer than the signal allows; whatever it does later is ignored. */
export async function raceSignal<Value>(call: () => Value | Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted();
  let leave = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    const onAbort = (): void => {
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    leave = () => {
      signal.removeEventListener('abort', onAbort);
    };
  });
  try {
    return await Promise.race([Promise.resolve().then(call), aborted]);
  } finally {
    leave();
  }
}
