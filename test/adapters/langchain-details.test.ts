import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import type { BaseMessage } from '@langchain/core/messages';
import { Command, MemorySaver } from '@langchain/langgraph';
import { createAgent, fakeModel, tool } from 'langchain';
import { memoryStore } from 'toolgate';
import { interruptsOf, resumption, toolgate } from 'toolgate/langchain';
import type { LangchainOptions } from 'toolgate/langchain';
import { scriptedDecisionModel } from 'toolgate/testing';
import type { ScriptedStep } from 'toolgate/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ScriptedChatModel } from './drivers/langchain.ts';

const thread = { configurable: { thread_id: 't' } };
const go = { messages: [new HumanMessage('Go.')] };
const call = (toolName: string, input: unknown, toolCallId = toolName) => ({ toolName, input, toolCallId });

function bank(ran: string[]) {
  const make = (name: string) =>
    tool(
      async ({ to }: { to: string }) => {
        ran.push(`${name} ${to}`);
        return `${name} done`;
      },
      { name, description: `Does ${name}.`, schema: z.object({ to: z.string() }) },
    );
  return [make('refund'), make('wipe'), make('look_up')];
}

function agentOf(script: readonly ScriptedStep[], options: LangchainOptions, tools = bank([]) as never[]) {
  const middleware = toolgate(options);
  const model = new ScriptedChatModel(script);
  const agent = createAgent({ model, tools, checkpointer: new MemorySaver(), middleware: [middleware] });
  return { agent, model, gate: middleware.gate };
}

function toolTexts(messages: readonly BaseMessage[]): Record<string, string> {
  return Object.fromEntries(
    messages
      .filter((message) => ToolMessage.isInstance(message))
      .map((message) => [message.tool_call_id, message.text]),
  );
}

const gated = { policy: { refund: true, wipe: true } } as const;
const boss = { principal: { id: 'boss' }, via: 'test' };
const mixed: readonly ScriptedStep[] = [
  { calls: [call('look_up', { to: 'ada' }), call('refund', { to: 'ada' }), call('wipe', { to: 'ada' })] },
  { text: 'done' },
];

