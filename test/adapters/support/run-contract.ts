import { memoryStore } from 'toolgate';
import { adapterContract } from 'toolgate/testing';
import type { AdapterDriver } from 'toolgate/testing';
import { describe, it } from 'vitest';

/** Makes a test of each case. What a framework cannot do is skipped, and its title carries the reason into the documentation's table. */
export function runContract(driver: AdapterDriver): void {
  describe(`${driver.framework} ${driver.version}`, () => {
    for (const entry of adapterContract({ driver, createStore: (clock) => memoryStore({ clock }) })) {
      if (entry.skip === undefined) it(entry.name, entry.run);
      else it.skip(`${entry.name} - no: ${entry.skip}`);
    }
  });
}
