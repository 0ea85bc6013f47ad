import { ToolgateError } from '../core/errors.ts';
import { systemClock } from '../core/system.ts';
import { decideInBatches } from '../decision/decide-in-batches.ts';
import { checkDecisionRequest } from '../decision/decision-request.ts';
import type { DecisionModel, DecisionRequest, Question } from '../decision/port.ts';
import { withRetries } from '../decision/retry.ts';
import { validateDecisionResponse } from '../decision/validate-response.ts';
import { foreignError } from './foreign-error.ts';
import type { FrameworkDecisionModelOptions } from './framework-options.ts';

/** A framework's model object behind three functions. */
export interface FrameworkModel {
  readonly provider: string;
  readonly modelId: string;
  /** False for questions that the model does not know: refused before anything is sent. */
  accepts(question: Question): boolean;
  /** Asks once and gives a response that is validated against its request afterwards. */
  ask(request: DecisionRequest, signal: AbortSignal): Promise<unknown>;
}

/** A decision model around a framework's: checks, cuts, retries and validates. */
export function frameworkDecisionModel(model: FrameworkModel, options: FrameworkDecisionModelOptions): DecisionModel {
  const { provider, modelId } = model;
  const limits = options.limits ?? { maxQuestions: 64 };
  return {
    provider,
    modelId,
    limits,
    recommended: options.recommended,
    decide: async (request, { signal }) => {
      checkDecisionRequest(request);
      signal.throwIfAborted();
      for (const question of Object.values(request.questions)) {
        if (!model.accepts(question)) {
          throw new ToolgateError(
            'decision-model-unsupported',
            `The decision model of ${provider} takes no questions of the type ${question.type}.`,
            {
              data: { limit: 'questionType' },
            },
          );
        }
      }
      return decideInBatches(request, {
        limits,
        maxParallel: options.maxParallelRequests ?? 4,
        signal,
        send: (part, partSignal) =>
          withRetries(
            async () => {
              try {
                return validateDecisionResponse(part, await model.ask(part, partSignal), provider);
              } catch (error) {
                if (partSignal.aborted) throw partSignal.reason as Error;
                throw foreignError(error, provider);
              }
            },
            {
              maxRetries: options.maxRetries,
              clock: options.clock ?? systemClock,
              random: options.random ?? Math.random,
              signal: partSignal,
            },
          ),
      });
    },
  };
}
