import { errorMessage } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import type { DecisionModel, DecisionRequest, DecisionResponse } from './port.ts';
import { validateDecisionResponse } from './validate-response.ts';

/** What a listener is told. `attributes` is shared by all events of one request and all listeners. */
export interface DecisionModelEvent {
  readonly request: DecisionRequest;
  readonly provider: string;
  readonly modelId: string;
  readonly attributes: Map<string, unknown>;
}

/** Watches a decision model. Nothing a listener does, throws or returns has any effect on the request. */
export interface DecisionModelListener {
  onRequest?(event: DecisionModelEvent): void;
  /** The response has been checked against its request. */
  onResponse?(event: DecisionModelEvent & { readonly response: DecisionResponse }): void;
  /** The model failed, or gave something that does not fit its request. */
  onError?(event: DecisionModelEvent & { readonly error: unknown }): void;
}

/** The same model, watched. Without listeners it is the very same object. */
export function listenTo(
  model: DecisionModel,
  listeners: readonly DecisionModelListener[],
  logger: Logger,
): DecisionModel {
  if (listeners.length === 0) return model;
  const tell = (call: (listener: DecisionModelListener) => unknown): void => {
    for (const listener of listeners) {
      try {
        // A listener that returns a promise after all must not end as an unhandled rejection.
        void Promise.resolve(call(listener)).catch((error: unknown) => warn(logger, error));
      } catch (error) {
        warn(logger, error);
      }
    }
  };
  return {
    provider: model.provider,
    modelId: model.modelId,
    limits: model.limits,
    batching: model.batching,
    recommended: model.recommended,
    async decide(request, options) {
      const event: DecisionModelEvent = {
        request,
        provider: model.provider,
        modelId: model.modelId,
        attributes: new Map(),
      };
      tell((listener) => listener.onRequest?.(event));
      let response: DecisionResponse;
      try {
        response = await model.decide(request, options);
      } catch (error) {
        tell((listener) => listener.onError?.({ ...event, error }));
        throw error;
      }
      tellOfResponse(event, response, tell);
      return response;
    },
  };
}

/** Listeners are told of clean responses only. What does not fit the request is an error to them; who asked judges it question by question. */
function tellOfResponse(
  event: DecisionModelEvent,
  response: DecisionResponse,
  tell: (call: (listener: DecisionModelListener) => unknown) => void,
): void {
  let clean: DecisionResponse;
  try {
    clean = validateDecisionResponse(event.request, response, event.provider);
  } catch (error) {
    tell((listener) => listener.onError?.({ ...event, error }));
    return;
  }
  tell((listener) => listener.onResponse?.({ ...event, response: clean }));
}

function warn(logger: Logger, error: unknown): void {
  try {
    logger.warn('A decision model listener failed; it is ignored.', { error: errorMessage(error) });
  } catch {
    // A logger that fails has nowhere left to say so.
  }
}
