import { isFinalCallState, transitionCall } from '../core/call-state.ts';
import type { CallEvent, CallState } from '../core/call-state.ts';
import { linkAudit } from './audit-chain.ts';
import type { AuditEntry } from './audit-chain.ts';
import type { CallProgress, CallRecord, OutboxRow, PauseRecord } from './records.ts';
import type { PauseWrite } from './store-port.ts';

/** What shall happen to one call. Without an event only what is recorded about it changes (a lease, one of several approvals). */
export interface CallStep {
  readonly key: string;
  readonly event?: CallEvent;
  readonly set?: Partial<Omit<CallProgress, 'state'>>;
  /** What the audit says of it; none for a lease that is only extended. */
  readonly audit?: AuditEntry;
}

/** Makes the messages to the outside for a change; see the outbox. */
export type OutboxMaker = (before: PauseRecord | undefined, after: PauseRecord) => readonly OutboxRow[];

/** The record after the steps, as one write. Pure. Throws `illegal-transition` when a step cannot happen. */
export function applySteps(
  pause: PauseRecord,
  steps: readonly CallStep[],
  now: number,
  outbox?: OutboxMaker,
  opening: readonly AuditEntry[] = [],
): PauseWrite {
  const calls: CallRecord[] = [...pause.calls];
  const changed: number[] = [];
  const entries: AuditEntry[] = [...opening];
  for (const step of steps) {
    const index = calls.findIndex((call) => call.key === step.key);
    const call = calls[index];
    if (call === undefined) continue;
    const state = step.event === undefined ? call.state : transitionCall(call.state, step.event);
    calls[index] = { ...call, ...step.set, state };
    if (!changed.includes(index)) changed.push(index);
    if (step.audit !== undefined) entries.push(step.audit);
  }
  const settled = calls.every((call) => hasEnd(call.state));
  if (settled && pause.state === 'open') entries.push({ kind: 'pause-settled', key: null, body: {} });
  const audit = linkAudit(pause.id, { sequence: pause.auditSequence, head: pause.auditHead }, now, entries);
  const after: PauseRecord = {
    ...pause,
    version: pause.version + 1,
    calls,
    state: settled ? 'settled' : 'open',
    settledAt: settled ? (pause.settledAt ?? now) : null,
    dueAt: nextDue(calls, pause.expiresAt),
    auditSequence: pause.auditSequence + audit.length,
    auditHead: audit.at(-1)?.hash ?? pause.auditHead,
  };
  return { pause: after, changed, audit, outbox: outbox?.(pause, after) ?? [] };
}

/** True for a state in which the call has an outcome that stands. `unknown` has not: a person may resolve it. `stale` has: it is asked again elsewhere. */
export function hasEnd(state: CallState): boolean {
  return isFinalCallState(state);
}

/** True while a call waits for something other than its own run. */
export function mayExpire(state: CallState): boolean {
  return state === 'awaiting' || state === 'approved' || state === 'free';
}

/** When somebody should look at the pause again. */
export function nextDue(calls: readonly CallRecord[], expiresAt: number | null): number | null {
  let due: number | null = null;
  for (const call of calls) {
    const at =
      call.claim !== null && call.state === 'running'
        ? call.claim.leaseUntil
        : mayExpire(call.state)
          ? expiresAt
          : null;
    if (at !== null && (due === null || at < due)) due = at;
  }
  return due;
}
