import type { RegisteredTool, ToolLookup } from '../catalog/types.ts';
import type { CallIdentity } from '../core/call-identity.ts';
import type { CallState } from '../core/call-state.ts';
import type { Decision, DecisionMaker, RecordedDecision } from '../core/decision.ts';
import type { Digest } from '../core/digest.ts';
import type { Message, Reply } from '../core/message.ts';
import type { Outcome } from '../core/outcome.ts';
import type { Principal } from '../core/principal.ts';
import type { Tool, ToolAnnotations, ToolCallContext } from '../core/tool.ts';

/** `src/confirm` makes risky calls wait and runs each call at most once. It imports core, schema and catalog only; never select. */

/** What a policy says of one call. The object with `confirm` is the long form of `'confirm'`. */
export type PolicyVerdict = 'allow' | 'confirm' | { readonly deny: string } | { readonly confirm: ConfirmationDemand };

/** What a confirmation asks for beyond one yes. */
export interface ConfirmationDemand {
  /** Why it waits, for the person. */
  readonly reason?: string | undefined;
  /** Top-level arguments that an approver may edit. Absent: all. Empty: none. */
  readonly editable?: readonly string[] | undefined;
  /** How many different people must approve. Default 1. One denial or answer decides at once. */
  readonly approvals?: number | undefined;
  /** `not-caller`: whoever asked for the call cannot decide it. Default: as the manager's `approver` says. */
  readonly approver?: 'any' | 'not-caller' | undefined;
  /** True: a standing rule may satisfy it although the tool is destructive. Default false. */
  readonly standingRules?: boolean | undefined;
  /** `client`: acceptance inside the caller's own client counts. Default: it does not. */
  readonly acceptIn?: 'client' | undefined;
}

/** A call as a policy sees it: parsed, defaulted and validated. */
export interface PolicyCall {
  readonly key: string;
  readonly toolCallId: string;
  /** Exposed name. */
  readonly toolName: string;
  readonly arguments: unknown;
  readonly tool: RegisteredTool;
}

/**
 * Chooses which calls wait for a person. A throw or rejection counts as `confirm`. `version` is part of what an approval
 * is bound to: change it when the rules change. (Spring AI: `ToolCallConfirmationPolicy`.)
 */
export type ToolCallConfirmationPolicy = ((
  call: PolicyCall,
  context: ToolCallContext,
) => PolicyVerdict | undefined | Promise<PolicyVerdict | undefined>) & { readonly version?: string };

/** The short form: by exposed name or pattern with `*`; true: confirm, false: allow; a predicate on the arguments. */
export type PolicyRules = Readonly<
  Record<
    string,
    | boolean
    | PolicyVerdict
    | ((args: never, context: ToolCallContext) => boolean | PolicyVerdict | Promise<boolean | PolicyVerdict>)
  >
>;

/** What the manager knows of a conversation when it runs a reply. */
export interface ToolConversation {
  /** Required with a store. */
  readonly id?: string | undefined;
  /** Up to and without the reply. */
  readonly messages: readonly Message[];
  /** What can be called: tools (their own names are the exposed ones), or a catalogue. */
  readonly tools: readonly Tool[] | ToolLookup;
  readonly principal?: Principal | undefined;
  /** Names that the model was shown. Absent: all. A call to another one is answered as `hidden` says. */
  readonly shown?: ReadonlySet<string> | undefined;
  readonly attributes?: Readonly<Record<string, unknown>> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Names of the agents around this one, outermost first, where an agent runs as a tool of another. */
  readonly path?: readonly string[] | undefined;
}

/** What came of running a reply. (Spring AI: `ToolExecutionResult`.) */
export interface ToolExecution {
  /** One for each call, in the model's order. */
  readonly outcomes: readonly Outcome[];
  /** What to append to the conversation after the reply: one tool message with one result for each call. */
  readonly messages: readonly Message[];
  /** True when the results go to the caller and not back to the model. */
  readonly returnDirect: boolean;
  /** Exposed names of hidden tools that were called and are to be shown from now on. */
  readonly activated: readonly string[];
}

