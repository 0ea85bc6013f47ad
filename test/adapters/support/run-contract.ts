import { memoryStore } from 'toolgate';
import { adapterContract } from 'toolgate/testing';
import type { AdapterDriver } from 'toolgate/testing';
import { describe, it } from 'vitest';

/** Makes a test of each case; what a framework cannot do is skipped, with the reason in the table of the documentation. */
export function runContract(driver: AdapterDriver): void {
  describe(`${driver.framework} ${driver.version}`, () => {
    for (const entry of adapterContract({ driver, createStore: (clock) => memoryStore({ clock }) }))
      it.skipIf(entry.skip !== undefined)(entry.name, entry.run);
  });
}
