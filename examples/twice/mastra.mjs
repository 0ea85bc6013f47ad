// One approval, delivered twice at once to Mastra: two requests approve the same call of one run.
import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { memoryStore } from 'toolgate';
import { toolgate } from 'toolgate/mastra';
import { scriptedModel } from 'toolgate/testing';
import { z } from 'zod';

export async function experiment(withToolgate) {
  let runs = 0;
  const pay = createTool({
    id: 'pay',
    description: 'Pays',
    inputSchema: z.object({}),
    requireApproval: !withToolgate,
    execute: async () => ({ payment: (runs += 1) }),
  });
  const model = scriptedModel(
    [{ calls: [{ toolCallId: 'call-1', toolName: 'pay' }] }, { text: 'paid' }, { text: 'paid' }],
    { specificationVersion: 'v3' },
  );
  const gate = toolgate({ store: memoryStore(), conversation: 'c', confirm: { policy: { pay: true } } });
  const clerk = new Agent({
    id: 'clerk',
    name: 'clerk',
    instructions: '',
    model,
    tools: { pay },
    ...(withToolgate ? gate.agent : {}),
  });
  const agent = new Mastra({ agents: { clerk }, storage: new InMemoryStore(), logger: false }).getAgent('clerk');
  await agent.generate('Pay.', { maxSteps: 5 });
  const { runs: suspended } = await agent.listSuspendedRuns();
  const { runId, toolCalls } = suspended[0];
  const deliver = withToolgate
    ? () => gate.resume(agent, runId)
    : () => agent.approveToolCallGenerate({ runId, toolCallId: toolCalls[0].toolCallId });
  if (withToolgate) {
    const { items } = await gate.gate.confirmations.list();
    await gate.gate.confirmations.decide(
      items[0].id,
      { '0.call-1': { type: 'approve' } },
      { principal: { id: 'ann' } },
    );
  }
  await Promise.allSettled([deliver(), deliver()]);
  return runs;
}
