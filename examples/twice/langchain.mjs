// One approval, delivered twice at once to LangChain: two requests resume the same interrupt of one thread.
import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { Command, MemorySaver } from '@langchain/langgraph';
import { createAgent, fakeModel, humanInTheLoopMiddleware, tool } from 'langchain';
import { memoryStore } from 'toolgate';
import { resumption, toolgate } from 'toolgate/langchain';

export async function experiment(withToolgate) {
  let runs = 0;
  const pay = tool(async () => `payment ${(runs += 1)}`, {
    name: 'pay',
    description: 'Pays',
    schema: { type: 'object', properties: {} },
  });
  const model = fakeModel()
    .respondWithTools([{ name: 'pay', args: {}, id: 'call-1' }])
    .respond(new AIMessage('paid'))
    .respond(new AIMessage('paid'));
  const gate = toolgate({ store: memoryStore(), confirm: { policy: { pay: true } } });
  const agent = createAgent({
    model,
    tools: [pay],
    checkpointer: new MemorySaver(),
    middleware: [withToolgate ? gate : humanInTheLoopMiddleware({ interruptOn: { pay: true } })],
  });
  const config = { configurable: { thread_id: 'c' } };
  await agent.invoke({ messages: [new HumanMessage('Pay.')] }, config);
  const state = await agent.graph.getState(config);
  const { value } = state.tasks.flatMap(({ interrupts }) => interrupts)[0];
  const yes = withToolgate
    ? resumption(state, Object.fromEntries(value.calls.map(({ key }) => [key, { type: 'approve' }])))
    : { resume: { decisions: [{ type: 'approve' }] } };
  await Promise.allSettled([1, 2].map(() => agent.invoke(new Command(yes), config)));
  return runs;
}
