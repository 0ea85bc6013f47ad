import type { Principal } from './principal.ts';
import type { ToolResult } from './tool.ts';

/** What a person says about one call that waits. */
export type Decision =
  | {
      readonly type: 'approve';
      /** Arguments as the person edited them. They are validated and put to the policy again. Absent: as proposed. */
      readonly arguments?: unknown;
    }
  | {
      readonly type: 'deny';
      /** Why; shown to the model. */
      readonly message?: string;
    }
  | {
      readonly type: 'respond';
      /** Given to the model in place of running the tool. */
      readonly result: ToolResult | string;
    };

/** Who decided, and through what. */
export interface DecisionMaker {
  readonly principal: Principal;
  /** For the audit: `page`, `http`, `client`, `program`, … */
  readonly via?: string;
}

/** A decision with its author and time, as stored. */
export interface RecordedDecision {
  readonly decision: Decision;
  readonly by: DecisionMaker | null;
  /** Milliseconds since the epoch. */
  readonly at: number;
}
