import type { ConfirmationStore } from '../confirm/store-port.ts';
import type { Clock } from '../core/clock.ts';
import type { AdapterDriver } from './adapter-driver.ts';
import type { AdapterScenario } from './adapter-scenario.ts';
import { adapterScenarios } from './adapter-scenarios.ts';
import { manualClock } from './manual-clock.ts';
import { runAdapterScenario } from './run-adapter-scenario.ts';

/** One scenario on one framework in one mode. Run each in any test framework: `it.skipIf(case.skip)(case.name, case.run)`. */
export interface AdapterCase {
  /** `[framework version] id: title (mode)`. */
  readonly name: string;
  readonly scenario: AdapterScenario;
  readonly mode: 'blocking' | 'streaming';
  /** Why the framework cannot do it; then `run` does nothing. */
  readonly skip?: string;
  readonly run: () => Promise<void>;
}

export interface AdapterContractOptions {
  readonly driver: AdapterDriver;
  /** A new, empty store that reads this clock; closed by the suite. */
  createStore(clock: Clock): ConfirmationStore | Promise<ConfirmationStore>;
  /** Default: all that are published. */
  readonly scenarios?: readonly AdapterScenario[];
}

/**
 * The suite that every adapter passes: the same scenarios through each framework's own loop, blocking and streaming. Each
 * case checks how often tools ran, what the model saw, what waits and what came back.
 */
export function adapterContract(options: AdapterContractOptions): readonly AdapterCase[] {
  const { driver } = options;
  const cases: AdapterCase[] = [];
  for (const scenario of options.scenarios ?? adapterScenarios) {
    for (const mode of driver.modes ?? (['blocking', 'streaming'] as const)) {
      const name = `[${driver.framework} ${driver.version}] ${scenario.id}: ${scenario.title} (${mode})`;
      const reasons = driver.cannot ?? {};
      const reason = Object.hasOwn(reasons, scenario.id) ? reasons[scenario.id] : undefined;
      cases.push({
        name,
        scenario,
        mode,
        ...(reason === undefined ? {} : { skip: reason }),
        async run() {
          if (reason !== undefined) return;
          const clock = manualClock();
          const store = await options.createStore(clock);
          try {
            await runAdapterScenario(driver, scenario, { store, clock, streaming: mode === 'streaming' });
          } finally {
            await store.close();
          }
        },
      });
    }
  }
  return cases;
}
