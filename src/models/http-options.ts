import type { Clock } from '../core/clock.ts';
import type { DecisionModelLimits, SelectionRule } from '../decision/port.ts';

/** What all decision models behind HTTP take. */
export interface HttpDecisionModelOptions {
  /** Sent as a bearer token; read again for each request when it is a function. Never part of a log or an error. */
  readonly apiKey?: string | (() => string) | undefined;
  /** Further headers, for example of a gateway in between. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** For one try, in milliseconds, above 0. Default 15,000. */
  readonly timeoutMs?: number | undefined;
  /** After the first try, for 408, 425, 429, 5xx, timeouts and connections that fail. Default 2. */
  readonly maxRetries?: number | undefined;
  /** Requests at the same time when one has to be cut. Default 4. */
  readonly maxParallelRequests?: number | undefined;
  /** Instead of what is known of the service. */
  readonly limits?: DecisionModelLimits | undefined;
  /** The rule that a measurement of this very model gave. Default: none. */
  readonly recommended?: SelectionRule | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
  readonly clock?: Clock | undefined;
  /** A number from 0 up to but without 1, for the jitter of retries. Default `Math.random`. */
  readonly random?: (() => number) | undefined;
}
