import type { Clock } from '../core/clock.ts';
import type { DecisionModelLimits, SelectionRule } from '../decision/port.ts';

/** What all decision models around a framework's model object take. */
export interface FrameworkDecisionModelOptions {
  /** Default: 64 questions in one request. */
  readonly limits?: DecisionModelLimits | undefined;
  /** The rule that a measurement of this very model gave. Default: none. */
  readonly recommended?: SelectionRule | undefined;
  /** After the first try, where the framework says that trying again helps. Default 2. */
  readonly maxRetries?: number | undefined;
  /** Requests at the same time when one has to be cut. Default 4. */
  readonly maxParallelRequests?: number | undefined;
  readonly clock?: Clock | undefined;
  /** A number from 0 up to but without 1, for the jitter of retries. Default `Math.random`. */
  readonly random?: (() => number) | undefined;
}
