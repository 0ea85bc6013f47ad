// One approval, delivered twice to the AI SDK: the same messages come to the server again (a retry, a second tab).
import { memoryStore } from 'toolgate';
import { aiSdk } from 'toolgate/ai-sdk';
import { scriptedModel } from 'toolgate/testing';

export async function experiment(sdk, specificationVersion, withToolgate) {
  const ai = await import(sdk);
  let runs = 0;
  const pay = ai.tool({
    description: 'Pays',
    inputSchema: ai.jsonSchema({ type: 'object', properties: {} }),
    needsApproval: true,
    execute: async () => `payment ${(runs += 1)}`,
  });
  const model = scriptedModel(
    [{ calls: [{ toolCallId: 'call-1', toolName: 'pay' }] }, { text: 'paid' }, { text: 'paid' }],
    { specificationVersion },
  );
  const g = withToolgate ? aiSdk({ tools: { pay }, store: memoryStore() }) : undefined;
  const ask = (messages) =>
    ai.generateText({
      model,
      stopWhen: (ai.isStepCount ?? ai.stepCountIs)(5),
      ...(g === undefined ? { tools: { pay }, messages } : g.forTurn({ messages, conversation: 'c' })),
    });
  const user = { role: 'user', content: 'Pay.' };
  const first = await ask([user]);
  const { approvalId } = first.content.find(({ type }) => type === 'tool-approval-request');
  const yes = { role: 'tool', content: [{ type: 'tool-approval-response', approvalId, approved: true }] };
  const history = [user, ...(first.responseMessages ?? first.response.messages), yes];
  await ask(history);
  await ask(history);
  return runs;
}
