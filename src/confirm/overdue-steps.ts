import { expiredOutcome, unknownOutcome } from './outcomes.ts';
import { mayExpire } from './apply-step.ts';
import type { CallStep } from './apply-step.ts';
import type { PauseRecord } from './records.ts';

/** What time alone does to a pause: calls nobody decided expire, calls whose lease ended are unknown. Judged on every read, so no timer is needed. */
export function overdueSteps(pause: PauseRecord, now: number): readonly CallStep[] {
  if (pause.dueAt === null || pause.dueAt > now) return [];
  const steps: CallStep[] = [];
  for (const call of pause.calls) {
    if (call.state === 'running' && call.claim !== null && call.claim.leaseUntil <= now) {
      steps.push({
        key: call.key,
        event: 'lose',
        set: { claim: null, outcome: unknownOutcome(call) },
        audit: { kind: 'call-lost', key: call.key, body: { fence: call.claim.fence, by: call.claim.by } },
      });
    } else if (mayExpire(call.state) && pause.expiresAt !== null && pause.expiresAt <= now) {
      steps.push({
        key: call.key,
        event: 'expire',
        set: { outcome: expiredOutcome(call) },
        audit: { kind: 'call-expired', key: call.key, body: { was: call.state, expiresAt: pause.expiresAt } },
      });
    }
  }
  return steps;
}
