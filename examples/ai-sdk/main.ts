// A small support desk on the AI SDK: many tools of which the model sees few, a search for the rest, and refunds that wait for a
// person. The model is scripted, so this runs without a key; put any other model of the SDK in its place. Checks itself.
import assert from 'node:assert/strict';
import { generateText, isStepCount, jsonSchema, tool } from 'ai';
import type { LanguageModel, ModelMessage } from 'ai';
import { memoryStore } from 'toolgate';
import { scriptedModel } from 'toolgate/testing';
// #region guide-three-lines
import { aiSdk } from 'toolgate/ai-sdk';
// #endregion

const paid: string[] = [];
const order = jsonSchema<{ order: string; amount?: number }>({
  type: 'object',
  properties: { order: { type: 'string' }, amount: { type: 'number' } },
  required: ['order'],
});
const tools = {
  refund: tool({
    description: 'Pays the money of an order back to the customer',
    inputSchema: order,
    execute: async ({ order: id, amount }) => {
      paid.push(`${id}: ${amount}`);
      return `refunded ${amount} for order ${id}`;
    },
  }),
  order_status: tool({ description: 'Says where an order is', inputSchema: order, execute: async () => 'delivered' }),
  print_label: tool({ description: 'Prints a shipping label', inputSchema: order, execute: async () => 'printed' }),
  book_meeting: tool({ description: 'Books a meeting in the calendar', inputSchema: order, execute: async () => 'ok' }),
  play_music: tool({ description: 'Plays a song', inputSchema: order, execute: async () => 'playing' }),
};

// What a model would say. Any language model of the SDK goes here.
const scripted = scriptedModel([
  { calls: [{ toolCallId: 'call-0', toolName: 'search_tools', input: { query: 'where is an order' } }] },
  { calls: [{ toolCallId: 'call-1', toolName: 'order_status', input: { order: '17' } }] },
  { calls: [{ toolCallId: 'call-2', toolName: 'refund', input: { order: '17', amount: 250 } }] },
  { text: 'Order 17 is refunded.' },
  { text: 'As I said, order 17 is refunded.' },
]);
const model = scripted as unknown as LanguageModel;

// #region guide-make
const g = aiSdk({
  tools, // as they are; their types stay
  store: memoryStore(), // sqliteStore({ path }) or postgresStore({ … }) where it must survive a restart
  confirm: { policy: { refund: ({ amount = 0 }: { amount?: number }) => amount > 100 } },
  selection: { minTools: 0, minTokens: 0 }, // select even among so few
});
// #endregion

// #region guide-call
const conversation = 'ticket-17';
const messages: ModelMessage[] = [{ role: 'user', content: 'Where is order 17? Refund it, 250 euros, please.' }];
const first = await generateText({ model, stopWhen: isStepCount(10), ...g.forTurn({ messages, conversation }) });
messages.push(...first.responseMessages);
// #endregion
assert.deepEqual(paid, [], 'a refund of more than 100 waits');
const seen = scripted.requests[0]?.tools?.map(({ name }) => name) ?? [];
console.log('the model saw', seen.join(', '));
assert.ok(seen.includes('search_tools') && !seen.includes('play_music'));
const results = first.steps.flatMap((step) => step.toolResults.map(({ toolName, output }) => [toolName, output]));
assert.deepEqual(results.at(-1), ['order_status', 'delivered'], 'found by search, then used');

// Somebody decides: here, on the inbox page, or with `toolgate decide`, today or next week.
const { items } = await g.gate.confirmations.list({ conversation });
const [pause] = items;
assert.ok(pause !== undefined);
console.log('waits:', pause.calls[0]?.toolName, JSON.stringify(pause.calls[0]?.proposedArguments));
await g.gate.confirmations.decide(pause.id, { '0.call-2': { type: 'approve' } }, { principal: { id: 'ann' } });

// #region guide-resume
const { messages: decided, waiting } = await g.withDecisions(messages, { conversation });
if (waiting.length === 0) {
  const second = await generateText({
    model,
    stopWhen: isStepCount(10),
    ...g.forTurn({ messages: decided, conversation }),
  });
  console.log(second.text);
}
// #endregion
assert.deepEqual(waiting, []);
assert.deepEqual(paid, ['17: 250']);

// The same approval again, as a retry or a second browser tab would send it:
await generateText({ model, stopWhen: isStepCount(10), ...g.forTurn({ messages: decided, conversation }) });
assert.deepEqual(paid, ['17: 250'], 'delivered twice, run once');
console.log('paid once:', paid.join('; '));
