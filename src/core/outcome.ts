import type { DecisionMaker } from './decision.ts';
import type { ToolResult } from './tool.ts';

/**
 * How a call ended. Exactly one for every call of a reply.
 * - `succeeded`, `failed`: it ran. `failed` also covers a result with `isError`.
 * - `invalid`: arguments that cannot be parsed or do not fit, or a tool that is hidden, gone or unknown. Never ran.
 * - `denied`: by a person or by policy. Never ran.
 * - `responded`: a person answered in its place. Never ran.
 * - `expired`, `superseded`, `cancelled`: nobody decided in time, a newer message took its place, the caller gave up. Never ran.
 * - `unknown`: it was started and nobody knows how it ended.
 */
export type OutcomeStatus =
  | 'succeeded'
  | 'failed'
  | 'invalid'
  | 'denied'
  | 'responded'
  | 'expired'
  | 'superseded'
  | 'cancelled'
  | 'unknown';

/** How one call ended. */
export interface Outcome {
  readonly key: string;
  readonly toolCallId: string;
  /** The exposed name as called. */
  readonly toolName: string;
  readonly status: OutcomeStatus;
  /** Who or what decided: a person, or `policy`, or nobody. */
  readonly by?: DecisionMaker | 'policy' | undefined;
  /** What the model reads. Present for every status. */
  readonly result: ToolResult;
  /** What the model is told beside the result: that a person changed the arguments. Kept apart, so that the result stays the tool's own. */
  readonly note?: string | undefined;
}
