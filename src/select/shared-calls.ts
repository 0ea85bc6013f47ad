/** Joins calls that are the same and happen at the same time. */
export interface SharedCalls<Value> {
  /**
   * Starts `call`, or joins the one that runs under this key. A caller whose signal is aborted leaves the others alone; for the last one the call's
   * own signal is aborted, and what the call then gives is its result. So `call` must end when its signal is aborted.
   */
  join(key: string, signal: AbortSignal, call: (signal: AbortSignal) => Promise<Value>): Promise<Value>;
}

interface Running<Value> {
  readonly controller: AbortController;
  readonly result: Promise<Value>;
  waiting: number;
}

/** Makes an empty set of running calls. */
export function createSharedCalls<Value>(): SharedCalls<Value> {
  const running = new Map<string, Running<Value>>();
  return {
    join(key, signal, call) {
      const entry = running.get(key) ?? start(key, call, running);
      entry.waiting += 1;
      return new Promise<Value>((resolve, reject) => {
        let here = true;
        const leave = (): boolean => {
          if (!here) return false;
          here = false;
          entry.waiting -= 1;
          signal.removeEventListener('abort', onAbort);
          return true;
        };
        const onAbort = (): void => {
          if (entry.waiting === 1 && here) {
            // The last one waits for what the call makes of its end: answers that came in time count.
            if (running.get(key) === entry) running.delete(key);
            entry.controller.abort(signal.reason);
          } else if (leave()) reject(signal.reason as Error);
        };
        entry.result.then(
          (value) => {
            if (leave()) resolve(value);
          },
          (error: unknown) => {
            if (leave()) reject(error as Error);
          },
        );
        if (signal.aborted) onAbort();
        else signal.addEventListener('abort', onAbort, { once: true });
      });
    },
  };
}

function start<Value>(
  key: string,
  call: (signal: AbortSignal) => Promise<Value>,
  running: Map<string, Running<Value>>,
): Running<Value> {
  const controller = new AbortController();
  let entry: Running<Value> | undefined;
  const result = (async (): Promise<Value> => {
    try {
      // The entry must stand in the map before the call can end.
      await Promise.resolve();
      return await call(controller.signal);
    } finally {
      if (entry !== undefined && running.get(key) === entry) running.delete(key);
    }
  })();
  entry = { controller, result, waiting: 0 };
  running.set(key, entry);
  return entry;
}
