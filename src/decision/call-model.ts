import type { DecisionModel, DecisionRequest } from './port.ts';

/**
 * Calls a decision model that may do anything: throw instead of rejecting, hang, or settle long after everybody left.
 * The promise rejects with the signal's reason as soon as the signal is aborted, and nothing the model does later escapes.
 * The response is not validated here.
 */
export function callDecisionModel(
  model: DecisionModel,
  request: DecisionRequest,
  signal: AbortSignal,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      reject(signal.reason as Error);
    };
    if (signal.aborted) {
      onAbort();
      return;
    }
    signal.addEventListener('abort', onAbort, { once: true });
    const settle = (done: () => void): void => {
      signal.removeEventListener('abort', onAbort);
      done();
    };
    let answer: Promise<unknown>;
    try {
      answer = Promise.resolve(model.decide(request, { signal }));
    } catch (error) {
      settle(() => {
        reject(error as Error);
      });
      return;
    }
    answer.then(
      (value) => {
        settle(() => {
          resolve(value);
        });
      },
      (error: unknown) => {
        settle(() => {
          reject(error as Error);
        });
      },
    );
  });
}
