import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { errorMessage, ToolgateError } from '../core/errors.ts';
import { silentLogger } from '../core/logger.ts';
import type { Logger } from '../core/logger.ts';
import { encodeBase64 } from './base64-url.ts';
import type { OutboxRow } from './records.ts';
import type { ConfirmationStore } from './store-port.ts';

export interface WebhookOptions {
  /** Https, or http on the machine itself. */
  readonly url: string;
  /** Shared with the receiver, at least 24 bytes; signs every message. */
  readonly secret: string | Uint8Array;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
  /** For one attempt, in milliseconds. Default 10,000. */
  readonly timeoutMs?: number;
  /** Then the message is given up. Default 10: with doubling pauses from 5 seconds, about an hour and a half. */
  readonly maxAttempts?: number;
  readonly logger?: Logger;
}

/** What one round of deliveries did. */
export interface DeliveryReport {
  readonly delivered: number;
  readonly failed: number;
  readonly givenUp: number;
}

const firstPauseMs = 5_000;

/**
 * Sends what is due in the store's outbox, signed as Standard Webhooks (webhook-id, webhook-timestamp, webhook-signature: v1). Each
 * message comes at least once; the id tells a receiver that it has it already. Any number of processes may deliver: an attempt is
 * taken by compare-and-set before it is made. Bodies hold names and states, never arguments.
 */
export async function deliverWebhooks(
  store: ConfirmationStore,
  options: WebhookOptions,
  limit: number = 100,
): Promise<DeliveryReport> {
  const url = checkedUrl(options.url);
  const key = typeof options.secret === 'string' ? utf8ToBytes(options.secret) : options.secret;
  if (key.length < 24)
    throw new ToolgateError('invalid-option', 'A webhook secret must have at least 24 bytes.', {
      data: { option: 'secret' },
    });
  const maxAttempts = options.maxAttempts ?? 10;
  const report = { delivered: 0, failed: 0, givenUp: 0 };
  const { value: due, now } = await store.dueOutbox(limit);
  for (const row of due) {
    // Two numbers for each attempt: odd while it is made, even when its end is written.
    const attempt = Math.floor(row.attempts / 2) + 1;
    const taken: OutboxRow = {
      ...row,
      attempts: row.attempts + 1,
      dueAt: now + firstPauseMs * 2 ** Math.min(attempt, 10),
    };
    if (!(await store.writeOutbox(taken))) continue;
    const problem = await send(url, key, row, now, options);
    const state = problem === undefined ? 'delivered' : attempt >= maxAttempts ? 'given-up' : 'due';
    await store.writeOutbox({ ...taken, attempts: taken.attempts + 1, state });
    if (problem === undefined) report.delivered += 1;
    else if (state === 'given-up') report.givenUp += 1;
    else report.failed += 1;
    if (problem !== undefined)
      (options.logger ?? silentLogger).warn('A webhook was not delivered.', { id: row.id, attempt, problem });
  }
  return report;
}

async function send(
  url: URL,
  key: Uint8Array,
  row: OutboxRow,
  now: number,
  options: WebhookOptions,
): Promise<string | undefined> {
  const timestamp = Math.floor(now / 1000);
  const body = JSON.stringify({ type: row.kind, timestamp: new Date(row.createdAt).toISOString(), data: row.body });
  try {
    const response = await (options.fetch ?? globalThis.fetch)(url, {
      method: 'POST',
      redirect: 'error',
      signal: AbortSignal.timeout(options.timeoutMs ?? 10_000),
      headers: {
        'content-type': 'application/json',
        'webhook-id': row.id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signWebhook(key, row.id, timestamp, body),
      },
      body,
    });
    await response.body?.cancel();
    return response.ok ? undefined : `status ${response.status}`;
  } catch (error) {
    return errorMessage(error);
  }
}

/** The signature header of Standard Webhooks: `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`. */
export function signWebhook(key: Uint8Array, id: string, timestamp: number, body: string): string {
  return `v1,${encodeBase64(hmac(sha256, key, utf8ToBytes(`${id}.${timestamp}.${body}`)))}`;
}

function checkedUrl(text: string): URL {
  const url = URL.parse(text);
  const local = url?.hostname === 'localhost' || url?.hostname === '127.0.0.1' || url?.hostname === '[::1]';
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && local)) return url;
  throw new ToolgateError('invalid-option', 'A webhook needs an https address (http only on this machine).', {
    data: { option: 'url' },
  });
}
