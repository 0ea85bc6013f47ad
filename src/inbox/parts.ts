import type { Context } from 'hono';
import type { JSX } from 'hono/jsx/jsx-runtime';
import type { Clock } from '../core/clock.ts';
import type { Links } from './links.ts';
import type { Session, SessionSeal } from './session.ts';
import type { InboxOptions } from './types.ts';
import type { SignedInContext, ViewContext } from './view-context.ts';

/** What the sign-in puts beside a request. */
export interface InboxEnvironment {
  Variables: { session: Session };
}

/** What the route files share. */
export interface InboxParts {
  readonly options: InboxOptions;
  readonly links: Links;
  readonly clock: Clock;
  readonly seal: SessionSeal;
  readonly render: (
    context: Context<InboxEnvironment>,
    page: JSX.Element,
    status?: 200 | 401 | 403 | 404 | 409 | 422 | 500,
  ) => Promise<Response>;
  /** For pages behind the sign-in. */
  readonly view: (context: Context<InboxEnvironment>) => SignedInContext;
  readonly publicView: () => ViewContext;
}
