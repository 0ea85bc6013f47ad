import type { CallView, PauseView } from '../confirm/types.ts';
import type { CallState } from '../core/call-state.ts';
import type { DecisionMaker } from '../core/decision.ts';
import type { OutcomeStatus } from '../core/outcome.ts';
import { safeLine } from '../text/safe-plain.ts';

/** The words of the pages: one sentence or name for each thing, so that no two pages say it differently. */

export const stateWords: Readonly<Record<CallState, string>> = {
  proposed: 'Proposed',
  free: 'Free to run',
  awaiting: 'Waiting',
  approved: 'Approved',
  running: 'Running',
  stale: 'Out of date',
  invalid: 'Invalid',
  denied: 'Denied',
  responded: 'Answered',
  expired: 'Expired',
  superseded: 'Superseded',
  cancelled: 'Cancelled',
  succeeded: 'Done',
  failed: 'Failed',
  unknown: 'Unknown',
};

/** What the kinds of audit rows mean to a reader; kinds that are not here are shown as they are. */
const eventWords: ReadonlyMap<string, string> = new Map([
  ['pause-created', 'request recorded'],
  ['pause-settled', 'every call has its end'],
  ['call-proposed', 'asked for'],
  ['call-approved', 'approved'],
  ['call-denied', 'denied'],
  ['call-responded', 'answered in its place'],
  ['call-claimed', 'started'],
  ['call-finished', 'ended'],
  ['call-lost', 'lost: the process that ran it is gone'],
  ['call-resolved', 'end settled by a person'],
  ['call-run-again', 'released to run again'],
  ['call-expired', 'expired'],
  ['call-superseded', 'superseded'],
  ['call-cancelled', 'cancelled'],
  ['call-stale', 'out of date, to be asked again'],
  ['call-suspended', 'waits for calls inside it'],
]);

/** One event of a history in words. */
export function eventText(kind: string): string {
  return eventWords.get(kind) ?? safeLine(kind, { maxLength: 80 });
}

/** How each end reads in a sentence. A time-out is not a refusal, and a submission is not a success. */
export const outcomeSentences: Readonly<Record<OutcomeStatus, string>> = {
  succeeded: 'It ran and succeeded.',
  failed: 'It ran and reported a failure.',
  invalid: 'It did not run: the arguments or the tool cannot be used.',
  denied: 'It did not run: it was denied.',
  responded: 'It did not run: a person answered in its place.',
  expired: 'It did not run: nobody decided in time.',
  superseded: 'It did not run: a newer message took its place.',
  cancelled: 'It did not run: it was cancelled.',
  unknown: 'It was started, and nobody knows how it ended. It was not repeated.',
};

/** What colour and shape a state has: five are enough. */
export function stateTone(state: CallState): 'wait' | 'go' | 'good' | 'bad' | 'quiet' | 'doubt' {
  if (state === 'awaiting') return 'wait';
  if (state === 'approved' || state === 'running' || state === 'free') return 'go';
  if (state === 'succeeded' || state === 'responded') return 'good';
  if (state === 'failed' || state === 'denied' || state === 'invalid') return 'bad';
  if (state === 'unknown') return 'doubt';
  return 'quiet';
}

/** Who decided, for people. */
export function makerName(by: DecisionMaker | 'policy' | null | undefined): string {
  if (by === null || by === undefined) return 'nobody';
  if (by === 'policy') return 'policy';
  const name = safeLine(by.principal.id, { maxLength: 80 });
  return by.via?.startsWith('rule ') === true ? `a standing rule of ${name}` : name;
}

/** `3 calls wait`, `write_file waits`, … : the heading of a pause. */
export function pauseTitle(pause: PauseView): string {
  const waiting = pause.calls.filter((call) => call.state === 'awaiting');
  const first = waiting[0] ?? pause.calls[0];
  if (first === undefined) return 'No calls';
  const name = safeLine(first.toolName, { maxLength: 80 });
  if (waiting.length > 1) return `${waiting.length} calls wait`;
  if (waiting.length === 1) return pause.calls.length === 1 ? name : `${name} waits`;
  return pause.calls.length === 1 ? name : `${pause.calls.length} calls`;
}

/** Whose call it is: principal and conversation. */
export function askedBy(pause: PauseView): string {
  return pause.identity.principal === '' ? 'an unnamed caller' : safeLine(pause.identity.principal, { maxLength: 80 });
}

/** `in 11 min`, `3 h ago`, … */
export function relativeTime(at: number, now: number): string {
  const seconds = Math.round(Math.abs(at - now) / 1000);
  const amount =
    seconds < 60
      ? `${seconds} s`
      : seconds < 3600
        ? `${Math.round(seconds / 60)} min`
        : seconds < 48 * 3600
          ? `${Math.round(seconds / 3600)} h`
          : `${Math.round(seconds / 86_400)} days`;
  if (seconds < 5) return 'just now';
  return at > now ? `in ${amount}` : `${amount} ago`;
}

/** `30 Nov 2026, 14:32 UTC`. */
export function absoluteTime(at: number): string {
  const iso = new Date(at).toISOString();
  const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
  return `${Number(iso.slice(8, 10))} ${months[Number(iso.slice(5, 7)) - 1]} ${iso.slice(0, 4)}, ${iso.slice(11, 16)} UTC`;
}

/** Whether a standing rule may be made from a call; the store's side judges again. */
export function mayBecomeRule(call: Pick<CallView, 'annotations' | 'demand'>): boolean {
  if ((call.demand?.approvals ?? 1) > 1) return false;
  return call.demand?.standingRules ?? call.annotations?.destructiveHint !== true;
}

/** What the annotations say, for a reader. `own`: the host's own tool, so the claim is ours. */
export function riskOf(call: Pick<CallView, 'annotations' | 'server'>): {
  readonly tone: 'bad' | 'wait' | 'quiet';
  readonly text: string;
} {
  const says = call.server === null ? '' : ', says the server';
  const hints = call.annotations;
  if (hints?.readOnlyHint === true) return { tone: 'quiet', text: `Only reads${says}` };
  if (hints?.destructiveHint === true) return { tone: 'bad', text: 'May destroy or overwrite' };
  if (hints?.destructiveHint === false) return { tone: 'wait', text: `Writes, without destroying${says}` };
  return { tone: 'wait', text: 'Effect not declared' };
}
