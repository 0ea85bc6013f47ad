import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import { ToolgateError } from '../core/errors.ts';
import { isPlainObject } from '../core/json.ts';
import { readTextFile, writePrivateFile } from './state-files.ts';

/** The two secrets of a gateway. The caller's opens `/mcp` and the finding of tools, the approver's opens deciding. */
export interface GatewayTokens {
  readonly caller: string;
  readonly approver: string;
}

/** Which of the two a request carried. */
export type TokenRole = keyof GatewayTokens;

/**
 * The tokens kept in the state directory, made on the first start: 256 random bits each, in a file only its owner may read.
 * A file that is there but broken is an error and not replaced: clients are configured with what it held.
 */
export async function loadTokens(stateDirectory: string): Promise<GatewayTokens> {
  const path = join(stateDirectory, 'tokens.json');
  const text = await readTextFile(path);
  if (text === undefined) {
    const tokens = { caller: newToken('caller'), approver: newToken('approver') };
    await writePrivateFile(path, `${JSON.stringify(tokens, undefined, 2)}\n`);
    return tokens;
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (
    !isPlainObject(value) ||
    !isToken(value['caller']) ||
    !isToken(value['approver']) ||
    value['caller'] === value['approver']
  ) {
    throw new ToolgateError(
      'config-invalid',
      `${path} does not hold two tokens. Mend it, or delete it to get new ones.`,
      { data: { file: path } },
    );
  }
  return { caller: value['caller'], approver: value['approver'] };
}

/** Which token this is; undefined for none of them. Takes the same time whatever was given. */
export function matchToken(tokens: GatewayTokens, given: string): TokenRole | undefined {
  const digest = hash(given);
  const caller = timingSafeEqual(digest, hash(tokens.caller));
  const approver = timingSafeEqual(digest, hash(tokens.approver));
  return approver ? 'approver' : caller ? 'caller' : undefined;
}

function isToken(value: unknown): value is string {
  return typeof value === 'string' && value.length >= 24;
}

function newToken(role: TokenRole): string {
  return `tg_${role}_${randomBytes(32).toString('base64url')}`;
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
