import { Hono } from 'hono';
import type { Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { digestText } from '../core/digest.ts';
import { systemClock } from '../core/system.ts';
import { browserScript } from './browser-script.ts';
import { formText } from './form-text.ts';
import { createLinks } from './links.ts';
import { addListRoutes } from './list-routes.tsx';
import { MessagePage } from './pages/message-page.tsx';
import type { InboxEnvironment, InboxParts } from './parts.ts';
import { addPauseRoutes } from './pause-routes.tsx';
import { addRuleRoutes } from './rule-routes.tsx';
import { isSameOrigin } from './same-origin.ts';
import { secureHeaders } from './secure-headers.ts';
import { createSessionSeal, randomText } from './session.ts';
import { addSignIn, askToSignIn, findSession, signOut } from './sign-in.tsx';
import { icon, style } from './style.ts';
import type { InboxOptions } from './types.ts';
import type { ViewContext } from './view-context.ts';

/** Largest form: an edited argument of the largest size a gateway takes, and then some. */
const largestForm = 4 * 1024 * 1024;

/**
 * The pages where a person decides, as a Hono application to mount. Reading never decides; every form is checked for its origin
 * and its token; every decision carries the digest of what was seen. Everything works without JavaScript.
 */
export function inboxRoutes(options: InboxOptions): Hono {
  const basePath = options.basePath ?? '';
  const clock = options.clock ?? systemClock;
  const seal = createSessionSeal(options.secret ?? randomText());
  const version = digestText(style + browserScript + icon).slice(7, 15);
  const links = createLinks(basePath, version);
  const has = {
    tools: options.tools !== undefined || options.search !== undefined,
    servers: options.upstreams !== undefined,
    rules: options.rules !== undefined,
    events: options.subscribe !== undefined,
  };
  const publicView = (): ViewContext => ({ links, now: clock.now(), session: null, formToken: '', has });
  const parts: InboxParts = {
    options,
    links,
    clock,
    seal,
    publicView,
    render: async (context, page, status) => context.html(`<!doctype html>${String(await page)}`, status ?? 200),
    view: (context) => {
      const session = context.get('session');
      return { links, now: clock.now(), session, formToken: seal.formToken(session, clock.now()), has };
    },
  };

  const app = new Hono<InboxEnvironment>({ strict: false }).basePath(basePath === '' ? '/' : basePath);
  app.use('*', async (context, next) => {
    await next();
    for (const [name, value] of Object.entries(secureHeaders)) {
      if (!(name === 'cache-control' && context.res.headers.has(name))) context.res.headers.set(name, value);
    }
  });
  app.use('*', bodyLimit({ maxSize: largestForm }));
  const asset = (type: string, body: string) => (context: Context<InboxEnvironment>) =>
    context.body(body, 200, { 'content-type': type, 'cache-control': 'public, max-age=31536000, immutable' });
  app.get('/assets/style.css', asset('text/css; charset=utf-8', style));
  app.get('/assets/browser.js', asset('text/javascript; charset=utf-8', browserScript));
  app.get('/assets/icon.svg', asset('image/svg+xml', icon));

  app.use('*', async (context, next) => {
    const method = context.req.method;
    if (method === 'GET' || method === 'HEAD' || isSameOrigin(context.req.raw, options.publicOrigins ?? []))
      return next();
    return parts.render(context, <MessagePage context={publicView()} {...foreignForm} />, 403);
  });
  addSignIn(app, parts);

  app.use('*', async (context, next) => {
    const session = await findSession(context, parts);
    if (session === undefined) return askToSignIn(context, parts);
    context.set('session', session);
    if (context.req.method === 'POST') {
      const form = await context.req.formData().catch(() => undefined);
      const token = form === undefined ? undefined : formText(form, 'form');
      if (!seal.formTokenFits(session, token, clock.now())) {
        return parts.render(context, <MessagePage context={parts.view(context)} {...oldForm} />, 403);
      }
    }
    return next();
  });
  app.post('/logout', (context) => signOut(context, parts));
  addListRoutes(app, parts);
  if (options.rules !== undefined) addRuleRoutes(app, parts, options.rules);
  addPauseRoutes(app, parts);
  app.all('*', (context) => parts.render(context, <MessagePage context={parts.view(context)} {...notFound} />, 404));
  app.onError((error, context) => {
    const page = <MessagePage context={publicView()} {...failed} />;
    context.header('x-toolgate-error', 'internal');
    options.onError?.(error);
    return parts.render(context, page, 500);
  });
  // What the routes keep beside a request is nobody else's business.
  return app as unknown as Hono;
}

const foreignForm = {
  title: 'Refused',
  text: 'This form was not sent from a page of toolgate, so nothing was done. Open the inbox and send it from there.',
};
const oldForm = {
  title: 'Out of date',
  text: 'This form belongs to another or an ended session, so nothing was done. Open the page again and decide anew.',
};
const notFound = { title: 'Not found', text: 'There is nothing at this address, or it is not for you.' };
const failed = {
  title: 'Something failed',
  text: 'The page could not be made, and nothing was decided by it. Try again; if it goes on, look at the log of toolgate.',
};
