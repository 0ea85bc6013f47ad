import { canonicalJson } from '../core/canonical-json.ts';
import { digestText } from '../core/digest.ts';
import type { Reply } from '../core/message.ts';
import { invalidToken, openToken, sealToken } from './sealed-token.ts';
import type { SealingKeys } from './sealing-keys.ts';
import type { ToolConversation } from './types.ts';

/** What the token of a pause is bound to, beside principal and conversation. */
export interface PauseTokenContent {
  /** The pause's id where a store keeps it, else null. */
  readonly pause: string | null;
  readonly reply: string;
  readonly policyVersion: string;
  /** [key, digest] of each call that waits, in order. */
  readonly waiting: readonly (readonly [key: string, digest: string])[];
}

/** Digest of a reply as the model gave it. */
export function replyDigest(reply: Reply): string {
  return digestText(canonicalJson(['toolgate-reply-2', reply.id ?? null, reply.content], { mode: 'lenient' }));
}

export function sealPause(
  keys: SealingKeys,
  conversation: ToolConversation,
  content: PauseTokenContent,
  now: number,
  expiresAt: number | null,
): string {
  return sealToken(keys, 'pause', {
    issuedAt: now,
    expiresAt,
    principal: principalOf(conversation),
    conversation: conversation.id ?? null,
    content,
  });
}

/** The content of a token that was made for this principal, conversation and reply. Throws `token-invalid` or `token-expired`. */
export function openPause(
  keys: SealingKeys,
  token: string,
  conversation: ToolConversation,
  reply: Reply,
  now: number,
): PauseTokenContent {
  const claims = openToken(keys, 'pause', token, now);
  const content = claims.content as PauseTokenContent;
  const fits =
    canonicalJson(claims.principal) === canonicalJson(principalOf(conversation)) &&
    claims.conversation === (conversation.id ?? null) &&
    content.reply === replyDigest(reply);
  if (!fits) throw invalidToken();
  return content;
}

function principalOf(conversation: ToolConversation): readonly [string, string] | null {
  const { principal } = conversation;
  return principal === undefined ? null : [principal.tenant ?? '', principal.id];
}
