import type { AdapterScenario } from './adapter-scenario.ts';
import { callScenarios } from './adapter-scenarios-calls.ts';
import { confirmationScenarios } from './adapter-scenarios-confirmation.ts';
import { deliveryScenarios } from './adapter-scenarios-delivery.ts';
import { selectionScenarios } from './adapter-scenarios-selection.ts';

/** Everything an adapter is held to, as data: tools, what the model replies, what people decide, where the process is cut. */
export const adapterScenarios: readonly AdapterScenario[] = [
  ...selectionScenarios,
  ...confirmationScenarios,
  ...deliveryScenarios,
  ...callScenarios,
];
