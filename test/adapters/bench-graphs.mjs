// What the adapters of LangChain and Mastra add to a step: 100 tools, a scripted model, runs of ten steps with one tool call each, bare and
// with toolgate by turns in one process. Prints milliseconds per step (median of the rounds) and the difference in per cent. `empty hooks` is the
// framework with the same hooks as the adapter, which do nothing here.
import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { MemorySaver } from '@langchain/langgraph';
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { createAgent, fakeModel, tool } from 'langchain';
import { memoryStore } from 'toolgate';
import { toolgate as langchainGate } from 'toolgate/langchain';
import { toolgate as mastraGate } from 'toolgate/mastra';
import { scriptedModel } from 'toolgate/testing';
import { z } from 'zod';
import { measureSteps } from './measure-steps.mjs';

const steps = 10;
const rounds = Number(process.argv[2] ?? 30);
const names = Array.from({ length: 100 }, (_, index) => `tool_${index}`);
const descriptionOf = (name) =>
  `Does what ${name} is for: reads the record of a customer, changes it and says what was changed.`;
const schema = z.object({
  customer: z.string(),
  fields: z.array(z.string()).optional(),
  note: z.string().optional(),
});
const question = 'Change the records of the customer ada.';
let conversation = 0;

function langchainRuns() {
  const tools = names.map((name) => tool(async () => 'ok', { name, description: descriptionOf(name), schema }));
  const go = async (middleware) => {
    let model = fakeModel();
    for (let index = 0; index < steps - 1; index += 1)
      model = model.respondWithTools([{ name: names[index], args: { customer: 'ada' }, id: `c${index}` }]);
    const agent = createAgent({
      model: model.respond(new AIMessage('done')),
      tools,
      checkpointer: new MemorySaver(),
      middleware,
    });
    const config = { configurable: { thread_id: `t${(conversation += 1)}` }, recursionLimit: 100 };
    await agent.invoke({ messages: [new HumanMessage(question)] }, config);
  };
  const emptyMiddleware = {
    name: 'empty',
    wrapModelCall: async (request, handler) => await handler(request),
    wrapToolCall: async (request, handler) => await handler(request),
  };
  const runNow = langchainGate({ store: memoryStore(), selection: false, confirm: { siblings: 'run-now' } });
  const all = langchainGate({ store: memoryStore(), selection: false });
  const selecting = langchainGate({ store: memoryStore(), selection: { alwaysInclude: names.slice(0, 10) } });
  return {
    bare: async () => await go([]),
    'empty hooks': async () => await go([emptyMiddleware]),
    'run-now': async () => await go([runNow]),
    'all shown': async () => await go([all]),
    selected: async () => await go([selecting]),
  };
}

function mastraRuns() {
  const tools = Object.fromEntries(
    names.map((name) => [
      name,
      createTool({ id: name, description: descriptionOf(name), inputSchema: schema, execute: async () => 'ok' }),
    ]),
  );
  const go = async (g) => {
    const calls = Array.from({ length: steps - 1 }, (_, index) => ({
      calls: [{ toolCallId: `c${index}`, toolName: names[index], input: { customer: 'ada' } }],
    }));
    const model = scriptedModel([...calls, { text: 'done' }], { specificationVersion: 'v3' });
    const agent = new Agent({ id: 'a', name: 'a', instructions: 'x', model, tools, ...g?.agent });
    await agent.generate(question, { maxSteps: steps + 2 });
  };
  const emptyProcessor = {
    id: 'empty',
    processInputStep: async () => ({ activeTools: names }),
    processLLMResponse: async () => undefined,
  };
  const empty = {
    agent: {
      inputProcessors: [emptyProcessor],
      hooks: { beforeToolCall: async () => undefined, afterToolCall: async () => undefined },
    },
  };
  const own = { store: memoryStore(), conversation: () => `m${conversation}` };
  const all = mastraGate({ ...own, selection: false });
  const selecting = mastraGate({ ...own, selection: { alwaysInclude: names.slice(0, 10) } });
  const next = async (g) => {
    conversation += 1;
    await go(g);
  };
  return {
    bare: async () => await next(),
    'empty hooks': async () => await next(empty),
    'all shown': async () => await next(all),
    selected: async () => await next(selecting),
  };
}

await measureSteps('langchain', langchainRuns(), { rounds, steps });
await measureSteps('mastra', mastraRuns(), { rounds, steps });
process.exit(0);
