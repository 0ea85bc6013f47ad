// A clerk on Mastra with forty tools: the model sees few of them, and refunds wait for a person. The model is scripted, so this runs without
// a key. Checks itself.
import assert from 'node:assert/strict';
import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { memoryStore } from 'toolgate';
// #region guide-three-lines
import { toolgate } from 'toolgate/mastra';
// #endregion
import { scriptedModel } from 'toolgate/testing';
import { z } from 'zod';

const paid = [];
const refund = createTool({
  id: 'refund',
  description: 'Pays the money of an order back to the customer',
  inputSchema: z.object({ order: z.string(), amount: z.number() }),
  execute: async ({ order, amount }) => {
    paid.push(`${order}: ${amount}`);
    return `refunded ${amount} for order ${order}`;
  },
});
const orderStatus = createTool({
  id: 'order_status',
  description: 'Says where an order is',
  inputSchema: z.object({ order: z.string() }),
  execute: async () => 'delivered',
});
const entry = z.object({
  employee: z.string().describe('Number or name of the employee'),
  from: z.iso.date().optional().describe('First day, today when left out'),
  note: z.string().optional().describe('Anything that others should know about it'),
});
const subjects = ['calendar', 'invoice', 'holiday', 'printer', 'meeting', 'parking', 'salary', 'travel', 'badge'];
const others = Object.fromEntries(
  subjects.flatMap((subject) =>
    ['create', 'list', 'update', 'archive'].map((verb) => [
      `${verb}_${subject}`,
      createTool({
        id: `${verb}_${subject}`,
        description: `Can ${verb} a ${subject} entry of an employee`,
        inputSchema: entry,
        execute: async () => 'done',
      }),
    ]),
  ),
);

// What a model would say; put a real one here.
const model = scriptedModel(
  [
    {
      calls: [
        { toolCallId: 'call-1', toolName: 'order_status', input: { order: '17' } },
        { toolCallId: 'call-2', toolName: 'refund', input: { order: '17', amount: 250 } },
      ],
    },
    { text: 'Order 17 is refunded.' },
  ],
  { specificationVersion: 'v3' },
);

// #region guide-make
const g = toolgate({
  store: memoryStore(), // sqliteStore({ path }) or postgresStore({ … }) where it must survive a restart
  confirm: { policy: { refund: ({ amount }) => amount > 100 } },
  conversation: (requestContext) => requestContext?.get('ticket') ?? 'ticket-17', // default: the thread of the agent's memory
});
const clerk = new Agent({
  id: 'clerk',
  name: 'clerk',
  instructions: 'You help customers.',
  model,
  tools: { refund, order_status: orderStatus, ...others },
  ...g.agent,
});
// #endregion
const agent = new Mastra({ agents: { clerk }, storage: new InMemoryStore(), logger: false }).getAgent('clerk');

// #region guide-run
const first = await agent.stream('Where is order 17? Refund it, 250 euros, please.', { maxSteps: 5 });
for await (const chunk of first.fullStream)
  if (chunk.type === 'tool-call-approval') console.log('waits:', chunk.payload.toolName, chunk.payload.args);
// #endregion
assert.deepEqual(paid, [], 'nothing is paid before somebody has said yes');
const shown = model.requests[0].tools.map(({ name }) => name);
assert.ok(
  shown.includes('search_tools') && shown.includes('refund') && shown.length < 20,
  `shown: ${shown.join(', ')}`,
);
console.log(`the model saw ${shown.length} of ${Object.keys(others).length + 2} tools`);

// Somebody decides: here, on the inbox page, or with `toolgate decide`, today or next week.
const { items } = await g.gate.confirmations.list({ conversation: 'ticket-17', callStates: ['awaiting'] });
await g.gate.confirmations.decide(items[0].id, { '0.call-2': { type: 'approve' } }, { principal: { id: 'ann' } });

// #region guide-resume
const { output, waiting } = await g.resume(agent, first.runId);
if (waiting.length === 0) console.log(await output.text);
// #endregion
assert.equal(await output.text, 'Order 17 is refunded.');
assert.deepEqual(paid, ['17: 250']);

// The same again, as a retry would bring it:
await g.resume(agent, first.runId);
assert.deepEqual(paid, ['17: 250'], 'delivered twice, run once');
console.log('paid once:', paid.join('; '));
