import assert from 'node:assert/strict';
import { DecisionModelFilteringToolProvider, explainSelection, tool } from 'toolgate';
import type { DecisionModel, Tool } from 'toolgate';

const descriptions: Readonly<Record<string, string>> = {
  get_weather: 'The weather of a city, now or for the next days',
  get_tides: 'High and low water of a harbour',
  send_mail: 'Sends a mail to a person',
  search_mail: 'Searches the mailbox',
  create_invoice: 'Creates an invoice for a customer',
  refund_order: 'Pays money back for an order',
  list_orders: 'Lists the orders of a customer',
  create_event: 'Puts an event into the calendar',
  list_events: 'Lists the events of a day in the calendar',
  run_query: 'Runs a query on the data warehouse',
};

const tools: readonly Tool[] = Object.entries(descriptions).map(([name, description]) =>
  tool({ name, description, input: { type: 'object', properties: {} }, execute: () => null }),
);

/** Selects for one question, shows the selection and checks that what is needed is in it and most of the rest is not. */
export async function selectWith(
  decisionModel: DecisionModel,
  options: { readonly minProbability?: number } = {},
): Promise<void> {
  const provider = new DecisionModelFilteringToolProvider({
    toolProvider: { provideTools: () => tools },
    decisionModel,
    ...options,
    onSelection: (report) =>
      console.log(`${decisionModel.provider} ${decisionModel.modelId}: ${explainSelection(report)}\n`),
  });
  const passed = await provider.provideTools({
    userMessage: { role: 'user', content: 'How will the weather be in the city of Bergen?' },
    messages: [],
    invocation: { id: 'example', attributes: {} },
    signal: AbortSignal.timeout(30_000),
  });
  const names = passed.map(({ name }) => name);
  assert.ok(names.includes('get_weather'), `get_weather is missing: ${names.join(', ')}`);
  assert.ok(names.length < tools.length, 'nothing was left out');
}
