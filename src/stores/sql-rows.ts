import type { AuditRow, CallRecord, OutboxRow, PauseRecord, ReplyIdentity, StandingRule } from '../confirm/records.ts';

/** How records become rows and back, for every SQL store alike. */

/** A row as a driver gives it: numbers may come as text or big integers. */
export type Row = Readonly<Record<string, unknown>>;

/** One text for one identity, whatever characters it holds. */
export function identityText(identity: ReplyIdentity): string {
  return JSON.stringify([identity.tenant, identity.principal, identity.conversation, identity.replyId]);
}

/** Text that every database can hold and compare: what is not well-formed goes in escaped. */
export function columnText(value: string): string {
  return value.includes('\u0000') || !value.isWellFormed() ? JSON.stringify(value) : value;
}

/** What never changes about a pause, as JSON. */
export function pauseFacts(pause: PauseRecord): string {
  const { identity, principal, path, expiresAt, policyVersion, reply } = pause;
  return JSON.stringify({ identity, principal, path, expiresAt, policyVersion, reply });
}

/** What a change may change about a pause: state, settled_at, due_at, audit_sequence, audit_head, erased. */
export function standingColumns(pause: PauseRecord): readonly (string | number | null)[] {
  return [pause.state, pause.settledAt, pause.dueAt, pause.auditSequence, pause.auditHead, pause.erased ? 1 : 0];
}

/** {@link pauseColumns}, in the same order, as SQL names them. */
export const pauseColumnNames: string =
  'id, version, identity, generation, tenant, principal, conversation, created_at, state, settled_at, due_at, audit_sequence, audit_head, erased, facts';

/** All of a new pause. */
export function pauseColumns(pause: PauseRecord): readonly (string | number | null)[] {
  const { id, version, identity, generation, createdAt } = pause;
  const { tenant, principal, conversation } = identity;
  return [
    id,
    version,
    identityText(identity),
    generation,
    columnText(tenant),
    columnText(principal),
    columnText(conversation),
    createdAt,
    ...standingColumns(pause),
    pauseFacts(pause),
  ];
}

/** What never changes about a call, and what does, each as JSON. */
export function callColumns(call: CallRecord): {
  readonly state: string;
  readonly facts: string;
  readonly progress: string;
} {
  const {
    state,
    decision,
    approvals,
    rule,
    edited,
    fence,
    claim,
    startedAt,
    runAgain,
    suspendedBy,
    outcome,
    late,
    ...facts
  } = call;
  const progress = { decision, approvals, rule, edited, fence, claim, startedAt, runAgain, suspendedBy, outcome, late };
  return { state, facts: JSON.stringify(facts), progress: JSON.stringify(progress) };
}

/** A pause from its row and the rows of its calls in order. */
export function pauseFromRow(row: Row, calls: readonly Row[]): PauseRecord {
  const facts = JSON.parse(text(row, 'facts')) as Pick<
    PauseRecord,
    'identity' | 'principal' | 'path' | 'expiresAt' | 'policyVersion' | 'reply'
  >;
  return {
    ...facts,
    id: text(row, 'id'),
    version: number(row, 'version'),
    generation: number(row, 'generation'),
    state: text(row, 'state') as PauseRecord['state'],
    createdAt: number(row, 'created_at'),
    settledAt: optionalNumber(row, 'settled_at'),
    dueAt: optionalNumber(row, 'due_at'),
    auditSequence: number(row, 'audit_sequence'),
    auditHead: text(row, 'audit_head'),
    erased: number(row, 'erased') === 1,
    calls: calls.map(callFromRow),
  };
}

function callFromRow(row: Row): CallRecord {
  return {
    ...(JSON.parse(text(row, 'facts')) as CallRecord),
    ...(JSON.parse(text(row, 'progress')) as Partial<CallRecord>),
    state: text(row, 'state') as CallRecord['state'],
  };
}

export function auditEntryText(row: AuditRow): string {
  return JSON.stringify({ kind: row.kind, key: row.key, body: row.body });
}

export function auditFromRow(row: Row): AuditRow {
  const entry = JSON.parse(text(row, 'entry')) as Pick<AuditRow, 'kind' | 'key' | 'body'>;
  return {
    chain: text(row, 'chain'),
    sequence: number(row, 'sequence'),
    at: number(row, 'at'),
    ...entry,
    hash: text(row, 'hash'),
  };
}

export function ruleFromRow(row: Row): StandingRule {
  return JSON.parse(text(row, 'body')) as StandingRule;
}

export function outboxFromRow(row: Row): OutboxRow {
  return JSON.parse(text(row, 'body')) as OutboxRow;
}

export function text(row: Row, name: string): string {
  const value = row[name];
  return typeof value === 'string' ? value : String(value);
}

export function number(row: Row, name: string): number {
  return Number(row[name]);
}

function optionalNumber(row: Row, name: string): number | null {
  const value = row[name];
  return value === null || value === undefined ? null : Number(value);
}
