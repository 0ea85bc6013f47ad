import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson } from './canonical-json.ts';

/** `sha256:` and 64 hexadecimal digits. Equal exactly when the canonical forms are equal. */
export type Digest = `sha256:${string}`;

/** Digest of a text's UTF-8 bytes. */
export function digestText(text: string): Digest {
  return `sha256:${bytesToHex(sha256(utf8ToBytes(text)))}`;
}

/** Digest of a JSON value, independent of the order of keys. Throws `invalid-option` for values that are not JSON. */
export function digestJson(value: unknown): Digest {
  return digestText(canonicalJson(value));
}
