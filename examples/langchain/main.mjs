// A clerk on LangChain.js with forty tools: the model sees few of them, and refunds wait for a person. The model is scripted, so this
// runs without a key. Checks itself.
import assert from 'node:assert/strict';
import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { Command, MemorySaver } from '@langchain/langgraph';
import { createAgent, fakeModel, tool } from 'langchain';
import { memoryStore } from 'toolgate';
// #region guide-three-lines
import { interruptsOf, resumption, toolgate } from 'toolgate/langchain';
// #endregion
import { z } from 'zod';

const paid = [];
const refund = tool(
  async ({ order, amount }) => {
    paid.push(`${order}: ${amount}`);
    return `refunded ${amount} for order ${order}`;
  },
  {
    name: 'refund',
    description: 'Pays the money of an order back to the customer',
    schema: z.object({ order: z.string(), amount: z.number() }),
  },
);
const status = tool(async () => 'delivered', {
  name: 'order_status',
  description: 'Says where an order is',
  schema: z.object({ order: z.string() }),
});
const entry = z.object({
  employee: z.string().describe('Number or name of the employee'),
  from: z.iso.date().optional().describe('First day, today when left out'),
  note: z.string().optional().describe('Anything that others should know about it'),
});
const subjects = ['calendar', 'invoice', 'holiday', 'printer', 'meeting', 'parking', 'salary', 'travel', 'badge'];
const others = subjects.flatMap((subject) =>
  ['create', 'list', 'update', 'archive'].map((verb) =>
    tool(async () => 'done', {
      name: `${verb}_${subject}`,
      description: `Can ${verb} a ${subject} entry of an employee`,
      schema: entry,
    }),
  ),
);

// What a model would say; put a real one here.
const model = fakeModel()
  .respondWithTools([
    { name: 'order_status', args: { order: '17' }, id: 'call-1' },
    { name: 'refund', args: { order: '17', amount: 250 }, id: 'call-2' },
  ])
  .respond(new AIMessage('Order 17 is refunded.'))
  .respond(new AIMessage('Order 17 is refunded.'));

// #region guide-make
const gate = toolgate({
  store: memoryStore(), // sqliteStore({ path }) or postgresStore({ … }) where it must survive a restart
  confirm: { policy: { refund: ({ amount }) => amount > 100 } },
});
const agent = createAgent({
  model,
  tools: [refund, status, ...others],
  checkpointer: new MemorySaver(), // a durable one where it must survive a restart
  middleware: [gate],
});
// #endregion

let shown = [];
const { bindTools } = model;
model.bindTools = (tools) => {
  shown = tools.map(({ name }) => name);
  return bindTools.call(model, tools);
};

// #region guide-run
const config = { configurable: { thread_id: 'ticket-17' } };
const question = new HumanMessage('Where is order 17? Refund it, 250 euros, please.');
const first = await agent.invoke({ messages: [question] }, config);
for (const { value } of interruptsOf(first))
  for (const { toolName, arguments: args, pause } of value.calls) console.log('waits:', toolName, args, pause.id);
// #endregion
assert.deepEqual(paid, [], 'nothing is paid before somebody has said yes');
assert.ok(
  shown.includes('search_tools') && shown.includes('refund') && shown.length < 20,
  `shown: ${shown.join(', ')}`,
);
console.log(`the model saw ${shown.length} of ${others.length + 2} tools`);

// Somebody decides: here, on the inbox page, or with `toolgate decide`, today or next week.
const { items } = await gate.gate.confirmations.list({ conversation: 'ticket-17', callStates: ['awaiting'] });
await gate.gate.confirmations.decide(items[0].id, { '0.call-2': { type: 'approve' } }, { principal: { id: 'ann' } });

// #region guide-resume
const second = await agent.invoke(new Command(resumption(await agent.graph.getState(config))), config);
console.log(second.messages.at(-1).text);
// #endregion
assert.deepEqual(paid, ['17: 250']);
assert.equal(second.messages.filter((message) => message.getType() === 'tool').length, 2, 'every call has its answer');
console.log('paid once:', paid.join('; '));
