// A clerk on the OpenAI Agents SDK whose refunds wait for a person. The model is scripted, so this runs without a key. Checks itself.
import assert from 'node:assert/strict';
import { Agent, RunState, Usage, run, setTracingDisabled, tool } from '@openai/agents';
import { memoryStore } from 'toolgate';
// #region guide-three-lines
import { openaiAgents } from 'toolgate/openai-agents';
// #endregion
import { z } from 'zod';

setTracingDisabled(true);
const paid = [];
const refund = tool({
  name: 'refund',
  description: 'Pays the money of an order back to the customer',
  parameters: z.object({ order: z.string(), amount: z.number() }),
  execute: async ({ order, amount }) => {
    paid.push(`${order}: ${amount}`);
    return `refunded ${amount} for order ${order}`;
  },
});
const status = tool({
  name: 'order_status',
  description: 'Says where an order is',
  parameters: z.object({ order: z.string() }),
  execute: async () => 'delivered',
});

// What a model would say. Leave `model` out and give `openaiAgents` a modelProvider, or put a real model here.
const call = (name, callId, input) => [
  { type: 'function_call', name, callId, arguments: JSON.stringify(input), status: 'completed' },
];
const said = (text) => [
  { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text }] },
];
const script = [
  call('order_status', 'call-1', { order: '17' }),
  call('refund', 'call-2', { order: '17', amount: 250 }),
  said('Order 17 is refunded.'),
  said('Order 17 is refunded.'),
];
const model = {
  getResponse: async () => ({ usage: new Usage(), output: script.shift() }),
  async *getStreamedResponse() {},
};

// #region guide-make
const g = openaiAgents({
  store: memoryStore(), // sqliteStore({ path }) or postgresStore({ … }) where it must survive a restart
  confirm: { policy: { refund: ({ amount }) => amount > 100 } },
});
// #endregion

// #region guide-run
const conversation = 'ticket-17';
const clerk = new Agent({ name: 'Clerk', model, tools: [refund, status] });
const agent = g.wrap(clerk, { conversation });
const first = await run(agent, 'Where is order 17? Refund it, 250 euros, please.', g.runOptions);
const saved = first.state.toString(); // keep it where you like; what it claims is checked
// #endregion
assert.equal(first.interruptions.length, 1);
assert.deepEqual(paid, []);

// Somebody decides: here, on the inbox page, or with `toolgate decide`, today or next week.
const { items } = await g.gate.confirmations.list({ conversation });
await g.gate.confirmations.decide(items[0].id, { '0.call-2': { type: 'approve' } }, { principal: { id: 'ann' } });

// #region guide-resume
async function goOn() {
  const state = await RunState.fromString(agent, saved);
  const { waiting } = await g.carryDecisions(state, { conversation });
  return waiting.length === 0 ? await run(agent, state, g.runOptions) : undefined;
}
// #endregion
const second = await goOn();
console.log(second.finalOutput);
assert.deepEqual(paid, ['17: 250']);

// The same state again, as a retry would bring it:
await goOn();
assert.deepEqual(paid, ['17: 250'], 'delivered twice, run once');
console.log('paid once:', paid.join('; '));
