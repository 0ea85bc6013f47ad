import { canonicalJson } from '../core/canonical-json.ts';
import { openToken, sealToken } from '../confirm/sealed-token.ts';
import type { SealedClaims } from '../confirm/sealed-token.ts';
import { sealingKeys } from '../confirm/sealing-keys.ts';
import type { SecretInput } from '../confirm/sealing-keys.ts';
import { isPlainObject } from '../core/json.ts';
import type { Principal } from '../core/principal.ts';

/** A person who has signed in, or whom the host authenticated for this request. */
export interface Session {
  readonly principal: Principal;
  /** Ties form tokens to this session; empty where the host authenticates every request. */
  readonly id: string;
  /** Milliseconds since the epoch; null where the host authenticates every request. */
  readonly expiresAt: number | null;
}

/** Seals what a browser carries: nothing secret, nothing that a browser could change. */
export interface SessionSeal {
  sealSession(session: Session, now: number): string;
  /** Undefined for anything that was not sealed here as a session, or is past its time. */
  openSession(text: string | undefined, now: number): Session | undefined;
  /** For the hidden field of every form: worthless as a session, and in any other session. */
  formToken(session: Session, now: number): string;
  formTokenFits(session: Session, token: string | undefined, now: number): boolean;
}

export function createSessionSeal(secret: SecretInput): SessionSeal {
  const keys = sealingKeys(secret);
  const open = (text: string | undefined, now: number): SealedClaims | undefined => {
    try {
      return text === undefined ? undefined : openToken(keys, 'session', text, now);
    } catch {
      return undefined;
    }
  };
  const claims = (session: Session, now: number): Omit<SealedClaims, 'content'> => ({
    issuedAt: now,
    expiresAt: session.expiresAt,
    principal: [session.principal.tenant ?? '', session.principal.id],
    conversation: null,
  });
  const formContent = (session: Session): unknown => ({ form: session.id });
  return {
    sealSession: (session, now) =>
      sealToken(keys, 'session', {
        ...claims(session, now),
        content: { session: session.id, roles: session.principal.roles ?? null },
      }),
    openSession: (text, now) => {
      const opened = open(text, now);
      if (opened === undefined || opened.principal === null || !isPlainObject(opened.content)) return undefined;
      const { session: id, roles } = opened.content;
      if (typeof id !== 'string' || id === '' || opened.expiresAt === null) return undefined;
      const [tenant, name] = opened.principal;
      const known = Array.isArray(roles)
        ? { roles: roles.filter((role): role is string => typeof role === 'string') }
        : {};
      return {
        principal: { id: name, ...(tenant === '' ? {} : { tenant }), ...known },
        id,
        expiresAt: opened.expiresAt,
      };
    },
    formToken: (session, now) => sealToken(keys, 'session', { ...claims(session, now), content: formContent(session) }),
    formTokenFits: (session, token, now) => {
      const opened = open(token, now);
      if (opened === undefined) return false;
      const wanted = { ...claims(session, 0), content: formContent(session) };
      return canonicalJson({ ...opened, issuedAt: 0 }) === canonicalJson(wanted);
    },
  };
}

/** 256 random bits: the secret of one process, or a session's id. */
export function randomText(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
