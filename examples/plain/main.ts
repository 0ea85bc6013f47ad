// Plain use: a gate around your own tools, with any loop. Checks itself; exits with 1 when something is not as it says.
import assert from 'node:assert/strict';
import { ToolCallDecisions } from 'toolgate';
import type { Message, Reply } from 'toolgate';
// #region readme-plain
import { createToolGate, memoryStore, tool, ToolCallConfirmationRequiredError } from 'toolgate';

const refund = tool({
  name: 'refund',
  description: 'Pays money back to a customer',
  input: {
    type: 'object',
    properties: { order: { type: 'string' }, amount: { type: 'number' } },
    required: ['order', 'amount'],
  },
  execute: ({ order, amount }: { order: string; amount: number }) => `refunded ${amount} for order ${order}`,
});
const policy = { refund: ({ amount }: { amount: number }) => amount > 100 }; // true: a person decides
const gate = createToolGate({ tools: [refund], store: memoryStore(), confirm: { policy } });
// #endregion

const messages: Message[] = [{ role: 'user', content: 'Refund order 17, all 250 euros' }];
// What a model would reply:
const reply: Reply = {
  role: 'assistant',
  id: 'r1',
  content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'refund', input: { order: '17', amount: 250 } }],
};

// #region readme-turn
const turn = await gate.turn({ messages, conversation: 'c1' }); // turn.tools: what to show the model
try {
  const { messages: results } = await turn.execute(reply); // runs the reply; results: what to append to the conversation
  messages.push(reply, ...results);
} catch (error) {
  if (!(error instanceof ToolCallConfirmationRequiredError)) throw error;
  console.log('waits for a person:', error.toolCallIds, error.pause?.id); // decide now or next week, here or elsewhere
}
// #endregion

assert.deepEqual(
  turn.tools.map(({ name }) => name),
  ['refund'],
);
assert.equal(messages.length, 1, 'nothing has run yet');
const { items } = await gate.confirmations.list({ conversation: 'c1' });
const [pause] = items;
assert.ok(pause !== undefined);
const decisions = ToolCallDecisions.of(
  { '0.c1': { type: 'approve' } },
  { by: { principal: { id: 'ann' } }, pauseId: pause.id },
);
const first = await turn.execute(reply, decisions);
const second = await turn.execute(reply, decisions);
assert.equal(first.outcomes[0]?.status, 'succeeded');
assert.deepEqual(second.outcomes, first.outcomes, 'delivered twice, run once');
console.log('ok: waited, ran once, and the second delivery got the recorded outcome');
