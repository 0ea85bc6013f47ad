import { ToolgateError } from './errors.ts';

/** Where a call is. The last nine are ends, but for `unknown`, which a person may still resolve. */
export type CallState =
  | 'proposed'
  | 'free'
  | 'awaiting'
  | 'approved'
  | 'running'
  | 'stale'
  | 'invalid'
  | 'denied'
  | 'responded'
  | 'expired'
  | 'superseded'
  | 'cancelled'
  | 'succeeded'
  | 'failed'
  | 'unknown';

/** What can happen to a call. */
export type CallEvent =
  /** Arguments or tool turned out unusable. */
  | 'invalidate'
  /** Policy forbids it; asked when proposed and once more when it would run. */
  | 'forbid'
  /** Policy lets it run without a person. */
  | 'free'
  /** A person must decide. */
  | 'await'
  | 'approve'
  | 'deny'
  | 'respond'
  | 'expire'
  | 'supersede'
  | 'cancel'
  /** What was approved is no longer what would run. */
  | 'outdate'
  /** One process takes the right to run it. */
  | 'claim'
  | 'succeed'
  | 'fail'
  /** The process that ran it is gone. */
  | 'lose'
  /** A person says of an unknown call that it was done, that it failed, or that it shall run again. */
  | 'mark-succeeded'
  | 'mark-failed'
  | 'run-again';

type Row = Partial<Record<CallEvent, CallState>>;

const notYetRun: Row = {
  invalidate: 'invalid',
  forbid: 'denied',
  expire: 'expired',
  supersede: 'superseded',
  cancel: 'cancelled',
  outdate: 'stale',
};

/** The whole life of a call. What is not in the table cannot happen. */
export const callTransitions: Readonly<Record<CallState, Readonly<Row>>> = {
  proposed: { invalidate: 'invalid', forbid: 'denied', free: 'free', await: 'awaiting' },
  free: { ...notYetRun, claim: 'running' },
  awaiting: { ...notYetRun, approve: 'approved', deny: 'denied', respond: 'responded' },
  approved: { ...notYetRun, claim: 'running' },
  running: { succeed: 'succeeded', fail: 'failed', lose: 'unknown' },
  unknown: { 'mark-succeeded': 'succeeded', 'mark-failed': 'failed', 'run-again': 'running' },
  stale: {},
  invalid: {},
  denied: {},
  responded: {},
  expired: {},
  superseded: {},
  cancelled: {},
  succeeded: {},
  failed: {},
};

/** The state after an event, or undefined when the event cannot happen there. Total and pure. */
export function nextCallState(state: CallState, event: CallEvent): CallState | undefined {
  return callTransitions[state][event];
}

/** As {@link nextCallState}; throws `illegal-transition` when the event cannot happen there. */
export function transitionCall(state: CallState, event: CallEvent): CallState {
  const next = nextCallState(state, event);
  if (next === undefined) {
    throw new ToolgateError('illegal-transition', `A call that is ${state} cannot ${event}.`, {
      data: { from: state, event },
    });
  }
  return next;
}

/** True when nothing can happen to a call any more. */
export function isFinalCallState(state: CallState): boolean {
  return Object.keys(callTransitions[state]).length === 0;
}
