import { ToolgateError } from '../core/errors.ts';
import { isPlainObject } from '../core/json.ts';
import type { DecisionModel, DecisionRequest } from '../decision/port.ts';
import { frameworkDecisionModel } from './framework-model.ts';
import type { FrameworkDecisionModelOptions } from './framework-options.ts';
import { decodeSystemOne, encodeSystemOne } from './system-one-wire.ts';

/** A decision model of LangChain.js (`BaseDecisionModel` of `@langchain/core/decisions`), as far as it is used. */
export interface LangchainDecisionModelLike {
  /** The provider's name of the model. */
  readonly model: string;
  invoke(input: never, options: never): Promise<unknown>;
}

/** Options of {@link langchainDecisionModel}. */
export interface LangchainDecisionModelOptions extends FrameworkDecisionModelOptions {
  /** For reports. Default: what the model says of itself, else `langchain`. */
  readonly provider?: string | undefined;
}

/**
 * A decision model of LangChain.js. It is called with no callbacks, so that neither the handlers nor the stream of a surrounding chain see the call;
 * the signal reaches it. LangChain itself throws when one answer is missing, so there a missing answer costs its request. Throws `invalid-option`
 * for anything else than such a model.
 */
export function langchainDecisionModel(
  model: LangchainDecisionModelLike,
  options: LangchainDecisionModelOptions = {},
): DecisionModel {
  if (typeof model?.invoke !== 'function' || typeof model.model !== 'string') {
    throw new ToolgateError('invalid-option', 'Not a decision model of LangChain.js: expected invoke and model.', {
      data: { option: 'model' },
    });
  }
  const own = (model as { readonly _provider?: unknown })._provider;
  const callable = model as unknown as { invoke(input: unknown, options: unknown): Promise<unknown> };
  return frameworkDecisionModel(
    {
      provider: options.provider ?? (typeof own === 'string' && own !== '' ? own : 'langchain'),
      modelId: model.model,
      accepts: () => true,
      async ask(request, signal) {
        // The vocabulary of LangChain.js is System One's, under the same names.
        const { state, questions } = encodeSystemOne(model.model, request) as { state: unknown; questions: unknown };
        return decode(
          request,
          await callable.invoke({ state, questions }, { callbacks: [], tags: ['toolgate'], signal }),
        );
      },
    },
    options,
  );
}

function decode(request: DecisionRequest, response: unknown): unknown {
  if (typeof response !== 'object' || response === null) return undefined;
  const {
    answers,
    model,
    usage_metadata: usage,
  } = response as { answers?: unknown; model?: unknown; usage_metadata?: unknown };
  return decodeSystemOne(request, { answers, model, usage: isPlainObject(usage) ? usage : {} });
}
