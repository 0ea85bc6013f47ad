// One approval, delivered twice to the OpenAI Agents SDK: the same saved state is approved and run again.
import { Agent, RunState, Usage, run, setTracingDisabled, tool } from '@openai/agents';
import { memoryStore } from 'toolgate';
import { openaiAgents } from 'toolgate/openai-agents';
import { z } from 'zod';

setTracingDisabled(true);

export async function experiment(withToolgate) {
  let runs = 0;
  const pay = tool({
    name: 'pay',
    description: 'Pays',
    parameters: z.object({}),
    needsApproval: true,
    execute: async () => `payment ${(runs += 1)}`,
  });
  const call = { type: 'function_call', name: 'pay', callId: 'call-1', arguments: '{}', status: 'completed' };
  const said = {
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: 'paid' }],
  };
  const outputs = [[call], [said], [said]];
  const model = {
    getResponse: async () => ({ usage: new Usage(), output: outputs.shift() }),
    async *getStreamedResponse() {},
  };
  const bare = new Agent({ name: 'Clerk', model, tools: [pay] });
  const agent = withToolgate ? openaiAgents({ store: memoryStore() }).wrap(bare, { conversation: 'c' }) : bare;
  const saved = (await run(agent, 'Pay.')).state.toString();
  for (let delivery = 0; delivery < 2; delivery += 1) {
    const state = await RunState.fromString(agent, saved);
    for (const item of state.getInterruptions()) state.approve(item);
    await run(agent, state);
  }
  return runs;
}
