// What is measured of each framework: `kinds(base)` gives, for one number of calls in a reply, functions that make one whole run and give its last
// text. `base(kind)` is the address of the provider for it. Models and agents are made once, as applications do.
import { createOpenAI } from '@ai-sdk/openai';
import { HumanMessage } from '@langchain/core/messages';
import { MemorySaver } from '@langchain/langgraph';
import { ChatOpenAI } from '@langchain/openai';
import { Agent as MastraAgent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import {
  Agent,
  OpenAIChatCompletionsModel,
  OpenAIResponsesModel,
  run,
  setTracingDisabled,
  tool as agentsTool,
} from '@openai/agents';
import { createOpenAI as createOpenAI6 } from 'ai6-openai';
import { createAgent, tool as langchainTool } from 'langchain';
import OpenAI from 'openai';
import { memoryStore } from 'toolgate';
import { aiSdk } from 'toolgate/ai-sdk';
import { toolgate as langchainGate } from 'toolgate/langchain';
import { toolgate as mastraGate } from 'toolgate/mastra';
import { openaiAgents } from 'toolgate/openai-agents';
import { answerOfTool, calledTools, catalogue, question } from './catalogue.mjs';

globalThis.AI_SDK_LOG_WARNINGS = false;
setTracingDisabled(true);
const modelId = 'gpt-4.1';
const execute = async () => answerOfTool;
const alwaysInclude = calledTools.map(({ name }) => name);
let conversation = 0;
const nextConversation = () => `conversation-${(conversation += 1)}`;

/** Options of the gate by kind; `bare` has none. `empty hooks` is the framework with hooks that do nothing. */
const gates = {
  bare: undefined,
  'all shown': { selection: false },
  selected: { selection: { alwaysInclude, minProbability: 1 } },
};

function aiSdkKinds(sdk, createProvider) {
  const tools = (ai) =>
    Object.fromEntries(
      catalogue.map(({ name, description, schema }) => [name, ai.tool({ description, inputSchema: schema, execute })]),
    );
  return async (base, steps) => {
    const ai = await import(sdk);
    const own = tools(ai);
    const stopWhen = (ai.isStepCount ?? ai.stepCountIs)(steps + 1);
    const messages = [{ role: 'user', content: question }];
    return mapKinds(gates, (kind, options) => {
      const model = createProvider({ baseURL: base(kind), apiKey: 'none' })(modelId);
      const gate = options === undefined ? undefined : aiSdk({ tools: own, store: memoryStore(), ...options });
      return async () => {
        const given = gate?.forTurn({ messages, conversation: nextConversation() }) ?? { tools: own, messages };
        return (await ai.generateText({ model, stopWhen, ...given })).text;
      };
    });
  };
}

function agentsKinds(Model) {
  return async (base, steps) => {
    const tools = catalogue.map(({ name, description, schema }) =>
      // Not strict: that would want every argument to be required.
      agentsTool({ name, description, parameters: schemaObject(schema), strict: false, execute }),
    );
    return mapKinds(gates, (kind, options) => {
      const model = new Model(new OpenAI({ baseURL: base(kind), apiKey: 'none' }), modelId);
      const agent = new Agent({ name: 'assistant', model, tools });
      const gate = options === undefined ? undefined : openaiAgents({ store: memoryStore(), ...options });
      return async () => {
        const given = gate?.wrap(agent, { conversation: nextConversation() }) ?? agent;
        return (await run(given, question, { maxTurns: steps + 2 })).finalOutput;
      };
    });
  };
}

function schemaObject(schema) {
  const { $schema: _, ...json } = schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' });
  return { additionalProperties: true, required: [], ...json };
}

const emptyMiddleware = {
  name: 'empty',
  wrapModelCall: async (request, handler) => await handler(request),
  wrapToolCall: async (request, handler) => await handler(request),
};

async function langchainKinds(base) {
  const tools = catalogue.map(({ name, description, schema }) => langchainTool(execute, { name, description, schema }));
  const kinds = {
    ...gates,
    'run-now': { selection: false, confirm: { siblings: 'run-now' } },
    'empty hooks': emptyMiddleware,
  };
  return mapKinds(kinds, (kind, options) => {
    const model = new ChatOpenAI({ model: modelId, apiKey: 'none', configuration: { baseURL: base(kind) } });
    const checkpointer = new MemorySaver();
    const gate = options === emptyMiddleware ? options : langchainGate({ store: memoryStore(), ...options });
    const middleware = options === undefined ? [] : [gate];
    const agent = createAgent({ model, tools, checkpointer, middleware });
    const once = async (thread) => {
      const config = { configurable: { thread_id: thread }, recursionLimit: 100 };
      const { messages } = await agent.invoke({ messages: [new HumanMessage(question)] }, config);
      return messages.at(-1).content;
    };
    let last;
    return Object.assign(async () => await once((last = nextConversation())), {
      after: async () => await checkpointer.deleteThread(last),
    });
  });
}

async function mastraKinds(base, steps) {
  const tools = Object.fromEntries(
    catalogue.map(({ name, description, schema }) => [
      name,
      createTool({ id: name, description, inputSchema: schema, execute }),
    ]),
  );
  const emptyProcessor = {
    id: 'empty',
    processInputStep: async () => ({}),
    processLLMResponse: async () => undefined,
  };
  const empty = {
    agent: {
      inputProcessors: [emptyProcessor],
      hooks: { beforeToolCall: async () => undefined, afterToolCall: async () => undefined },
    },
  };
  return mapKinds({ ...gates, 'empty hooks': empty }, (kind, options) => {
    const model = createOpenAI({ baseURL: base(kind), apiKey: 'none' })(modelId);
    let current;
    const gate =
      options === undefined || options === empty
        ? options
        : mastraGate({ store: memoryStore(), conversation: () => current, ...options });
    const agent = new MastraAgent({ id: 'a', name: 'a', instructions: 'Help.', model, tools, ...gate?.agent });
    return async () => {
      current = nextConversation();
      return (await agent.generate(question, { maxSteps: steps + 2 })).text;
    };
  });
}

function mapKinds(kinds, make) {
  return Object.fromEntries(Object.entries(kinds).map(([kind, options]) => [kind, make(kind, options)]));
}

export const frameworks = [
  { name: 'ai 6', api: 'responses', kinds: aiSdkKinds('ai6', createOpenAI6) },
  { name: 'ai 7', api: 'responses', kinds: aiSdkKinds('ai', createOpenAI) },
  { name: 'openai-agents', api: 'responses', kinds: agentsKinds(OpenAIResponsesModel) },
  { name: 'openai-agents', api: 'chat', kinds: agentsKinds(OpenAIChatCompletionsModel) },
  { name: 'langchain', api: 'chat', kinds: langchainKinds },
  { name: 'mastra', api: 'responses', kinds: mastraKinds },
];
