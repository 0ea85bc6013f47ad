import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson } from '../core/canonical-json.ts';
import { ToolgateError } from '../core/errors.ts';
import { decodeBase64Url, encodeBase64Url } from './base64-url.ts';
import type { SealingKeys, SealPurpose } from './sealing-keys.ts';

/** What a sealed token says. Anybody can read it, nobody can change it. */
export interface SealedClaims {
  /** Milliseconds since the epoch. */
  readonly issuedAt: number;
  /** Milliseconds since the epoch, or null when it never ends. */
  readonly expiresAt: number | null;
  /** [tenant, id] of whom it was made for; null: for nobody, and then only nobody may use it. */
  readonly principal: readonly [tenant: string, id: string] | null;
  readonly conversation: string | null;
  /** What else it is bound to; compared whole. */
  readonly content: unknown;
}

/**
 * Seals claims: `tg1.<key id>.<payload>.<mac>`, HMAC-SHA256 over version, purpose, key id and the very bytes of the
 * payload, in an array form in which no two different inputs have one text.
 */
export function sealToken(keys: SealingKeys, purpose: SealPurpose, claims: SealedClaims): string {
  const { id, key } = keys.current(purpose);
  const payload = encodeBase64Url(utf8ToBytes(canonicalJson(claims)));
  return `tg1.${id}.${payload}.${encodeBase64Url(macOf(key, purpose, id, payload))}`;
}

/**
 * The claims of a token that is ours, unchanged, of this purpose and in time. Throws `token-invalid` (one message for every reason, so that
 * nothing is learnt from it) or `token-expired`. Whether the claims fit principal, conversation and content is the caller's to compare.
 */
export function openToken(keys: SealingKeys, purpose: SealPurpose, token: string, now: number): SealedClaims {
  const parts = token.split('.');
  const [version, id = '', payload = '', mac = ''] = parts;
  const key = keys.find(purpose, id);
  if (parts.length !== 4 || version !== 'tg1' || key === undefined) throw invalidToken();
  const given = decodeBase64Url(mac);
  // The text form is compared too: another spelling of the same bytes is a changed token.
  if (given === undefined || encodeBase64Url(given) !== mac || !sameBytes(given, macOf(key, purpose, id, payload)))
    throw invalidToken();
  const claims = readClaims(payload);
  if (claims === undefined) throw invalidToken();
  if (claims.expiresAt !== null && claims.expiresAt <= now) {
    throw new ToolgateError('token-expired', 'The sealed token is past its time. Ask again.');
  }
  return claims;
}

/** The one error for a token that does not count. */
export function invalidToken(): ToolgateError {
  return new ToolgateError(
    'token-invalid',
    'The sealed token does not count here: it was changed, or it belongs to something or somebody else. Nothing was run.',
  );
}

function macOf(key: Uint8Array, purpose: SealPurpose, id: string, payload: string): Uint8Array {
  return hmac(sha256, key, utf8ToBytes(canonicalJson(['toolgate-token-1', purpose, id, payload])));
}

/** Takes the same time wherever the first difference is. */
function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let index = 0; index < a.length; index += 1) difference |= (a[index] as number) ^ (b[index] as number);
  return difference === 0;
}

function readClaims(payload: string): SealedClaims | undefined {
  const bytes = decodeBase64Url(payload);
  if (bytes === undefined) return undefined;
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as SealedClaims;
  } catch {
    return undefined;
  }
}
