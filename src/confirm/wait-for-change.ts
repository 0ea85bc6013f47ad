import { sleep } from '../core/clock.ts';
import { callOf } from './claim-call.ts';
import { keepProcessAlive } from './keep-process-alive.ts';
import type { ManagerSetup } from './manager-options.ts';
import type { GroupCall } from './reply-group.ts';
import type { ConfirmationStore } from './store-port.ts';
import { updatePause } from './update-pause.ts';

/** Waits until the call is no longer running, at most `waitMs`; true when it has ended. */
export async function waitForCall(
  setup: ManagerSetup,
  store: ConfirmationStore,
  item: GroupCall,
  signal: AbortSignal,
): Promise<boolean> {
  return waitForPause(
    setup,
    store,
    item.pause.id,
    setup.waitMs,
    signal,
    (pause) => callOf(pause, item.call.key)?.state !== 'running',
  );
}

/** Looks at a pause again and again until the condition holds (true) or the time is over (false). A hint only wakes earlier. */
export async function waitForPause(
  setup: ManagerSetup,
  store: ConfirmationStore,
  pauseId: string,
  timeoutMs: number,
  signal: AbortSignal,
  done: (pause: Parameters<typeof callOf>[0]) => boolean,
): Promise<boolean> {
  const until = setup.clock.now() + timeoutMs;
  const letGo = keepProcessAlive();
  try {
    for (;;) {
      let hint = (): void => {};
      const hinted = new Promise<void>((resolve) => {
        hint = resolve;
      });
      // Listening starts before the look, so that no change falls between the two.
      const stop = store.onChange?.((id) => {
        if (id === pauseId) hint();
      });
      try {
        if (done((await updatePause(store, pauseId, () => [], { outbox: setup.outbox })).pause)) return true;
        const left = until - setup.clock.now();
        if (left <= 0) return false;
        await nextLook(setup, Math.min(left, setup.pollMs), hinted, signal);
      } finally {
        stop?.();
      }
    }
  } finally {
    letGo();
  }
}

async function nextLook(
  setup: ManagerSetup,
  milliseconds: number,
  hinted: Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const timer = new AbortController();
  const either = AbortSignal.any([signal, timer.signal]);
  try {
    await Promise.race([sleep(setup.clock, milliseconds, either), hinted]);
  } catch (error) {
    if (signal.aborted) throw error;
  } finally {
    timer.abort(new Error('No longer needed.'));
  }
}