/** A call that waits, was decided or has run, as lists and pages show it. */
export interface CallView {
  readonly key: string;
  readonly position: number;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly server: string | null;
  readonly title: string | null;
  readonly description: string | null;
  readonly annotations: ToolAnnotations | null;
  readonly fingerprint: Digest;
  /** Binds a decision: tool, fingerprint, canonical arguments and policy version. */
  readonly digest: Digest;
  readonly state: CallState;
  readonly proposedArguments: unknown;
  /** What would run, or ran. */
  readonly effectiveArguments: unknown;
  /** Why it waits. */
  readonly reason: string | null;
  /** What is asked for beyond one yes. */
  readonly demand: ConfirmationDemand | null;
  /** When somebody started to run it, in milliseconds since the epoch; null when nobody did. */
  readonly startedAt: number | null;
  /** The pause inside this call that it waits for, when the tool is an agent that paused. Its state is then `unknown` until it goes on. */
  readonly suspendedBy?: string | null | undefined;
  /** Approvals so far, where more than one is needed. */
  readonly approvals: readonly RecordedDecision[];
  /** What the tool's `preview` said, when it has one. */
  readonly preview: string | null;
  readonly decision: RecordedDecision | null;
  readonly outcome: Outcome | null;
}

/** A reply that waits or waited. */
export interface PauseView {
  readonly id: string;
  readonly identity: Omit<CallIdentity, 'key'>;
  /** 0, or more when calls of the reply are asked about again, because the tool, its schema or the policy changed since the last time. */
  readonly generation: number;
  /** `open` until every call has an end. */
  readonly state: 'open' | 'settled';
  readonly createdAt: number;
  /** Null: waits for ever. */
  readonly expiresAt: number | null;
  readonly policyVersion: string;
  readonly reply: Reply;
  /** Names of the agents around the one that asked, outermost first. Empty for an agent of its own. */
  readonly path: readonly string[];
  readonly calls: readonly CallView[];
}

export interface PauseFilter {
  readonly state?: 'open' | 'settled' | undefined;
  /** Pauses with at least one call in one of these states. */
  readonly callStates?: readonly CallState[] | undefined;
  readonly tenant?: string | undefined;
  readonly principal?: string | undefined;
  readonly conversation?: string | undefined;
  /** 1 to 500. Default 50. */
  readonly limit?: number | undefined;
  /** From the page before. */
  readonly cursor?: string | undefined;
}

/** The answer to one decision. Decisions are judged on their own: a bad one never fails its neighbours. */
export type DecisionAnswer =
  | { readonly key: string; readonly answer: 'accepted'; readonly state: CallState }
  | {
      readonly key: string;
      readonly answer: 'already-decided';
      readonly state: CallState;
      readonly by: DecisionMaker | null;
      readonly at: number | null;
    }
  | {
      readonly key: string;
      readonly answer: 'stale' | 'unknown' | 'invalid' | 'not-permitted';
      readonly message: string;
    };

/** What an approver may do. Deciding only records; the process that has the tools runs. */
export interface Confirmations {
  /** Newest first. */
  list(filter?: PauseFilter): Promise<{ readonly items: readonly PauseView[]; readonly next?: string }>;
  get(pauseId: string): Promise<PauseView | undefined>;
  /** Throws `pause-not-found`. `expected` may name the digest that the person saw; another one answers `stale`. */
  decide(
    pauseId: string,
    decisions: Readonly<Record<string, Decision & { readonly expected?: Digest }>>,
    by: DecisionMaker,
  ): Promise<readonly DecisionAnswer[]>;
  /** Resolves when no call of the pause waits any more or after `timeoutMs`, with the pause as it is then. */
  wait(pauseId: string, options?: { readonly signal?: AbortSignal; readonly timeoutMs?: number }): Promise<PauseView>;
  /** Settles what has not run as cancelled. Never touches a running call. */
  cancel(pauseId: string, by: DecisionMaker, reason?: string): Promise<PauseView>;
  /** For a call whose end is unknown. */
  resolveUnknown(
    pauseId: string,
    key: string,
    resolution: 'succeeded' | 'failed' | 'run-again',
    by: DecisionMaker,
  ): Promise<PauseView>;
}
