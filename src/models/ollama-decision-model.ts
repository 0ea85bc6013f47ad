import { ToolgateError } from '../core/errors.ts';
import type { DecisionModel } from '../decision/port.ts';
import { readEnvironment } from './environment.ts';
import { httpDecisionModel, optionKey, serviceUrl } from './http-model.ts';
import type { HttpDecisionModelOptions } from './http-options.ts';
import { decodeSystemOne, encodeSystemOne } from './system-one-wire.ts';

/** Options of {@link ollamaDecisionModel}. */
export interface OllamaDecisionModelOptions extends HttpDecisionModelOptions {
  /** A decision model that has been pulled, for example `nimble` or `tev1`. */
  readonly model: string;
  /** Default `OLLAMA_HOST`, else `http://localhost:11434`. */
  readonly baseUrl?: string | undefined;
}

/**
 * A decision model of a local Ollama, 0.35.0 or later. Takes 64 questions, 26 options, 64 KiB and 2,048 tokens in one request; larger ones are cut and
 * conversations shortened by themselves. No key. Throws `invalid-option` for options that cannot be used.
 */
export function ollamaDecisionModel(options: OllamaDecisionModelOptions): DecisionModel {
  const modelId = options.model;
  if (typeof modelId !== 'string' || modelId.trim() === '') {
    throw new ToolgateError(
      'invalid-option',
      'The option model is required: the name of a decision model that Ollama has pulled.',
      {
        data: { option: 'model' },
      },
    );
  }
  return httpDecisionModel(
    {
      provider: 'ollama',
      modelId,
      url: serviceUrl(options.baseUrl ?? hostFromEnvironment() ?? 'http://localhost:11434', '/v1/systemone'),
      limits: { maxQuestions: 64, maxOptions: 26, maxRequestBytes: 65_536, maxInputTokens: 2048 },
      apiKey: () => optionKey(options.apiKey),
      keyHint: 'Ollama itself needs no key; a proxy in front of it may. Check the option apiKey.',
      encode: (request) => encodeSystemOne(modelId, request),
      decode: decodeSystemOne,
    },
    options,
  );
}

/** `OLLAMA_HOST` may be a host with a port and no scheme, as Ollama's own programs accept it. */
function hostFromEnvironment(): string | undefined {
  const host = readEnvironment('OLLAMA_HOST');
  if (host === undefined) return undefined;
  return /^https?:\/\//u.test(host) ? host : `http://${host.includes(':') ? host : `${host}:11434`}`;
}
