import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { ToolgateError } from '../core/errors.ts';

/** A secret, or several of which the first signs and all verify, so that a secret can be changed without losing what is open. */
export type SecretInput = string | Uint8Array | readonly (string | Uint8Array)[];

/** What a derived key is for. A token of one purpose never passes as one of another. */
export type SealPurpose = 'pause' | 'link' | 'session' | 'requestState' | 'webhook' | 'checkpoint';

export interface SealingKeys {
  /** Id and key that sign now. */
  current(purpose: SealPurpose): { readonly id: string; readonly key: Uint8Array };
  /** The key of this id, if the secret is still known. */
  find(purpose: SealPurpose, id: string): Uint8Array | undefined;
}

/** One derived key for each purpose. Throws `invalid-option` for secrets shorter than 32 bytes. */
export function sealingKeys(secret: SecretInput): SealingKeys {
  const list = (Array.isArray(secret) ? secret : [secret]) as readonly (string | Uint8Array)[];
  const roots = list.map((item) => {
    const bytes = typeof item === 'string' ? utf8ToBytes(item) : item;
    if (!(bytes instanceof Uint8Array) || bytes.length < 32) {
      throw new ToolgateError(
        'invalid-option',
        'A secret must have at least 32 bytes. Make one with `openssl rand -base64 32`.',
        { data: { option: 'secret' } },
      );
    }
    // The id tells keys apart and tells nothing about the secret.
    return { id: bytesToHex(hmac(sha256, bytes, utf8ToBytes('toolgate-key-id-1'))).slice(0, 16), bytes };
  });
  const first = roots[0];
  if (first === undefined)
    throw new ToolgateError('invalid-option', 'At least one secret is needed.', { data: { option: 'secret' } });
  const derive = (bytes: Uint8Array, purpose: SealPurpose): Uint8Array =>
    hmac(sha256, bytes, utf8ToBytes(`toolgate-purpose-1:${purpose}`));
  return {
    current: (purpose) => ({ id: first.id, key: derive(first.bytes, purpose) }),
    find(purpose, id) {
      const root = roots.find((candidate) => candidate.id === id);
      return root === undefined ? undefined : derive(root.bytes, purpose);
    },
  };
}
