// The built-in loop over a language model of the AI SDK. A scripted model stands in for a real one, so no key is needed.
import assert from 'node:assert/strict';
import { createToolGate, memoryStore, tool } from 'toolgate';
import { scriptedModel } from 'toolgate/testing';

const runs: string[] = [];
const refund = tool({
  name: 'refund',
  description: 'Pays money back to a customer',
  input: {
    type: 'object',
    properties: { order: { type: 'string' }, amount: { type: 'number' } },
    required: ['order', 'amount'],
  },
  requiresConfirmation: true,
  execute: ({ order, amount }: { order: string; amount: number }) => {
    runs.push(order);
    return `refunded ${amount} for order ${order}`;
  },
});
const gate = createToolGate({ tools: [refund], store: memoryStore() });
const model = scriptedModel([
  { calls: [{ toolCallId: 'call-1', toolName: 'refund', input: { order: '17', amount: 250 } }] },
  { text: 'Order 17 is refunded.' },
]) as never;

// #region readme-assistant
import { createAssistant } from 'toolgate/assistant';

const assistant = createAssistant({ model, gate });
let response = await assistant.send('Refund order 17, all 250 euros', { conversation: 'c1' });
if (response.finishReason === 'awaiting-decision' && response.pause?.id !== undefined) {
  await gate.confirmations.decide(response.pause.id, { '0.call-1': { type: 'approve' } }, { principal: { id: 'ann' } });
  response = await assistant.resume(response.pause.id); // in this process, or in any other with the same store
}
console.log(response.text);
// #endregion

assert.equal(response.text, 'Order 17 is refunded.');
assert.deepEqual(runs, ['17']);
