import type { Clock } from '../core/clock.ts';
import { isToolgateError, ToolgateError } from '../core/errors.ts';
import { isPlainObject } from '../core/json.ts';
import type { JsonObject } from '../core/json.ts';
import { systemClock } from '../core/system.ts';
import { startDeadline } from '../decision/deadline.ts';
import { withRetries } from '../decision/retry.ts';
import { invalidResponse } from '../decision/validate-response.ts';
import type { HttpDecisionModelOptions } from './http-options.ts';
import { readLimitedText } from './read-limited-text.ts';

/** One call of a service. */
export interface PostJson {
  /** For messages. */
  readonly provider: string;
  readonly url: string;
  readonly apiKey: string | undefined;
  readonly body: unknown;
  /** Said when the service does not accept the key. */
  readonly keyHint: string;
  readonly options: HttpDecisionModelOptions;
  readonly signal: AbortSignal;
}

const retryableStatuses = new Set([408, 425, 429]);

/**
 * Posts JSON and gives back the JSON of the answer. Redirects are not followed, since the conversation would go to wherever they lead. Throws
 * `decision-model-failed` (with `status` and `retryable`), `decision-model-timeout` and `decision-model-invalid-response`; the key never appears in them.
 */
export async function postJson(call: PostJson): Promise<unknown> {
  const { options, signal } = call;
  const clock = options.clock ?? systemClock;
  const body = JSON.stringify(call.body);
  return withRetries(() => tryOnce(call, body, clock), {
    maxRetries: options.maxRetries,
    clock,
    random: options.random ?? Math.random,
    signal,
  });
}

async function tryOnce(call: PostJson, body: string, clock: Clock): Promise<unknown> {
  const { options, provider } = call;
  const timeoutMs = options.timeoutMs ?? 15_000;
  const deadline = startDeadline(
    clock,
    timeoutMs,
    call.signal,
    () =>
      new ToolgateError(
        'decision-model-timeout',
        `The decision model of ${provider} did not answer within ${timeoutMs} ms.`,
        {
          data: { provider, timeoutMs },
        },
      ),
  );
  try {
    const response = await (options.fetch ?? fetch)(call.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(call.apiKey === undefined ? {} : { authorization: `Bearer ${call.apiKey}` }),
        ...options.headers,
      },
      body,
      redirect: 'manual',
      signal: deadline.signal,
    });
    const text = await readLimitedText(response, deadline.signal);
    if (!response.ok) throw statusError(call, response, text, clock);
    return parse(text, provider);
  } catch (error) {
    if (deadline.signal.aborted) throw deadline.signal.reason as Error;
    if (isToolgateError(error)) throw error;
    throw new ToolgateError(
      'decision-model-failed',
      `The decision model of ${provider} could not be reached: ${oneLine(redact(reasonOf(error), call))}`,
      {
        data: { provider, retryable: true },
      },
    );
  } finally {
    deadline.release();
  }
}

function parse(text: string, provider: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw invalidResponse(provider, 'it is not JSON');
  }
}

function statusError(call: PostJson, response: Response, text: string, clock: Clock): ToolgateError {
  const { status } = response;
  const retryable = status >= 500 || retryableStatuses.has(status);
  const retryAfterMs = retryable ? readRetryAfter(response.headers.get('retry-after'), clock) : undefined;
  const said = oneLine(redact(serviceMessage(text), call));
  const hint = status === 401 || status === 403 ? ` ${call.keyHint}` : '';
  return new ToolgateError(
    'decision-model-failed',
    `The decision model of ${call.provider} answered with status ${status}${said === '' ? '' : `: ${said}`}.${hint}`,
    { data: { provider: call.provider, status, retryable, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) } },
  );
}

/** What a service says went wrong: `message`, `error` (a text or `{ message }`) or `detail`; the start of the body otherwise. */
function serviceMessage(text: string): string {
  try {
    const body: unknown = JSON.parse(text);
    if (isPlainObject(body)) {
      const { message, error, detail } = body as JsonObject;
      for (const said of [message, isPlainObject(error) ? error['message'] : error, detail]) {
        if (typeof said === 'string' && said.trim() !== '') return said;
      }
    }
  } catch {
    // Not JSON: a proxy's page or a plain text.
  }
  return text;
}

/** Seconds, or a date; undefined when it is neither. Never below 0. */
function readRetryAfter(value: string | null, clock: Clock): number | undefined {
  if (value === null || value.trim() === '') return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - clock.now());
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'the connection failed';
  const cause: unknown = error.cause;
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message;
}

/** Before anything is cut or joined: half a key is a key, too. */
function redact(text: string, call: PostJson): string {
  const secrets = [call.apiKey, ...Object.values(call.options.headers ?? {})];
  return secrets.reduce<string>(
    (safe, secret) => (secret === undefined || secret.length < 4 ? safe : safe.replaceAll(secret, '[key]')),
    text,
  );
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim().slice(0, 300);
}