describe('langchain', () => {
  it('takes three lines: a middleware beside the tools, with no thread and no store', async () => {
    const ran: string[] = [];
    const model = fakeModel()
      .respondWithTools([{ name: 'refund', args: { to: 'ada' }, id: 'r' }])
      .respond(new AIMessage('done'));
    const agent = createAgent({ model, tools: bank(ran), middleware: [toolgate()] });
    const result = await agent.invoke(go);
    expect(result.messages.at(-1)?.text).toBe('done');
    expect(ran).toEqual(['refund ada']);
  });

  it('asks once for a user message, also without a thread', async () => {
    const decisionModel = scriptedDecisionModel({ scores: { refund: 0.9 } });
    const model = new ScriptedChatModel([
      { calls: [call('refund', { to: 'ada' }, 'a')] },
      { calls: [call('refund', { to: 'bob' }, 'b')] },
      { text: 'done' },
    ]);
    const selection = { decisionModel, minProbability: 0.5, minTools: 0, minTokens: 0 };
    await createAgent({ model, tools: bank([]), middleware: [toolgate({ selection })] }).invoke(go);
    expect(decisionModel.requests).toHaveLength(1);
    expect(model.requests.map(({ tools }) => tools)).toEqual(
      Array.from({ length: 3 }, () => ['search_tools', 'refund']),
    );
  });

  it('holds the free calls of a reply while one waits, and runs them with the others', async () => {
    const ran: string[] = [];
    const { agent, gate } = agentOf(mixed, { store: memoryStore(), confirm: gated }, bank(ran) as never[]);
    const first = await agent.invoke(go, thread);
    expect(ran).toEqual([]);
    expect(interruptsOf(first)[0]?.value.calls.map(({ key, arguments: args }) => [key, args])).toEqual([
      ['1.refund', { to: 'ada' }],
      ['2.wipe', { to: 'ada' }],
    ]);
    for (const { id, calls } of (await gate.confirmations.list()).items)
      for (const { key, toolName } of calls)
        await gate.confirmations.decide(id, { [key]: { type: toolName === 'refund' ? 'deny' : 'approve' } }, boss);
    const second = await agent.invoke(new Command(resumption(first)), thread);
    expect(ran.toSorted()).toEqual(['look_up ada', 'wipe ada']);
    expect(Object.keys(toolTexts(second.messages))).toEqual(['look_up', 'refund', 'wipe']);
    expect(second.messages.at(-1)?.text).toBe('done');
  });

  it('runs the free calls at once where that is asked for, and once over all resumptions', async () => {
    const ran: string[] = [];
    const confirm = { ...gated, siblings: 'run-now' } as const;
    const { agent, gate } = agentOf(mixed, { store: memoryStore(), confirm }, bank(ran) as never[]);
    const first = await agent.invoke(go, thread);
    expect(ran).toEqual(['look_up ada']);
    expect(interruptsOf(first)).toHaveLength(2);
    for (const { id, calls } of (await gate.confirmations.list()).items)
      for (const { key } of calls) await gate.confirmations.decide(id, { [key]: { type: 'approve' } }, boss);
    await agent.invoke(new Command(resumption(first)), thread);
    expect(ran.toSorted()).toEqual(['look_up ada', 'refund ada', 'wipe ada']);
  });

  it.each(['hold', 'run-now'] as const)('runs free calls once where one node runs them all (%s)', async (siblings) => {
    const ran: string[] = [];
    const gate = toolgate({ store: memoryStore(), confirm: { ...gated, siblings } });
    const agent = createAgent({
      model: new ScriptedChatModel(mixed),
      tools: bank(ran),
      checkpointer: new MemorySaver(),
      middleware: [gate],
      version: 'v1',
    });
    let result: object = await agent.invoke(go, thread);
    // One interrupt after the other in one node.
    for (let round = 0; round < 2 && interruptsOf(result).length > 0; round += 1) {
      for (const { id, calls } of (await gate.gate.confirmations.list({ callStates: ['awaiting'] })).items)
        for (const { key } of calls) await gate.gate.confirmations.decide(id, { [key]: { type: 'approve' } }, boss);
      result = await agent.invoke(new Command(resumption(result)), thread);
    }
    expect(ran.toSorted()).toEqual(['look_up ada', 'refund ada', 'wipe ada']);
    expect(toolTexts((result as { messages: BaseMessage[] }).messages)).toEqual({
      look_up: 'look_up done',
      refund: 'refund done',
      wipe: 'wipe done',
    });
  });

  it('learns the tools of each agent that shares it', async () => {
    const store = memoryStore();
    const saver = new MemorySaver();
    const ran: string[] = [];
    const script = [{ calls: [call('look_up', { to: 'ada' }), call('refund', { to: 'ada' })] }, { text: 'done' }];
    const open = (gate: ReturnType<typeof toolgate>, model: ScriptedChatModel) =>
      createAgent({ model, tools: bank(ran), checkpointer: saver, middleware: [gate] });
    const first = toolgate({ store, confirm: gated });
    const waits = await open(first, new ScriptedChatModel(script)).invoke(go, thread);
    // Another process, whose middleware has so far served an agent with other tools.
    const second = toolgate({ store, confirm: gated });
    await createAgent({ model: new ScriptedChatModel([{ text: 'hello' }]), tools: [], middleware: [second] }).invoke(
      go,
      {
        configurable: { thread_id: 'other' },
      },
    );
    for (const { id, calls } of (await second.gate.confirmations.list({ callStates: ['awaiting'] })).items)
      for (const { key } of calls) await second.gate.confirmations.decide(id, { [key]: { type: 'approve' } }, boss);
    const resumed = new ScriptedChatModel([{ text: 'done' }], 'later');
    const result = await open(second, resumed).invoke(new Command(resumption(waits)), thread);
    expect(ran.toSorted()).toEqual(['look_up ada', 'refund ada']);
    expect(resumed.requests).toHaveLength(1);
    expect(toolTexts(result.messages)).toEqual({ look_up: 'look_up done', refund: 'refund done' });
  });

  it('takes decisions by key with the resumption, as said by who is named', async () => {
    const ran: string[] = [];
    const options = { store: memoryStore(), confirm: gated, principal: { id: 'caller' }, decidedBy: boss };
    const { agent, gate } = agentOf(mixed, options, bank(ran) as never[]);
    const first = await agent.invoke(go, thread);
    const half = await agent.invoke(
      new Command(resumption(first, { '2.wipe': { type: 'approve', arguments: { to: 'eve' } } })),
      thread,
    );
    expect(ran).toEqual([]);
    expect(interruptsOf(half)[0]?.value.calls.map(({ key }) => key)).toEqual(['1.refund']);
    const last = await agent.invoke(
      new Command(resumption(half, { '1.refund': { type: 'deny', message: 'Not today.' } })),
      thread,
    );
    expect(ran.toSorted()).toEqual(['look_up ada', 'wipe eve']);
    expect(toolTexts(last.messages)['refund']).toContain('Not today.');
    const { items } = await gate.confirmations.list();
    expect(items.flatMap(({ calls }) => calls.flatMap(({ decision }) => decision?.by?.principal.id ?? []))).toEqual([
      'boss',
      'boss',
    ]);
  });

  it('reads who asks from the context of the run, the same in every hook', async () => {
    const ran: string[] = [];
    const gate = toolgate({
      store: memoryStore(),
      confirm: gated,
      contextSchema: z.object({ user: z.string() }),
      principal: ({ context }) => ({ id: (context as { user: string }).user }),
    });
    const agent = createAgent({
      model: new ScriptedChatModel(mixed),
      tools: bank(ran),
      checkpointer: new MemorySaver(),
      contextSchema: z.object({ user: z.string(), other: z.number() }),
      middleware: [gate],
    });
    const config = { ...thread, context: { user: 'ada', other: 1 } };
    const first = await agent.invoke(go, config);
    const { items } = await gate.gate.confirmations.list({ callStates: ['awaiting'] });
    expect(items.map(({ identity }) => identity.principal)).toEqual(['ada', 'ada']);
    for (const { id, calls } of items)
      for (const { key } of calls) await gate.gate.confirmations.decide(id, { [key]: { type: 'approve' } }, boss);
    await agent.invoke(new Command(resumption(first)), config);
    expect(ran.toSorted()).toEqual(['look_up ada', 'refund ada', 'wipe ada']);
  });

  it('works without a store with decisions in the resumption, call by call', async () => {
    const ran: string[] = [];
    const { agent } = agentOf(mixed, { confirm: gated }, bank(ran) as never[]);
    const first = await agent.invoke(go, thread);
    expect(ran).toEqual(['look_up ada']);
    const last = await agent.invoke(
      new Command(resumption(first, { '1.refund': { type: 'deny', message: 'No.' }, '2.wipe': { type: 'approve' } })),
      thread,
    );
    expect(ran.toSorted()).toEqual(['look_up ada', 'wipe ada']);
    expect(toolTexts(last.messages)['refund']).toContain('No.');
    expect(() => toolgate({ confirm: { siblings: 'hold' } })).toThrow(/needs a store/);
  });

  it('answers the calls of an open pause when the user writes something new', async () => {
    const ran: string[] = [];
    const script = [{ calls: [call('refund', { to: 'ada' })] }, { text: 'As you like.' }];
    const { agent, model, gate } = agentOf(script, { store: memoryStore(), confirm: gated }, bank(ran) as never[]);
    await agent.invoke(go, thread);
    const result = await agent.invoke({ messages: [new HumanMessage('Never mind.')] }, thread);
    expect(result.messages.at(-1)?.text).toBe('As you like.');
    expect(model.requests[1]?.results).toEqual([
      { toolCallId: 'refund', text: expect.stringContaining('newer message') },
    ]);
    expect((await gate.confirmations.list()).items[0]?.calls[0]?.state).toBe('superseded');
    expect(ran).toEqual([]);
  });

  it('does not run what a cut-off text can be mended to', async () => {
    const ran: string[] = [];
    const { agent } = agentOf(
      [{ calls: [call('refund', '{"to":"ada', 'r')] }, { text: 'done' }],
      {},
      bank(ran) as never[],
    );
    for await (const _ of await agent.stream(go, { ...thread, streamMode: 'messages' }));
    const { values } = (await agent.graph.getState(thread)) as { values: { messages: BaseMessage[] } };
    expect(ran).toEqual([]);
    expect(toolTexts(values.messages)['r']).toMatch(/JSON/);
  });

  it('lets policies see defaults, and applies a transform once', async () => {
    const seen: unknown[] = [];
    const ran: unknown[] = [];
    const pay = tool(
      async (args) => {
        ran.push(args);
        return 'paid';
      },
      {
        name: 'pay',
        description: 'Pays.',
        schema: z.object({ amount: z.number().default(500), day: z.string().transform((text) => `${text}!`) }),
      },
    );
    const policy = {
      pay: (args: { amount: number }) => {
        seen.push(args.amount);
        return false;
      },
    };
    const { agent } = agentOf([{ calls: [call('pay', { day: 'mon' })] }, { text: 'done' }], { confirm: { policy } }, [
      pay,
    ] as never[]);
    await agent.invoke(go, thread);
    expect(seen).toContain(500);
    expect(ran).toEqual([{ amount: 500, day: 'mon!' }]);
  });

  it('hands on a command that a tool gives in place of a message', async () => {
    const steer = tool(
      async (_: unknown, config: { readonly toolCall?: { readonly id?: string } }) =>
        new Command({
          update: { messages: [new ToolMessage({ content: 'steered', tool_call_id: config.toolCall?.id ?? '' })] },
        }),
      { name: 'steer', description: 'Steers.', schema: z.object({}) },
    );
    const { agent } = agentOf([{ calls: [call('steer', {})] }, { text: 'done' }], { store: memoryStore() }, [
      steer,
    ] as never[]);
    const result = await agent.invoke(go, thread);
    expect(toolTexts(result.messages)).toEqual({ steer: 'steered' });
  });

  it('goes on inside an agent that is a tool, without doing anything twice', async () => {
    const ran: string[] = [];
    const store = memoryStore();
    const inner = createAgent({
      model: new ScriptedChatModel(
        [{ calls: [call('look_up', { to: 'ada' }), call('refund', { to: 'ada' })] }, { text: 'inner done' }],
        'inner',
      ),
      tools: bank(ran),
      middleware: [toolgate({ store, confirm: gated, conversation: 'inner' })],
    });
    const ask = tool(async () => (await inner.invoke(go)).messages.at(-1)?.text ?? '', {
      name: 'ask',
      description: 'Asks another agent.',
      schema: z.object({}),
    });
    const { agent, gate } = agentOf([{ calls: [call('ask', {})] }, { text: 'outer done' }], { store }, [
      ask,
    ] as never[]);
    const first = await agent.invoke(go, thread);
    expect(interruptsOf(first)[0]?.value.calls.map(({ toolName }) => toolName)).toEqual(['refund']);
    const open = (await gate.confirmations.list({ conversation: 'inner', callStates: ['awaiting'] })).items;
    for (const { id, calls } of open)
      for (const { key } of calls) await gate.confirmations.decide(id, { [key]: { type: 'approve' } }, boss);
    const result = await agent.invoke(new Command(resumption(first)), thread);
    expect(result.messages.at(-1)?.text).toBe('outer done');
    expect(toolTexts(result.messages)).toEqual({ ask: 'inner done' });
    expect(ran.toSorted()).toEqual(['look_up ada', 'refund ada']);
  });
});
