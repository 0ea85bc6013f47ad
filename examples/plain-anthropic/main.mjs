// The gate in a loop of one's own around `@anthropic-ai/sdk`. What a search finds is handed over as `tool_reference` to tools that
// stand in the request from the beginning with `defer_loading`, so that the list, and the provider's prompt cache, never change.
// The transport is scripted, so this runs without a key. Checks itself.
import assert from 'node:assert/strict';
import Anthropic from '@anthropic-ai/sdk';
import { createToolGate, memoryStore, resultText, tool } from 'toolgate';

const ran = [];
const make = (name, description) =>
  tool({
    name,
    description,
    input: { type: 'object', properties: { order: { type: 'string' } } },
    execute: ({ order }) => {
      ran.push(`${name} ${order}`);
      return `${name} done for order ${order}`;
    },
  });
const tools = [
  make('order_status', 'Says where an order is'),
  make('print_label', 'Prints a shipping label for an order'),
];
const bodies = [];
const replies = [
  [{ type: 'tool_use', id: 'call-1', name: 'search_tools', input: { query: 'print a shipping label', limit: 1 } }],
  [{ type: 'tool_use', id: 'call-2', name: 'print_label', input: { order: '17' } }],
  [{ type: 'text', text: 'Printed.' }],
];
const client = new Anthropic({
  apiKey: 'none',
  fetch: async (_url, { body }) => {
    bodies.push(JSON.parse(body));
    const content = replies.shift();
    const stop_reason = content[0].type === 'tool_use' ? 'tool_use' : 'end_turn';
    return Response.json({
      id: `msg-${bodies.length}`,
      type: 'message',
      role: 'assistant',
      model: 'm',
      content,
      stop_reason,
      usage: {},
    });
  },
});
const gate = createToolGate({
  providers: [{ provideTools: () => tools }],
  store: memoryStore(),
  selection: { minTools: 0, minTokens: 0, minProbability: 1 }, // nothing beforehand: this example shows the search
});

// #region guide-loop
async function answer(conversation, messages, history) {
  const shownFirst = new Map(); // by conversation in a real server: what has been sent once stays as it was
  for (let turn = await gate.turn({ messages, conversation }); ; turn = await turn.refresh(messages)) {
    if (shownFirst.size === 0) for (const { name } of turn.tools) shownFirst.set(name, true);
    const all = [...turn.tools, ...turn.catalogue.tools.map(({ definition }) => definition)];
    const unique = [...new Map(all.map((one) => [one.name, one])).values()].toSorted((a, b) =>
      a.name < b.name ? -1 : 1,
    );
    const response = await client.messages.create({
      model: 'claude',
      max_tokens: 1000,
      messages: history,
      tools: unique.map(({ name, description, inputSchema }) => ({
        name,
        description,
        input_schema: inputSchema,
        ...(shownFirst.has(name) ? {} : { defer_loading: true }),
      })),
    });
    history.push({ role: 'assistant', content: response.content });
    const calls = response.content.filter(({ type }) => type === 'tool_use');
    if (calls.length === 0) return response.content.find(({ type }) => type === 'text')?.text;
    const reply = {
      role: 'assistant',
      id: response.id,
      content: calls.map(({ id, name, input }) => ({ type: 'tool-call', toolCallId: id, toolName: name, input })),
    };
    const { outcomes, messages: results } = await turn.execute(reply); // throws while a call waits for a person
    messages.push(reply, ...results);
    const known = new Set((await turn.refresh(messages)).tools.map(({ name }) => name));
    history.push({
      role: 'user',
      content: outcomes.map(({ toolCallId, toolName, note, result, status }) => ({
        type: 'tool_result',
        tool_use_id: toolCallId,
        is_error: status !== 'succeeded' && status !== 'responded',
        content:
          toolName === 'search_tools'
            ? [...known]
                .filter((name) => !shownFirst.has(name))
                .map((tool_name) => ({ type: 'tool_reference', tool_name }))
            : [note, resultText(result)].filter(Boolean).join('\n'),
      })),
    });
  }
}
// #endregion

const user = { role: 'user', content: 'Print the label of order 17.' };
assert.equal(await answer('c1', [user], [user]), 'Printed.');
assert.deepEqual(ran, ['print_label 17']);
const lists = bodies.map(({ tools: list }) => JSON.stringify(list));
assert.equal(new Set(lists).size, 1, 'the list of tools is the same in every request');
assert.deepEqual(
  bodies[0].tools.map(({ name, defer_loading }) => [name, defer_loading === true]),
  [
    ['order_status', true],
    ['print_label', true],
    ['search_tools', false],
  ],
);
assert.deepEqual(bodies[1].messages.at(-1).content[0].content, [{ type: 'tool_reference', tool_name: 'print_label' }]);
console.log('found by reference, and run:', ran.join('; '));
