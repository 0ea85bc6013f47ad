import type { Context, MiddlewareHandler, Next } from 'hono';
import type { Principal } from '../core/principal.ts';
import { errorBody } from './http-errors.ts';
import { matchToken } from './tokens.ts';
import type { GatewayTokens, TokenRole } from './tokens.ts';

/** Who may do what over HTTP. */
export interface AccessOptions {
  /** Undefined: no authentication at all, which must have been said. */
  readonly tokens: GatewayTokens | undefined;
  /** Host names under which the gateway may be addressed, without ports. */
  readonly hosts: readonly string[];
  /** True for a request that carries a session of the pages. */
  readonly hasPageSession?: (request: Request) => boolean | Promise<boolean>;
}

/** The principal of everything that comes in with the caller's token, and of a client over standard input. */
export const callerPrincipal: Principal = { id: 'caller' };
/** The principal of everything that comes in with the approver's token. */
export const approverPrincipal: Principal = { id: 'approver' };

const loopback = ['localhost', '127.0.0.1', '[::1]', '::1'];

/**
 * Refuses requests that were addressed to another name (DNS rebinding) and those that another site's page has sent. Programs
 * send no `Origin`.
 */
export function checkHostAndOrigin(options: AccessOptions): MiddlewareHandler {
  const allowed = new Set([...loopback, ...options.hosts].map((host) => host.toLowerCase()));
  return async (c, next) => {
    const host = hostName(c.req.header('host') ?? '');
    if (host === undefined || !allowed.has(host)) {
      return c.json(
        errorBody(
          'not-permitted',
          `This gateway is not reached as ${JSON.stringify(c.req.header('host') ?? '')}. Add the name to allowedHosts if that is meant.`,
        ),
        403,
      );
    }
    const origin = c.req.header('origin');
    if (origin !== undefined && origin !== 'null') {
      const name = URL.canParse(origin) ? new URL(origin).hostname.toLowerCase() : '';
      if (!allowed.has(name))
        return c.json(
          errorBody('not-permitted', `Requests from pages of ${JSON.stringify(origin)} are not allowed.`),
          403,
        );
    }
    return next();
  };
}

function hostName(header: string): string | undefined {
  return URL.canParse(`http://${header}`) ? new URL(`http://${header}`).hostname.toLowerCase() : undefined;
}

/** The role of a request, from its bearer token only. */
export function roleOf(request: Request, tokens: GatewayTokens | undefined): TokenRole | undefined {
  if (tokens === undefined) return 'approver';
  const match = /^Bearer\s+(\S+)\s*$/i.exec(request.headers.get('authorization') ?? '');
  return match?.[1] === undefined ? undefined : matchToken(tokens, match[1]);
}

/** Lets the caller's token in, and where `approverToo`, the approver's. */
export function requireCaller(options: AccessOptions, approverToo: boolean): MiddlewareHandler {
  return async (c, next) => {
    if (options.tokens === undefined) return withoutTokens(c, next);
    const role = roleOf(c.req.raw, options.tokens);
    if (role === 'caller' || (role === 'approver' && approverToo)) return next();
    if (role === 'approver') {
      return c.json(
        errorBody(
          'not-permitted',
          "This is the approver's token. A client gets the caller's token, so that it cannot decide its own calls.",
        ),
        403,
      );
    }
    return unauthorized(c, 'the caller’s token');
  };
}

/** Lets only somebody in who may decide: with the approver's token, or with a session of the pages. */
export function requireApprover(options: AccessOptions): MiddlewareHandler {
  return async (c, next) => {
    if (options.tokens === undefined) return withoutTokens(c, next);
    const role = roleOf(c.req.raw, options.tokens);
    if (role === 'approver') return next();
    if (role === 'caller') {
      return c.json(
        errorBody(
          'not-permitted',
          "The caller's token may not see or decide what waits. Use the approver's token, or the page.",
        ),
        403,
      );
    }
    if (c.req.method === 'GET' && (await options.hasPageSession?.(c.req.raw)) === true) return next();
    return unauthorized(c, 'the approver’s token');
  };
}

/** Without tokens any page on this machine could ask too, so what browsers send must come from the gateway's own page. */
function withoutTokens(c: Context, next: Next): Promise<void> | Response {
  if (c.req.method === 'GET' || isOwnOrigin(c)) return next();
  return c.json(errorBody('not-permitted', 'Requests from other pages are not allowed.'), 403);
}

function isOwnOrigin(c: Context): boolean {
  const origin = c.req.header('origin');
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === c.req.header('host'));
}

function unauthorized(c: Context, what: string): Response {
  c.header('WWW-Authenticate', 'Bearer realm="toolgate"');
  return c.json(errorBody('not-permitted', `This needs ${what}, as "Authorization: Bearer …".`), 401);
}
