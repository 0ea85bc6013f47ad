import type { CallState } from '../core/call-state.ts';
import type { AuditRow, OutboxRow, PauseRecord, ReplyIdentity, StandingRule } from './records.ts';

export type { AuditRow, CallRecord, OutboxRow, PauseRecord, ReplyIdentity, StandingRule } from './records.ts';

/** A value with the store's own time at which it was read: leases and expiry are judged by it, never by the reader's clock. */
export interface Stamped<T> {
  readonly value: T;
  readonly now: number;
}

/** One change. Everything in it is written in one transaction, or nothing is. */
export interface PauseWrite {
  /** The whole record after the change. */
  readonly pause: PauseRecord;
  /** Positions within `pause.calls` that changed; a store may leave the others alone. */
  readonly changed: readonly number[];
  readonly audit: readonly AuditRow[];
  readonly outbox: readonly OutboxRow[];
}

/** Newest first, by creation and id. */
export interface PauseQuery {
  readonly state?: 'open' | 'settled' | undefined;
  readonly callStates?: readonly CallState[] | undefined;
  readonly tenant?: string | undefined;
  readonly principal?: string | undefined;
  readonly conversation?: string | undefined;
  /** Only pauses whose `dueAt` has come, by the store's own time. */
  readonly due?: boolean | undefined;
  /** Only pauses that settled after, or before, this time. */
  readonly settledAfter?: number | undefined;
  readonly settledBefore?: number | undefined;
  readonly erased?: boolean | undefined;
  readonly limit: number;
  /** Only pauses older than this one. */
  readonly before?: { readonly createdAt: number; readonly id: string } | undefined;
}

/**
 * What confirmation needs of a database: rows, and compare-and-set. All rules live above it, so that every store behaves
 * alike. No locks, no triggers, no ordering beyond one row. Failures reject with `store-failed`.
 */
export interface ConfirmationStore {
  /** False: everything is gone with the process. */
  readonly durable: boolean;
  get(id: string): Promise<Stamped<PauseRecord | undefined>>;
  /** All generations of a reply, oldest first. */
  find(identity: ReplyIdentity): Promise<Stamped<readonly PauseRecord[]>>;
  list(query: PauseQuery): Promise<Stamped<readonly PauseRecord[]>>;
  /** False when the id, or the identity with this generation, is taken. */
  create(write: PauseWrite): Promise<boolean>;
  /** False when the record's version is no longer `write.pause.version - 1`. */
  change(write: PauseWrite): Promise<boolean>;

  /** Rows of one chain from a sequence on, oldest first, at most 1,000. */
  readAudit(chain: string, from: number): Promise<readonly AuditRow[]>;
  /** Ids of chains in order, after the given one, at most 1,000. */
  listChains(after: string): Promise<readonly string[]>;
  /** For chains without a pause. False when one of the sequences is taken. */
  appendAudit(rows: readonly AuditRow[]): Promise<boolean>;

  /** Rules of a tenant that are neither revoked nor expired; with `all`, those too. */
  rules(tenant: string, all?: boolean): Promise<Stamped<readonly StandingRule[]>>;
  /** Version 1 inserts, a later one replaces the version before. False when that is not what is stored. */
  writeRule(rule: StandingRule, audit: readonly AuditRow[]): Promise<boolean>;

  dueOutbox(limit: number): Promise<Stamped<readonly OutboxRow[]>>;
  /** Replaces the row when its `attempts` is still `row.attempts - 1`. */
  writeOutbox(row: OutboxRow): Promise<boolean>;
  /**
   * Deletes delivered messages, settled pauses older than this with their chains, and chains named `free_…` whose last row is
   * older. Gives the number of pauses.
   */
  purge(settledBefore: number): Promise<number>;

  /** Optional: calls back after a pause may have changed. A hint only; may be late, doubled or lost. Returns the stop. */
  onChange?(listener: (pauseId: string) => void): () => void;
  close(): Promise<void>;
}
