import { ToolCallConfirmationRequiredError, ToolgateError } from '../core/errors.ts';
import { nestedPause, suspendCall } from './nested-pause.ts';
import type { Outcome } from '../core/outcome.ts';
import type { ToolExecution } from './types.ts';
import { toolContext } from './call-context.ts';
import type { ReplyContext } from './call-context.ts';
import { callOf, callRunning, claimCall, finishCall } from './claim-call.ts';
import { keepAlive } from './keep-alive.ts';
import { executionOf, recordedBehaviors } from './execution.ts';
import type { ManagerSetup } from './manager-options.ts';
import { askAgain } from './ask-again.ts';
import { recheckCall } from './recheck-call.ts';
import type { Recheck } from './recheck-call.ts';
import type { ReplyIdentity } from './records.ts';
import { groupOfOne, groupPause, inState, readGroup } from './reply-group.ts';
import type { GroupCall, ReplyGroup } from './reply-group.ts';
import { runAll } from './run-all.ts';
import { runCall } from './run-call.ts';
import type { ConfirmationStore } from './store-port.ts';
import { updatePause } from './update-pause.ts';
import type { CurrentPause } from './update-pause.ts';
import { waitForCall } from './wait-for-change.ts';

export type Ready = GroupCall & { readonly check: Extract<Recheck, { run: true }> };

/** Calls that may run now, or the execution when nothing is left to do. */
export type GroupState =
  | { readonly group: ReplyGroup; readonly ready: readonly Ready[] }
  | { readonly execution: ToolExecution };

/**
 * Runs what may run of a recorded reply and gives one outcome for each call; every delivery of the reply ends here. Runs
 * nothing while a call waits (`hold`), or all but those (`run-now`); asks again about what changed; gives recorded
 * outcomes as they are; waits for calls that another process runs.
 */
export async function runRecorded(
  setup: ManagerSetup,
  store: ConfirmationStore,
  context: ReplyContext,
  identity: ReplyIdentity,
  known?: ReplyGroup,
): Promise<ToolExecution> {
  let fresh = known;
  for (;;) {
    const state = await readyToRun(setup, store, context, identity, fresh);
    if ('execution' in state) return state.execution;
    const { group, ready } = state;
    const ends = await runAll(ready, setup.concurrency, (item) =>
      claimAndRun(setup, store, context, identity, item, group),
    );
    // All of one pause: the newest of its versions is what reading it would give.
    const newest = ends.reduce(
      (a, b) => (b === undefined || (a !== undefined && a.pause.version > b.pause.version) ? a : b),
      undefined,
    );
    fresh = newest === undefined ? undefined : groupOfOne(newest.pause, newest.now);
  }
}

/** Brings a recorded reply to the point where something may run or everything has ended. Throws what says that it waits. */
export async function readyToRun(
  setup: ManagerSetup,
  store: ConfirmationStore,
  context: ReplyContext,
  identity: ReplyIdentity,
  known?: ReplyGroup,
): Promise<GroupState> {
  let fresh = known;
  for (;;) {
    context.signal.throwIfAborted();
    const group = fresh ?? (await readGroup(store, identity, setup));
    fresh = undefined;
    if (group === undefined) {
      throw new ToolgateError('pause-not-found', 'Nothing is recorded of this reply. Nothing was run.', {
        data: { pause: null },
      });
    }
    if (inState(group, 'stale').length > 0) {
      await askAgain(setup, store, context, group);
      continue;
    }
    const waiting = inState(group, 'awaiting');
    if (waiting.length > 0 && setup.siblings === 'hold') throw groupPause(setup, group, waiting);
    const runnable = group.calls.filter(({ call }) => isRunnable(call));
    const ready = await recheckAll(setup, store, context, runnable);
    // Something was outdated or forbidden instead: look at the whole again before anything runs.
    if (ready === undefined) continue;
    if (ready.length > 0) return { group, ready };
    const running = inState(group, 'running')[0];
    if (running !== undefined) {
      if (await waitForCall(setup, store, running, context.signal)) continue;
      throw callRunning(running.call);
    }
    if (waiting.length > 0) throw groupPause(setup, group, waiting);
    return { execution: finalExecution(group) };
  }
}

function isRunnable(call: GroupCall['call']): boolean {
  return (
    call.state === 'free' ||
    call.state === 'approved' ||
    (call.state === 'unknown' && (call.idempotent || call.runAgain))
  );
}

async function recheckAll(
  setup: ManagerSetup,
  store: ConfirmationStore,
  context: ReplyContext,
  runnable: readonly GroupCall[],
): Promise<readonly Ready[] | undefined> {
  const ready: Ready[] = [];
  let changed = false;
  for (const item of runnable) {
    const check = await recheckCall(setup, context, item.call);
    if (check.run) {
      ready.push({ ...item, check });
      continue;
    }
    // A call that may have taken effect is never settled by a check; it stays with the person.
    if (item.call.state === 'unknown') continue;
    changed = true;
    const { state } = item.call;
    await updatePause(
      store,
      item.pause.id,
      (pause) => (callOf(pause, item.call.key)?.state === state ? [check.step] : []),
      {
        outbox: setup.outbox,
      },
    );
  }
  return changed ? undefined : ready;
}

async function claimAndRun(
  setup: ManagerSetup,
  store: ConfirmationStore,
  context: ReplyContext,
  identity: ReplyIdentity,
  item: Ready,
  group: ReplyGroup,
): Promise<CurrentPause | undefined> {
  if (context.signal.aborted) return undefined;
  const { call, pause, check } = item;
  const taken = await claimCall(setup, store, pause.id, call.key, { pause, now: group.now });
  if (taken === undefined) return undefined;
  const claimedAt = setup.clock.now();
  const stop = keepAlive(setup, store, taken.claim);
  try {
    const told = toolContext(setup, context, call, identity, taken.claim.fence);
    const outcome = await runCall(call, check.tool, check.arguments, told, setup.telemetry, context.executor);
    const noted = check.note === undefined ? outcome : { ...outcome, note: check.note };
    // The store's time when the tool has ended, without asking for it.
    const now = taken.current.now + Math.max(0, setup.clock.now() - claimedAt);
    return await finishCall(setup, store, taken.claim, noted, { pause: taken.current.pause, now });
  } catch (error) {
    if (!(error instanceof ToolCallConfirmationRequiredError)) throw error;
    await suspendCall(setup, store, taken.claim, error);
    throw nestedPause(call.key, error);
  } finally {
    stop();
  }
}

/** The recorded outcomes, in the model's order. */
function finalExecution(group: ReplyGroup): ToolExecution {
  const outcomes: Outcome[] = [];
  for (const { call } of group.calls) if (call.outcome !== null) outcomes.push(call.outcome);
  return executionOf(outcomes, recordedBehaviors(group.calls.map(({ call }) => call)), []);
}
