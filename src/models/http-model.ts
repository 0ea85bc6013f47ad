import { ToolgateError } from '../core/errors.ts';
import { decideInBatches } from '../decision/decide-in-batches.ts';
import { checkDecisionRequest } from '../decision/decision-request.ts';
import type { DecisionModel, DecisionModelLimits, DecisionRequest } from '../decision/port.ts';
import { validateDecisionResponse } from '../decision/validate-response.ts';
import type { HttpDecisionModelOptions } from './http-options.ts';
import { postJson } from './post-json.ts';

/** What differs between services: where, and in which words. */
export interface HttpService {
  readonly provider: string;
  readonly modelId: string;
  readonly url: string;
  readonly limits: DecisionModelLimits;
  /** The key for this address, or undefined when none is needed. */
  readonly apiKey: () => string | undefined;
  readonly keyHint: string;
  encode(request: DecisionRequest): unknown;
  /** Turns the body of an answer into a response; it is validated against its request afterwards. */
  decode(request: DecisionRequest, body: unknown): unknown;
}

/** A decision model behind HTTP: checks, cuts, sends, retries, decodes and validates. Holds the key in a closure only. */
export function httpDecisionModel(service: HttpService, options: HttpDecisionModelOptions): DecisionModel {
  checkOptions(options);
  const { provider, modelId, url, keyHint } = service;
  const limits = options.limits ?? service.limits;
  return {
    provider,
    modelId,
    limits,
    recommended: options.recommended,
    decide(request, { signal }) {
      return decideSafely(request, signal);
    },
  };

  async function decideSafely(request: DecisionRequest, signal: AbortSignal): ReturnType<DecisionModel['decide']> {
    checkDecisionRequest(request);
    signal.throwIfAborted();
    const apiKey = service.apiKey();
    return decideInBatches(request, {
      limits,
      maxParallel: options.maxParallelRequests ?? 4,
      signal,
      async send(part, partSignal) {
        const body = service.encode(part);
        const answer = await postJson({ provider, url, apiKey, body, keyHint, options, signal: partSignal });
        return validateDecisionResponse(part, service.decode(part, answer), provider);
      },
    });
  }
}

/** `base` and `path` joined by exactly one slash. Throws `invalid-option` unless the base is an http or https address. */
export function serviceUrl(base: string, path: string): string {
  let url: URL;
  try {
    url = new URL(base);
  } catch {
    throw wrong('baseUrl', 'is not an address');
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw wrong('baseUrl', 'must start with https:// or http://');
  if (url.username !== '' || url.password !== '')
    throw wrong('baseUrl', 'must not hold credentials; use apiKey or headers');
  return `${base.replace(/\/+$/u, '')}${path}`;
}

/** The key given as an option, read anew for each request. */
export function optionKey(apiKey: HttpDecisionModelOptions['apiKey']): string | undefined {
  const key = typeof apiKey === 'function' ? apiKey() : apiKey;
  return key === undefined || key.trim() === '' ? undefined : key.trim();
}

function checkOptions({ timeoutMs, maxRetries, maxParallelRequests }: HttpDecisionModelOptions): void {
  if (timeoutMs !== undefined && !(timeoutMs > 0)) throw wrong('timeoutMs', 'must be above 0');
  if (maxRetries !== undefined && !(Number.isInteger(maxRetries) && maxRetries >= 0)) {
    throw wrong('maxRetries', 'must be a whole number of at least 0');
  }
  if (maxParallelRequests !== undefined && !(Number.isInteger(maxParallelRequests) && maxParallelRequests >= 1)) {
    throw wrong('maxParallelRequests', 'must be a whole number of at least 1');
  }
}

function wrong(option: string, problem: string): ToolgateError {
  return new ToolgateError('invalid-option', `The option ${option} of the decision model ${problem}.`, {
    data: { option },
  });
}
