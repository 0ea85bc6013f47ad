import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { errorMessage, isToolgateError, ToolgateError } from '../core/errors.ts';
import type { ToolgateErrorCode } from '../core/error-codes.ts';
import type { Logger } from '../core/logger.ts';

const statuses: Partial<Record<ToolgateErrorCode, ContentfulStatusCode>> = {
  'invalid-option': 400,
  'search-arguments': 400,
  'decision-invalid': 400,
  'decision-unknown-key': 400,
  'decision-missing': 400,
  'not-permitted': 403,
  'unknown-tool': 404,
  'pause-not-found': 404,
  'pause-settled': 409,
  'decision-conflict': 409,
  'illegal-transition': 409,
  'call-running': 409,
  'upstream-unavailable': 503,
  'upstream-failed': 502,
  timeout: 504,
  aborted: 499 as ContentfulStatusCode,
};

/** An error as the HTTP interface tells it: always `{ error: { code, message, data? } }`. */
export function errorBody(
  code: string,
  message: string,
  data?: object,
): { error: { code: string; message: string; data?: object } } {
  return { error: { code, message, ...(data === undefined || Object.keys(data).length === 0 ? {} : { data }) } };
}

/** Answers with an error. Anything that is not one of ours is a fault of the gateway: logged, and told without details. */
export function respondError(c: Context, error: unknown, logger: Logger): Response {
  if (isToolgateError(error)) {
    const status = statuses[error.code] ?? 500;
    if (status < 500) return c.json(errorBody(error.code, error.message, error.data), status);
    if (statuses[error.code] !== undefined) return c.json(errorBody(error.code, error.message, error.data), status);
  }
  logger.error('a request failed', { path: c.req.path, error: errorMessage(error) });
  return c.json(errorBody('internal', 'The gateway could not answer this request. Its log says more.'), 500);
}

/** The body of a request as a JSON object. Throws `invalid-option` that says what is wrong with it. */
export async function readJsonObject(c: Context, limit: number = 1_048_576): Promise<Record<string, unknown>> {
  const length = Number(c.req.header('content-length') ?? '0');
  if (length > limit) throw badRequest(`The body is larger than ${limit} bytes.`);
  const text = await c.req.text();
  if (text.length > limit) throw badRequest(`The body is larger than ${limit} bytes.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw badRequest(`The body is not JSON: ${errorMessage(error)}.`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw badRequest('The body must be a JSON object.');
  return value as Record<string, unknown>;
}

/** A request that cannot be understood. */
export function badRequest(message: string, option: string = 'body'): ToolgateError {
  return new ToolgateError('invalid-option', message, { data: { option } });
}
