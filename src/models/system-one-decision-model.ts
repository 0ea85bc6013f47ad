import { ToolgateError } from '../core/errors.ts';
import type { DecisionModel } from '../decision/port.ts';
import { readEnvironment } from './environment.ts';
import { httpDecisionModel, optionKey, serviceUrl } from './http-model.ts';
import type { HttpDecisionModelOptions } from './http-options.ts';
import { decodeSystemOne, encodeSystemOne } from './system-one-wire.ts';

const typeSafeUrl = 'https://api.typesafe.ai';

/** Options of {@link systemOneDecisionModel}. */
export interface SystemOneDecisionModelOptions extends HttpDecisionModelOptions {
  /** Pin a version: thresholds belong to it. Default with TypeSafe `jev-latest`; required for every other server. */
  readonly model?: string | undefined;
  /** Everything before `/v1/systemone`. Default `TYPESAFE_BASE_URL`, else `https://api.typesafe.ai`. */
  readonly baseUrl?: string | undefined;
  /** For reports. Default `typesafe`, `openrouter` or the host. */
  readonly provider?: string | undefined;
}

/**
 * A decision model that speaks System One (`POST {baseUrl}/v1/systemone`): TypeSafe, OpenRouter (`https://openrouter.ai/api`) and the many servers
 * of the same form. Without `apiKey` the vendor's own variable is read, for the vendor's own address only: `TYPESAFE_API_KEY` or `TYPESAFE_AI_API_KEY`,
 * `OPENROUTER_API_KEY`. Other addresses get no key unless one is given. Throws `invalid-option` for options that cannot be used.
 */
export function systemOneDecisionModel(options: SystemOneDecisionModelOptions = {}): DecisionModel {
  const environmentUrl = readEnvironment('TYPESAFE_BASE_URL');
  const baseUrl = options.baseUrl ?? environmentUrl ?? typeSafeUrl;
  const url = serviceUrl(baseUrl, '/v1/systemone');
  const isTypeSafe =
    sameOrigin(baseUrl, typeSafeUrl) || (environmentUrl !== undefined && sameOrigin(baseUrl, environmentUrl));
  const isOpenRouter = sameOrigin(baseUrl, 'https://openrouter.ai');
  const modelId = options.model ?? (isTypeSafe ? 'jev-latest' : undefined);
  if (modelId === undefined || modelId.trim() === '') {
    throw new ToolgateError(
      'invalid-option',
      `The option model is required for the System One server at ${new URL(baseUrl).host}.`,
      {
        data: { option: 'model' },
      },
    );
  }
  const provider = options.provider ?? (isTypeSafe ? 'typesafe' : isOpenRouter ? 'openrouter' : new URL(baseUrl).host);
  const environmentKey = (): string | undefined => {
    if (isTypeSafe) return readEnvironment('TYPESAFE_API_KEY') ?? readEnvironment('TYPESAFE_AI_API_KEY');
    return isOpenRouter ? readEnvironment('OPENROUTER_API_KEY') : undefined;
  };
  return httpDecisionModel(
    {
      provider,
      modelId,
      url,
      // 64k tokens for a request and 32k for the state and the longest question; large requests are refused far more often than small ones.
      limits: { maxQuestions: 128, maxOptions: 255, maxRequestBytes: 180_000, maxInputTokens: 32_000 },
      apiKey: () => optionKey(options.apiKey) ?? environmentKey(),
      keyHint: isTypeSafe
        ? 'Check the option apiKey or TYPESAFE_API_KEY.'
        : isOpenRouter
          ? 'Check the option apiKey or OPENROUTER_API_KEY.'
          : 'Check the option apiKey.',
      encode: (request) => encodeSystemOne(modelId, request),
      decode: decodeSystemOne,
    },
    options,
  );
}

function sameOrigin(one: string, other: string): boolean {
  return URL.canParse(other) && new URL(one).origin === new URL(other).origin;
}
