import type { ManagerSetup } from './manager-options.ts';
import type { PauseRecord } from './records.ts';
import { matchingRule } from './rule-match.ts';
import type { ConfirmationStore } from './store-port.ts';
import type { CallStep } from './apply-step.ts';
import { updatePause } from './update-pause.ts';

/** Approves waiting calls that a standing rule covers, each recorded as decided by that rule. A denial by policy is out of its reach. */
export async function approveByRules(
  setup: ManagerSetup,
  store: ConfirmationStore,
  pause: PauseRecord,
): Promise<PauseRecord> {
  if (!pause.calls.some((call) => call.state === 'awaiting')) return pause;
  const { value: rules } = await store.rules(pause.identity.tenant);
  if (rules.length === 0) return pause;
  const updated = await updatePause(
    store,
    pause.id,
    (current, now) =>
      current.calls.flatMap((call): readonly CallStep[] => {
        if (call.state !== 'awaiting') return [];
        const rule = rules.find((candidate) => matchingRule(candidate, current, call, now));
        if (rule === undefined) return [];
        return [
          {
            key: call.key,
            event: 'approve',
            set: {
              rule: rule.id,
              decision: { decision: { type: 'approve' }, by: { principal: rule.by, via: `rule ${rule.id}` }, at: now },
            },
            audit: { kind: 'call-approved', key: call.key, body: { rule: rule.id, digest: call.digest } },
          },
        ];
      }),
    { outbox: setup.outbox },
  );
  return updated.pause;
}
