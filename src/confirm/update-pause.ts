import { ToolgateError } from '../core/errors.ts';
import { applySteps } from './apply-step.ts';
import type { CallStep, OutboxMaker } from './apply-step.ts';
import { overdueSteps } from './overdue-steps.ts';
import type { PauseRecord } from './records.ts';
import type { ConfirmationStore, Stamped } from './store-port.ts';

/** A pause as it is now, and the store's time of that. */
export interface CurrentPause {
  readonly pause: PauseRecord;
  readonly now: number;
}

/** What to do with a pause as it is; an empty list leaves it alone. May be asked again when somebody else was faster. */
export type StepMaker = (pause: PauseRecord, now: number) => readonly CallStep[];

/**
 * Reads a pause, settles what is overdue, asks for steps and writes them with compare-and-set, again from the start when
 * another writer came first. Lock-free: of any writers at least one succeeds in each round. Throws `pause-not-found`.
 */
export async function updatePause(
  store: ConfirmationStore,
  id: string,
  make: StepMaker,
  options?: { readonly outbox?: OutboxMaker | undefined; readonly known?: CurrentPause | undefined },
): Promise<CurrentPause> {
  let known = options?.known;
  for (;;) {
    const { pause, now } = known ?? requirePause(await store.get(id), id);
    known = undefined;
    const overdue = overdueSteps(pause, now);
    if (overdue.length > 0) {
      await store.change(applySteps(pause, overdue, now, options?.outbox));
      continue;
    }
    const steps = make(pause, now);
    if (steps.length === 0) return { pause, now };
    const write = applySteps(pause, steps, now, options?.outbox);
    if (await store.change(write)) return { pause: write.pause, now };
  }
}

/** The pause, or `pause-not-found`: absence is never consent. */
export function requirePause(found: Stamped<PauseRecord | undefined>, id: string): CurrentPause {
  if (found.value === undefined) {
    throw new ToolgateError('pause-not-found', `No pause has the id ${JSON.stringify(id)}. Nothing was run.`, {
      data: { pause: id },
    });
  }
  return { pause: found.value, now: found.now };
}
