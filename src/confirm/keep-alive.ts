import { extendClaim } from './claim-call.ts';
import type { HeldClaim } from './claim-call.ts';
import type { ManagerSetup } from './manager-options.ts';
import type { ConfirmationStore } from './store-port.ts';

/** Extends the lease at a third of its length while the call runs, so that a slow tool is not taken for a dead process. Returns the stop. */
export function keepAlive(setup: ManagerSetup, store: ConfirmationStore, claim: HeldClaim): () => void {
  let stopped = false;
  let cancel = (): void => {};
  const extend = async (): Promise<void> => {
    // A store that is away for a moment is no reason to give up; a lost claim is.
    const held = await extendClaim(setup, store, claim).catch(() => true);
    if (held && !stopped) plan();
  };
  const plan = (): void => {
    cancel = setup.clock.schedule(setup.leaseMs / 3, () => {
      if (!stopped) void extend();
    });
  };
  plan();
  return () => {
    stopped = true;
    cancel();
  };
}
