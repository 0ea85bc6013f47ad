import type { Context, Hono } from 'hono';
import { getCookie, setCookie, deleteCookie } from 'hono/cookie';
import type { Principal } from '../core/principal.ts';
import type { Links } from './links.ts';
import { ArrivalPage, LoginPage, StartPage } from './pages/login-page.tsx';
import { MessagePage } from './pages/message-page.tsx';
import type { InboxEnvironment, InboxParts } from './parts.ts';
import { randomText } from './session.ts';
import type { Session } from './session.ts';
import { formText } from './form-text.ts';

const cookieName = 'toolgate_session';
const defaultSessionMs = 12 * 60 * 60 * 1000;

/** The session of a request: from its cookie, else whatever the host's own authentication says. */
export async function findSession(context: Context<InboxEnvironment>, parts: InboxParts): Promise<Session | undefined> {
  const { options, seal, clock } = parts;
  const session = seal.openSession(getCookie(context, cookieName), clock.now());
  if (session !== undefined) return session;
  const principal = await options.authenticate(context.req.raw);
  return principal === null ? undefined : { principal, id: '', expiresAt: null };
}

/** The answer to a request without a session. What was sent with it is not done. */
export function askToSignIn(context: Context<InboxEnvironment>, parts: InboxParts): Response | Promise<Response> {
  const view = parts.publicView();
  if (context.req.method !== 'GET') {
    const text = 'You are not signed in, so nothing was done. Sign in and decide anew.';
    return parts.render(context, <MessagePage context={view} title="Signed out" text={text} />, 401);
  }
  const url = new URL(context.req.url);
  const here = url.pathname + url.search;
  // Once only: a browser that still leaves the cookie out is asked to sign in.
  if (context.req.header('sec-fetch-site') === 'cross-site' && !url.searchParams.has('arrived')) {
    url.searchParams.set('arrived', '1');
    return parts.render(context, <ArrivalPage context={view} here={url.pathname + url.search} />);
  }
  return context.redirect(`${parts.links.login}?${new URLSearchParams({ next: here }).toString()}`, 303);
}

/** The pages and forms that work without a session. */
export function addSignIn(app: Hono<InboxEnvironment>, parts: InboxParts): void {
  const { options, links, clock, seal, publicView } = parts;
  const open = (context: Context<InboxEnvironment>, principal: Principal, next: string): Response => {
    const sessionMs = options.sessionMs ?? defaultSessionMs;
    const session = { principal, id: randomText(), expiresAt: clock.now() + sessionMs };
    const secure =
      new URL(context.req.url).protocol === 'https:' || context.req.header('x-forwarded-proto') === 'https';
    setCookie(context, cookieName, seal.sealSession(session, clock.now()), {
      httpOnly: true,
      sameSite: 'Strict',
      path: `${options.basePath ?? ''}/`,
      maxAge: Math.floor(sessionMs / 1000),
      secure,
    });
    return context.redirect(ownAddress(next, links), 303);
  };
  app.get('/login', (context) =>
    parts.render(
      context,
      <LoginPage context={publicView()} next={ownAddress(context.req.query('next') ?? '', links)} />,
    ),
  );
  app.post('/login', async (context) => {
    const form = await context.req.formData();
    const token = formText(form, 'token').trim();
    const next = formText(form, 'next');
    const principal = isHeaderValue(token) ? await options.authenticate(withToken(context.req.raw, token)) : null;
    if (principal !== null) return open(context, principal, next);
    const problem = "This is not the approver's token. A caller's token does not open this page.";
    return parts.render(
      context,
      <LoginPage context={publicView()} next={ownAddress(next, links)} problem={problem} />,
      401,
    );
  });
  app.get('/start', (context) =>
    parts.render(context, <StartPage context={publicView()} code={context.req.query('code') ?? ''} />),
  );
  app.post('/start', async (context) => {
    const code = formText(await context.req.formData(), 'code');
    const principal = (await options.redeemStartCode?.(code)) ?? null;
    if (principal !== null) return open(context, principal, links.home);
    const problem = "This link was used or is too old. Sign in with the approver's token.";
    return parts.render(context, <LoginPage context={publicView()} next={links.home} problem={problem} />, 401);
  });
}

/** Ends the session in this browser. */
export function signOut(context: Context<InboxEnvironment>, parts: InboxParts): Response {
  deleteCookie(context, cookieName, { path: `${parts.options.basePath ?? ''}/` });
  return context.redirect(parts.links.login, 303);
}

/** The same request with the typed token and without the cookie: what the host judges is the token alone. */
function withToken(request: Request, token: string): Request {
  return new Request(request.url, { method: 'GET', headers: { authorization: `Bearer ${token}` } });
}

function isHeaderValue(text: string): boolean {
  return /^[\x21-\x7e]{1,4096}$/.test(text);
}

/** Where to go after signing in: only to a page of ours. */
function ownAddress(next: string, links: Links): string {
  const inside = next.startsWith(links.home) && !/^\/[/\\]/.test(next) && !/[\p{Cc}\\]/u.test(next);
  return inside ? next : links.home;
}
