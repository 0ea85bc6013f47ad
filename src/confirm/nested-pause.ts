import { ToolCallConfirmationRequiredError } from '../core/errors.ts';
import type { Reply } from '../core/message.ts';
import type { Outcome } from '../core/outcome.ts';
import { applySteps } from './apply-step.ts';
import type { CallStep } from './apply-step.ts';
import type { ReplyContext } from './call-context.ts';
import { callOf } from './claim-call.ts';
import type { HeldClaim } from './claim-call.ts';
import type { ManagerSetup } from './manager-options.ts';
import { openPause } from './open-pause.ts';
import type { PreparedCall } from './prepare-call.ts';
import type { ReplyIdentity } from './records.ts';
import { storedJson } from './stored-json.ts';
import type { ConfirmationStore } from './store-port.ts';
import { updatePause } from './update-pause.ts';

/**
 * A tool can be an agent, and that agent can pause. Its calls are recorded in pauses of their own, so the outer call can simply be
 * run again when they are decided: what the inner agent has done is not done twice, and it goes on where it paused.
 */

/** The inner pause as the outer caller sees it: the same pause, with keys that name the way to it. */
export function nestedPause(
  outerKey: string,
  inner: ToolCallConfirmationRequiredError,
): ToolCallConfirmationRequiredError {
  return new ToolCallConfirmationRequiredError(
    inner.toolCallIds.map((key) => `${outerKey}/${key}`),
    inner.pause,
  );
}

/** Gives a claimed call back because an agent inside it waits; the next delivery runs it again. */
export async function suspendCall(
  setup: ManagerSetup,
  store: ConfirmationStore,
  held: HeldClaim,
  inner: ToolCallConfirmationRequiredError,
): Promise<void> {
  await updatePause(
    store,
    held.pauseId,
    (pause) => {
      const call = callOf(pause, held.key);
      return call?.state === 'running' && call.claim?.by === held.by ? [suspension(held.key, inner)] : [];
    },
    { outbox: setup.outbox },
  );
}

function suspension(key: string, inner: ToolCallConfirmationRequiredError): CallStep {
  const suspendedBy = inner.pause?.id ?? null;
  return {
    key,
    event: 'lose',
    set: { claim: null, runAgain: true, suspendedBy, outcome: null },
    audit: { kind: 'call-suspended', key, body: { by: suspendedBy, waiting: inner.toolCallIds } },
  };
}

/** Records a reply that needed nobody until an agent inside one of its calls paused, with what the other calls have come to. */
export async function recordSuspended(
  setup: ManagerSetup,
  store: ConfirmationStore,
  context: ReplyContext,
  reply: Reply,
  identity: ReplyIdentity,
  prepared: readonly PreparedCall[],
  outcomes: readonly Outcome[],
  suspended: ReadonlyMap<string, ToolCallConfirmationRequiredError>,
): Promise<void> {
  const { now } = await store.find(identity);
  const opened = await openPause(setup, context, reply, identity, prepared, now, 0);
  const steps = outcomes.flatMap((outcome): readonly CallStep[] => {
    const { key } = outcome;
    if (callOf(opened.pause, key)?.state !== 'free') return [];
    const claim: CallStep = {
      key,
      event: 'claim',
      set: { fence: 1, startedAt: now },
      audit: { kind: 'call-claimed', key, body: { fence: 1, was: 'free' } },
    };
    const inner = suspended.get(key);
    if (inner !== undefined) return [claim, suspension(key, inner)];
    const event = outcome.status === 'succeeded' ? 'succeed' : 'fail';
    return [
      claim,
      {
        key,
        event,
        set: { outcome: storedJson(outcome) as Outcome },
        audit: { kind: 'call-finished', key, body: { fence: 1, status: outcome.status } },
      },
    ];
  });
  const write = applySteps(opened.pause, steps, now);
  await store.create({ ...write, audit: [...opened.audit, ...write.audit], outbox: opened.outbox });
}
