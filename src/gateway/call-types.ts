import type { Catalogue, RegisteredTool, ToolLookup } from '../catalog/types.ts';
import type { Confirmations, PauseView, ToolConversation, ToolExecution } from '../confirm/types.ts';
import type { Clock } from '../core/clock.ts';
import type { Decision } from '../core/decision.ts';
import type { Digest } from '../core/digest.ts';
import type { IdSource } from '../core/ids.ts';
import type { Logger } from '../core/logger.ts';
import type { Reply } from '../core/message.ts';
import type { Outcome } from '../core/outcome.ts';
import type { Principal } from '../core/principal.ts';
import type { EventHub } from './event-hub.ts';
import type { CallHooks } from './types.ts';

/** What is used of the manager, the one place that runs a tool. */
export interface CallManager {
  executeToolCalls(conversation: ToolConversation, reply: Reply): Promise<ToolExecution>;
  resume(
    pauseId: string,
    options: { readonly tools: ToolLookup; readonly attributes?: Readonly<Record<string, unknown>> },
  ): Promise<ToolExecution>;
  readonly confirmations: Confirmations;
}

/** What a {@link CallRunner} stands on. */
export interface CallRunnerOptions {
  readonly manager: CallManager;
  readonly catalogue: () => Promise<Catalogue>;
  /** Resolves when the server of a waiting call answers; rejects `upstream-unavailable` when it does not in time. */
  readonly ensureLive: (server: string | null) => Promise<void>;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  readonly events: EventHub;
  /** False for tools whose calls run at once by all rules. Default: any call may wait. */
  readonly mayWait?: (tool: RegisteredTool) => boolean;
  /** Most calls of one caller that may wait at the same time. Default 200, at most 500. */
  readonly maxWaiting?: number;
  /** Largest arguments, as JSON text. Default 1,000,000 UTF-16 units. */
  readonly maxArgumentLength?: number;
  /** How long after its decision a call's result answers a repetition. Default 10 minutes. */
  readonly repeatMs?: number;
  /** How often decisions made elsewhere are looked for. Default 1,000 ms. */
  readonly pollMs?: number;
}

/** One call of a client. */
export interface CallRequest {
  readonly tool: RegisteredTool;
  readonly arguments: unknown;
  readonly principal: Principal;
  /** A call of its own, whatever waits or has just run. */
  readonly fresh: boolean;
  readonly hooks: CallHooks;
  readonly signal: AbortSignal;
}

/** How a call stands when its client is answered. */
export type CallStanding =
  | { readonly kind: 'ended'; readonly outcome: Outcome }
  | { readonly kind: 'waiting'; readonly pause: PauseView };

/** How long a call is held. */
export interface HoldOptions {
  /** For a decision. */
  readonly holdMs: number;
  /** For its end, from the same moment, once it was decided. */
  readonly runMs: number;
  /** What progress says meanwhile. */
  readonly words: string;
}

/** Every decision of a pause, each with the digest that the person saw, where known. */
export type Decisions = Readonly<Record<string, Decision & { readonly expected?: Digest }>>;
