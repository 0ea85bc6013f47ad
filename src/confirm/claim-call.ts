import { ToolgateError } from '../core/errors.ts';
import type { Outcome } from '../core/outcome.ts';
import { digestJson } from '../core/digest.ts';
import type { ManagerSetup } from './manager-options.ts';
import type { CallRecord, PauseRecord } from './records.ts';
import { storedJson } from './stored-json.ts';
import type { ConfirmationStore } from './store-port.ts';
import { updatePause } from './update-pause.ts';
import type { CurrentPause, StepMaker } from './update-pause.ts';
import { withRetries } from './with-retries.ts';

/** The right to run one call once, as held by whoever made it. */
export interface HeldClaim {
  readonly pauseId: string;
  readonly key: string;
  readonly by: string;
  readonly fence: number;
}

/** Takes the right to run a call in one compare-and-set. Undefined when the call is not there to be taken (any more). */
export async function claimCall(
  setup: ManagerSetup,
  store: ConfirmationStore,
  pauseId: string,
  key: string,
  known?: CurrentPause,
): Promise<{ readonly claim: HeldClaim; readonly current: CurrentPause } | undefined> {
  const by = setup.ids.next('claim');
  const make: StepMaker = (pause, now) => {
    const call = callOf(pause, key);
    const retry = call?.state === 'unknown' && (call.idempotent || call.runAgain);
    if (call === undefined || !(call.state === 'free' || call.state === 'approved' || retry)) return [];
    const fence = call.fence + 1;
    return [
      {
        key,
        event: retry ? 'run-again' : 'claim',
        set: {
          fence,
          claim: { by, fence, since: now, leaseUntil: now + setup.leaseMs },
          startedAt: now,
          runAgain: false,
          suspendedBy: null,
          outcome: null,
        },
        audit: { kind: 'call-claimed', key, body: { by, fence, leaseMs: setup.leaseMs, was: call.state } },
      },
    ];
  };
  // Under the same name each time: a claim that was written although its answer was lost is found to be ours.
  const current = await withRetries(setup, known, (start) =>
    updatePause(store, pauseId, make, { outbox: setup.outbox, known: start }),
  );
  const claim = callOf(current.pause, key)?.claim;
  if (claim?.by !== by) return undefined;
  return { claim: { pauseId, key, by, fence: claim.fence }, current };
}

/** Extends a claim's lease; false when it is lost. */
export async function extendClaim(setup: ManagerSetup, store: ConfirmationStore, held: HeldClaim): Promise<boolean> {
  const { pause } = await updatePause(store, held.pauseId, (pause, now) => {
    const call = callOf(pause, held.key);
    if (!isHeld(call, held)) return [];
    return [{ key: held.key, set: { claim: { ...call.claim, leaseUntil: now + setup.leaseMs } } }];
  });
  return isHeld(callOf(pause, held.key), held);
}

/** Records how a claimed call ended. After a lost lease the result is recorded as late and not applied; what counts is returned. */
export async function finishCall(
  setup: ManagerSetup,
  store: ConfirmationStore,
  held: HeldClaim,
  outcome: Outcome,
  known?: CurrentPause,
): Promise<CurrentPause> {
  const stored = storedJson(outcome) as Outcome;
  const event = outcome.status === 'succeeded' ? 'succeed' : 'fail';
  const body = { by: held.by, fence: held.fence, status: outcome.status, result: digestJson(stored.result) };
  return withRetries(setup, known, (start) =>
    updatePause(
      store,
      held.pauseId,
      (pause) => {
        const call = callOf(pause, held.key);
        if (call === undefined) return [];
        if (isHeld(call, held)) {
          return [
            {
              key: held.key,
              event,
              set: { claim: null, outcome: withDecider(stored, call) },
              audit: { kind: 'call-finished', key: held.key, body },
            },
          ];
        }
        // The same result again: an earlier try was written although its answer was lost.
        if (call.fence === held.fence && call.claim === null && call.outcome !== null && call.state !== 'unknown')
          return [];
        if (call.late !== null) return [];
        return [{ key: held.key, set: { late: stored }, audit: { kind: 'late-result', key: held.key, body } }];
      },
      { outbox: setup.outbox, known: start },
    ),
  );
}

export function callOf(pause: PauseRecord, key: string): CallRecord | undefined {
  return pause.calls.find((call) => call.key === key);
}

function isHeld(
  call: CallRecord | undefined,
  held: HeldClaim,
): call is CallRecord & { readonly claim: NonNullable<CallRecord['claim']> } {
  return call?.state === 'running' && call.claim?.by === held.by && call.claim.fence === held.fence;
}

/** The error for a call that somebody else runs. */
export function callRunning(call: CallRecord): ToolgateError {
  return new ToolgateError(
    'call-running',
    `The call ${JSON.stringify(call.key)} of ${call.toolName} is being run by another process. Ask again later for its outcome.`,
    {
      data: { key: call.key, since: call.claim?.since ?? null },
    },
  );
}

/** Who approved belongs to the outcome. */
function withDecider(outcome: Outcome, call: CallRecord): Outcome {
  const by = call.decision?.by;
  return by === undefined || by === null ? outcome : { ...outcome, by };
}
