import { errorMessage, isToolgateError, ToolgateError } from '../core/errors.ts';
import { isPlainObject } from '../core/json.ts';

/**
 * What a framework's model threw, as a typed error. Errors of the AI SDK say themselves whether trying again helps, with which status they came and,
 * in the headers, when. Their message is kept, since the framework decides what stands in it; the request they carry is not.
 */
export function foreignError(error: unknown, provider: string): ToolgateError {
  if (isToolgateError(error)) return error;
  const { isRetryable, statusCode, responseHeaders } = (typeof error === 'object' && error !== null ? error : {}) as {
    isRetryable?: unknown;
    statusCode?: unknown;
    responseHeaders?: unknown;
  };
  const retryAfter = isPlainObject(responseHeaders) ? Number(responseHeaders['retry-after']) : Number.NaN;
  return new ToolgateError(
    'decision-model-failed',
    `The decision model of ${provider} failed: ${errorMessage(error).replaceAll(/\s+/gu, ' ').slice(0, 300)}`,
    {
      data: {
        provider,
        retryable: isRetryable === true,
        ...(typeof statusCode === 'number' ? { status: statusCode } : {}),
        ...(retryAfter >= 0 ? { retryAfterMs: retryAfter * 1000 } : {}),
      },
    },
  );
}
