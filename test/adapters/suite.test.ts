import { memoryStore } from 'toolgate';
import { adapterContract, adapterScenarios } from 'toolgate/testing';
import type { AdapterDriver, AdapterSetup } from 'toolgate/testing';
import { describe, expect, it } from 'vitest';
import { plainDriver } from './drivers/plain.ts';

/** The plain driver with something broken. */
function broken(change: (options: AdapterSetup['options']) => AdapterSetup['options']): AdapterDriver {
  const sound = plainDriver();
  return { ...sound, open: (setup) => sound.open({ ...setup, options: change(setup.options) }) };
}

async function failing(driver: AdapterDriver): Promise<string[]> {
  const failed: string[] = [];
  for (const { scenario, run } of adapterContract({ driver, createStore: (clock) => memoryStore({ clock }) })) {
    try {
      await run();
    } catch {
      failed.push(scenario.id);
    }
  }
  return failed;
}

describe('the suite', () => {
  it('has scenarios with ids of their own', () => {
    expect(adapterScenarios.length).toBeGreaterThanOrEqual(40);
    expect(new Set(adapterScenarios.map(({ id }) => id)).size).toBe(adapterScenarios.length);
  });

  it('finds an adapter that lets everything run', async () => {
    const failed = await failing(broken((options) => ({ ...options, confirm: { ...options.confirm, policy: {} } })));
    expect(failed).toEqual(expect.arrayContaining(['CO-01', 'CO-03', 'CO-09', 'DE-04', 'DE-05', 'CA-03']));
  });

  it('finds an adapter that forgets what it was told in another process', async () => {
    const failed = await failing(broken((options) => ({ ...options, store: memoryStore({ clock: options.clock }) })));
    expect(failed).toEqual(expect.arrayContaining(['DE-01', 'DE-02', 'DE-03', 'DE-10']));
  });

  it('finds an adapter that shows everything', async () => {
    const failed = await failing(broken((options) => ({ ...options, selection: false })));
    expect(failed).toEqual(expect.arrayContaining(['SE-01', 'SE-02', 'SE-03', 'SE-05', 'SE-09']));
  });

  it('finds an adapter that leaves out the providers', async () => {
    const failed = await failing(broken((options) => ({ ...options, providers: [] })));
    expect(failed).toEqual(['SE-11', 'SE-12']);
  });
});
