// The gate in a loop of one's own around the `openai` client. The transport is scripted, so this runs without a key. Checks itself.
import assert from 'node:assert/strict';
import OpenAI from 'openai';
import { ToolCallConfirmationRequiredError, createToolGate, memoryStore, resultText, tool } from 'toolgate';

const paid = [];
const refund = tool({
  name: 'refund',
  description: 'Pays the money of an order back to the customer',
  input: { type: 'object', properties: { order: { type: 'string' } }, required: ['order'] },
  execute: ({ order }) => {
    paid.push(order);
    return `refunded order ${order}`;
  },
});
const bodies = [];
const replies = [
  [
    {
      type: 'function_call',
      id: 'f1',
      call_id: 'call-1',
      name: 'refund',
      arguments: '{"order":"17"}',
      status: 'completed',
    },
  ],
  [
    {
      type: 'message',
      id: 'm1',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'Done.', annotations: [] }],
    },
  ],
];
const client = new OpenAI({
  apiKey: 'none',
  fetch: async (_url, { body }) => {
    bodies.push(JSON.parse(body));
    const id = `resp-${bodies.length}`;
    return Response.json({ id, object: 'response', status: 'completed', output: replies.shift(), usage: {} });
  },
});
const gate = createToolGate({ tools: [refund], store: memoryStore(), confirm: { policy: { refund: true } } });

// #region guide-loop
async function answer(conversation, messages, input) {
  for (let turn = await gate.turn({ messages, conversation }); ; turn = await turn.refresh(messages)) {
    const response = await client.responses.create({
      model: 'gpt-6',
      input,
      tools: turn.tools.map(({ name, description, inputSchema }) => ({
        type: 'function',
        name,
        description,
        parameters: inputSchema,
        strict: false,
      })),
    });
    input.push(...response.output); // the client's own items go back as they are
    const calls = response.output.filter(({ type }) => type === 'function_call');
    const reply = {
      role: 'assistant',
      id: response.id,
      content: calls.map(({ call_id, name, arguments: text }) => ({
        type: 'tool-call',
        toolCallId: call_id,
        toolName: name,
        input: text,
      })),
    };
    if (calls.length === 0) return response.output_text;
    const execution = await turn.execute(reply); // throws ToolCallConfirmationRequiredError while a call waits
    append(execution, reply, messages, input);
  }
}

function append({ outcomes, messages: results }, reply, messages, input) {
  messages.push(reply, ...results);
  for (const { toolCallId, note, result } of outcomes)
    input.push({
      type: 'function_call_output',
      call_id: toolCallId,
      output: [note, resultText(result)].filter(Boolean).join('\n'),
    });
}
// #endregion

const messages = [{ role: 'user', content: 'Refund order 17.' }];
const input = [{ role: 'user', content: 'Refund order 17.' }];
const waiting = await answer('c1', messages, input).catch((error) => error);
assert.ok(waiting instanceof ToolCallConfirmationRequiredError);
assert.deepEqual(paid, []);
const { id } = waiting.pause;
await gate.confirmations.decide(id, { '0.call-1': { type: 'approve' } }, { principal: { id: 'ann' } });
const { reply } = await gate.confirmations.get(id);
append(await gate.resume(id, { messages }), reply, messages, input);
assert.equal(await answer('c1', messages, input), 'Done.');
await gate.resume(id, { messages });
assert.deepEqual(paid, ['17'], 'resumed twice, run once');
assert.equal(bodies[1].input.at(-1).output, 'refunded order 17');
console.log('paid once:', paid.join('; '));
