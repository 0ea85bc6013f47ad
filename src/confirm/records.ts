import type { CallIdentity } from '../core/call-identity.ts';
import type { CallState } from '../core/call-state.ts';
import type { RecordedDecision } from '../core/decision.ts';
import type { Digest } from '../core/digest.ts';
import type { JsonObject } from '../core/json.ts';
import type { Reply } from '../core/message.ts';
import type { Outcome } from '../core/outcome.ts';
import type { Principal } from '../core/principal.ts';
import type { JsonSchema, ReturnBehavior, ToolAnnotations } from '../core/tool.ts';
import type { ConfirmationDemand } from './types.ts';

/** Names a reply: what is common to the identities of its calls. */
export type ReplyIdentity = Omit<CallIdentity, 'key'>;

/** What never changes about a recorded call. Plain JSON. */
export interface CallFacts {
  readonly key: string;
  readonly position: number;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly server: { readonly name: string; readonly identity: string } | null;
  /** The name its provider gave the tool. */
  readonly originalName: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly annotations: ToolAnnotations | null;
  readonly inputSchema: JsonSchema | null;
  readonly returnBehavior: ReturnBehavior;
  /** The tool may be run again after an unknown end without asking. */
  readonly idempotent: boolean;
  readonly fingerprint: Digest;
  readonly digest: Digest;
  /** As the model gave it. */
  readonly input: unknown;
  /** Parsed and defaulted, as far as JSON can hold it. */
  readonly proposed: unknown;
  readonly reason: string | null;
  readonly preview: string | null;
  readonly demand: ConfirmationDemand | null;
}

/** The right of one process to run one call once. */
export interface ClaimRecord {
  /** Which manager holds it. */
  readonly by: string;
  readonly fence: number;
  readonly since: number;
  readonly leaseUntil: number;
}

/** What changes about a recorded call. Plain JSON. */
export interface CallProgress {
  readonly state: CallState;
  /** The decision that counts, or the rule's. */
  readonly decision: RecordedDecision | null;
  /** Approvals so far, where more than one is needed. */
  readonly approvals: readonly RecordedDecision[];
  /** Id of the standing rule that approved it. */
  readonly rule: string | null;
  /** Arguments as edited; null: as proposed. */
  readonly edited: { readonly input: unknown } | null;
  /** Grows with every claim, also after the claim has ended. */
  readonly fence: number;
  readonly claim: ClaimRecord | null;
  readonly startedAt: number | null;
  /** A person said of the unknown call: run it again. Used up by the next claim. */
  readonly runAgain: boolean;
  /** The pause inside this call that it waits for, when the tool is an agent that paused. */
  readonly suspendedBy: string | null;
  readonly outcome: Outcome | null;
  /** A result that came after its claim was lost: recorded, not applied. */
  readonly late: Outcome | null;
}

export interface CallRecord extends CallFacts, CallProgress {}

/** A recorded reply with its calls. Immutable; a change makes a new record with the next version. */
export interface PauseRecord {
  readonly id: string;
  /** Compare-and-set counter, from 1. */
  readonly version: number;
  readonly identity: ReplyIdentity;
  /** From 0; a call that went stale is asked again in the next generation of the same reply. */
  readonly generation: number;
  readonly principal: Principal | null;
  readonly path: readonly string[];
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly policyVersion: string;
  readonly reply: Reply;
  readonly state: 'open' | 'settled';
  readonly settledAt: number | null;
  /** The next moment at which a call expires or a lease ends; null: never. */
  readonly dueAt: number | null;
  /** Where the pause's hash chain stands. */
  readonly auditSequence: number;
  readonly auditHead: string;
  /** True when retention has erased arguments and results; states, digests and audit stay. */
  readonly erased: boolean;
  readonly calls: readonly CallRecord[];
}

/** One link of a hash chain. `body` holds digests and names, never arguments. */
export interface AuditRow {
  /** A pause's id, or `rules`, `free` or `checkpoints` for the chains that belong to no pause. */
  readonly chain: string;
  /** From 1 without gaps. */
  readonly sequence: number;
  readonly at: number;
  readonly kind: string;
  readonly key: string | null;
  readonly body: JsonObject;
  readonly hash: string;
}

/** A message to the outside, written in the same transaction as what it tells of. */
export interface OutboxRow {
  readonly id: string;
  readonly pauseId: string;
  readonly kind: string;
  readonly createdAt: number;
  readonly attempts: number;
  /** When to try (again). */
  readonly dueAt: number;
  readonly state: 'due' | 'delivered' | 'given-up';
  readonly body: JsonObject;
}

/** An approval given in advance. Matches one tool of one server as it is now, and the arguments it names. */
export interface StandingRule {
  readonly id: string;
  readonly version: number;
  readonly tenant: string;
  /** Whose calls; null: everybody's in the tenant. */
  readonly principal: string | null;
  /** Only in this conversation; null: in all. */
  readonly conversation: string | null;
  readonly server: string | null;
  readonly originalName: string;
  readonly fingerprint: Digest;
  /** Canonical JSON of each top-level argument, or null where any value will do. An argument that is not named: no match. */
  readonly match: Readonly<Record<string, string | null>>;
  /** False: the arguments must be exactly the named ones. True: all arguments, named or not, will do. */
  readonly anyArguments: boolean;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly revokedAt: number | null;
  readonly by: Principal;
  /** The pause and key from which it was made. */
  readonly from: { readonly pauseId: string; readonly key: string } | null;
}
