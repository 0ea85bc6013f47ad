import type { Links } from './links.ts';
import type { Session } from './session.ts';

/** What every page knows. */
export interface ViewContext {
  readonly links: Links;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly session: Session | null;
  readonly formToken: string;
  /** Which pages exist here. */
  readonly has: {
    readonly tools: boolean;
    readonly servers: boolean;
    readonly rules: boolean;
    readonly events: boolean;
  };
}

/** For pages behind the sign-in. */
export interface SignedInContext extends ViewContext {
  readonly session: Session;
}
