// What an adapter adds to a step of its framework: 100 tools, a scripted model, runs of ten steps with one tool call each, bare and
// with toolgate by turns in one process. Prints milliseconds per step (median of the rounds) and the difference in per cent.
import { Agent, Usage, run, setTracingDisabled, tool as agentsTool } from '@openai/agents';
import { memoryStore } from 'toolgate';
import { aiSdk } from 'toolgate/ai-sdk';
import { openaiAgents } from 'toolgate/openai-agents';
import { scriptedModel } from 'toolgate/testing';
import { z } from 'zod';
import { measureSteps } from './measure-steps.mjs';

globalThis.AI_SDK_LOG_WARNINGS = false;
setTracingDisabled(true);
const steps = 10;
const rounds = Number(process.argv[2] ?? 30);
const names = Array.from({ length: 100 }, (_, index) => `tool_${index}`);
const descriptionOf = (name) =>
  `Does what ${name} is for: reads the record of a customer, changes it and says what was changed.`;
const inputSchema = z.object({
  customer: z.string(),
  fields: z.array(z.string()).optional(),
  note: z.string().optional(),
});
let conversation = 0;

function script() {
  const calls = Array.from({ length: steps - 1 }, (_, index) => ({
    calls: [{ toolCallId: `c${index}`, toolName: names[index], input: { customer: 'ada' } }],
  }));
  return [...calls, { text: 'done' }];
}

async function aiSdkRuns(sdk, specificationVersion) {
  const ai = await import(sdk);
  const tools = Object.fromEntries(
    names.map((name) => [name, ai.tool({ description: descriptionOf(name), inputSchema, execute: async () => 'ok' })]),
  );
  const generate = async (settings) =>
    await ai.generateText({
      model: scriptedModel(script(), { specificationVersion }),
      stopWhen: (ai.isStepCount ?? ai.stepCountIs)(steps + 1),
      ...settings,
    });
  const messages = [{ role: 'user', content: 'Change the records of the customer ada.' }];
  const all = aiSdk({ tools, store: memoryStore(), selection: false });
  const selecting = aiSdk({ tools, store: memoryStore(), selection: { alwaysInclude: names.slice(0, 10) } });
  return {
    bare: async () => await generate({ tools, messages }),
    'all shown': async () => await generate(all.forTurn({ messages, conversation: `c${(conversation += 1)}` })),
    selected: async () => await generate(selecting.forTurn({ messages, conversation: `c${(conversation += 1)}` })),
  };
}

function agentsRuns() {
  const tools = names.map((name) =>
    agentsTool({
      name,
      description: descriptionOf(name),
      parameters: z.object({ customer: z.string() }),
      execute: async () => 'ok',
    }),
  );
  const make = () => {
    const replies = script();
    let at = 0;
    const getResponse = async () => {
      const { text, calls = [] } = replies[at++];
      const output = calls.map(({ toolName, toolCallId, input }) => ({
        type: 'function_call',
        name: toolName,
        callId: toolCallId,
        arguments: JSON.stringify(input),
        status: 'completed',
      }));
      if (text !== undefined)
        output.push({
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text }],
        });
      return { usage: new Usage(), output };
    };
    return new Agent({ name: 'A', model: { getResponse, async *getStreamedResponse() {} }, tools });
  };
  const all = openaiAgents({ store: memoryStore(), selection: false });
  const selecting = openaiAgents({ store: memoryStore(), selection: { alwaysInclude: names.slice(0, 10) } });
  const go = async (agent) => await run(agent, 'Change the records of the customer ada.', { maxTurns: steps + 2 });
  return {
    bare: async () => await go(make()),
    'all shown': async () => await go(all.wrap(make(), { conversation: `c${(conversation += 1)}` })),
    selected: async () => await go(selecting.wrap(make(), { conversation: `c${(conversation += 1)}` })),
  };
}

await measureSteps('ai 6', await aiSdkRuns('ai6', 'v3'), { rounds, steps });
await measureSteps('ai 7', await aiSdkRuns('ai', 'v4'), { rounds, steps });
await measureSteps('openai-agents', agentsRuns(), { rounds, steps });
