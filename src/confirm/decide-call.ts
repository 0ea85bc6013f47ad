import type { Decision, DecisionMaker, RecordedDecision } from '../core/decision.ts';
import type { Digest } from '../core/digest.ts';
import { digestJson } from '../core/digest.ts';
import type { CallStep } from './apply-step.ts';
import { deniedOutcome, respondedOutcome } from './outcomes.ts';
import type { CallRecord } from './records.ts';
import { storedJson } from './stored-json.ts';
import { sameDecision } from './tool-call-decisions.ts';
import type { DecisionAnswer } from './types.ts';

/** One decision with all that needs asking outside (rights, the fit of edited arguments) already answered. */
export interface JudgedDecision {
  readonly decision: Decision;
  readonly expected?: Digest | undefined;
  readonly by: DecisionMaker | null;
  /** Why this person may not decide. */
  readonly notPermitted?: string | undefined;
  /** Why the edited arguments cannot be used. */
  readonly invalid?: string | undefined;
}

/** The answer to one decision about a call as it is now, and the step that records it, if any. Pure. */
export function decideCall(
  call: CallRecord | undefined,
  key: string,
  judged: JudgedDecision,
  now: number,
): { readonly answer: DecisionAnswer; readonly step?: CallStep } {
  if (call === undefined)
    return { answer: { key, answer: 'unknown', message: `This pause has no call ${JSON.stringify(key)}.` } };
  if (judged.notPermitted !== undefined)
    return { answer: { key, answer: 'not-permitted', message: judged.notPermitted } };
  const { decision, by } = judged;
  if (call.state !== 'awaiting') return { answer: lateAnswer(call, judged) };
  if (judged.expected !== undefined && judged.expected !== call.digest) {
    return {
      answer: { key, answer: 'stale', message: 'What was shown is not what waits now. Look again before deciding.' },
    };
  }
  if (judged.invalid !== undefined) return { answer: { key, answer: 'invalid', message: judged.invalid } };
  const recorded: RecordedDecision = { decision: storedJson(decision) as Decision, by, at: now };
  if (decision.type === 'deny') {
    return end(call, 'deny', 'denied', recorded, { outcome: deniedOutcome(call, by, decision.message) });
  }
  if (decision.type === 'respond') {
    return end(call, 'respond', 'responded', recorded, { outcome: respondedOutcome(call, decision, by) });
  }
  return approve(call, recorded, decision);
}

function approve(
  call: CallRecord,
  recorded: RecordedDecision,
  decision: Extract<Decision, { type: 'approve' }>,
): { readonly answer: DecisionAnswer; readonly step?: CallStep } {
  const needed = call.demand?.approvals ?? 1;
  const edited = decision.arguments === undefined ? null : { input: storedJson(decision.arguments) };
  if (needed > 1) {
    const { key } = call;
    if (recorded.by === null)
      return {
        answer: {
          key,
          answer: 'not-permitted',
          message: `This call needs ${needed} approvals, each by a named person.`,
        },
      };
    const same = call.approvals.find((earlier) => samePerson(earlier.by, recorded.by));
    if (same !== undefined) {
      if (sameDecision(same.decision, recorded.decision))
        return { answer: { key, answer: 'accepted', state: call.state } };
      return { answer: { key, answer: 'already-decided', state: call.state, by: same.by, at: same.at } };
    }
    const first = call.approvals[0];
    if (first !== undefined && !sameDecision(first.decision, recorded.decision)) {
      return {
        answer: { key, answer: 'invalid', message: 'Others approved other arguments. Approve those, or deny.' },
      };
    }
    const approvals = [...call.approvals, recorded];
    if (approvals.length < needed) {
      const body = {
        ...who(recorded),
        approvals: approvals.length,
        needed,
        edited: edited === null ? null : digestJson(edited.input),
      };
      return {
        answer: { key, answer: 'accepted', state: 'awaiting' },
        step: { key, set: { approvals }, audit: { kind: 'approval-added', key, body } },
      };
    }
    return end(call, 'approve', 'approved', recorded, { approvals, edited });
  }
  return end(call, 'approve', 'approved', recorded, { edited });
}

function end(
  call: CallRecord,
  event: 'approve' | 'deny' | 'respond',
  state: 'approved' | 'denied' | 'responded',
  recorded: RecordedDecision,
  set: NonNullable<CallStep['set']>,
): { readonly answer: DecisionAnswer; readonly step: CallStep } {
  const { key } = call;
  const body = {
    ...who(recorded),
    digest: call.digest,
    decision: digestJson(recorded.decision),
    edited: set.edited === undefined || set.edited === null ? null : digestJson(set.edited.input),
  };
  return {
    answer: { key, answer: 'accepted', state },
    step: { key, event, set: { ...set, decision: recorded }, audit: { kind: `call-${state}`, key, body } },
  };
}

/** The first decision stands. The same person saying the same again gets the same answer. */
function lateAnswer(call: CallRecord, judged: JudgedDecision): DecisionAnswer {
  const { key, state, decision } = call;
  if (state === 'stale')
    return {
      key,
      answer: 'stale',
      message: 'The tool, its schema, the policy or the arguments changed since. It is asked again in a newer pause.',
    };
  if (decision === null && (state === 'free' || state === 'invalid'))
    return { key, answer: 'invalid', message: 'This call needs no decision.' };
  if (decision !== null && sameDecision(decision.decision, judged.decision) && samePerson(decision.by, judged.by)) {
    return { key, answer: 'accepted', state };
  }
  const earlier = call.approvals.find((approval) => samePerson(approval.by, judged.by));
  if (earlier !== undefined && sameDecision(earlier.decision, judged.decision))
    return { key, answer: 'accepted', state };
  return { key, answer: 'already-decided', state, by: decision?.by ?? null, at: decision?.at ?? null };
}

export function samePerson(a: DecisionMaker | null, b: DecisionMaker | null): boolean {
  if (a === null || b === null) return a === b;
  return a.principal.id === b.principal.id && (a.principal.tenant ?? '') === (b.principal.tenant ?? '');
}

function who(recorded: RecordedDecision): {
  readonly by: string | null;
  readonly tenant: string | null;
  readonly via: string | null;
} {
  return {
    by: recorded.by?.principal.id ?? null,
    tenant: recorded.by?.principal.tenant ?? null,
    via: recorded.by?.via ?? null,
  };
}
