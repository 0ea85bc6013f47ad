import { HumanMessage, ToolMessage } from '@langchain/core/messages';
import type { BaseMessage } from '@langchain/core/messages';
import { Command, MemorySaver } from '@langchain/langgraph';
import { createAgent, createMiddleware, tool } from 'langchain';
import type { AgentMiddleware } from 'langchain';
import { memoryStore } from 'toolgate';
import { interruptsOf, resumption, toolgate } from 'toolgate/langchain';
import type { LangchainOptions, ToolgateMiddleware } from 'toolgate/langchain';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ScriptedChatModel } from './drivers/langchain.ts';

const thread = { configurable: { thread_id: 't' } };
const go = { messages: [new HumanMessage('Go.')] };
const boss = { principal: { id: 'boss' }, via: 'test' };
const call = (toolName: string, input: unknown, toolCallId = toolName) => ({ toolName, input, toolCallId });
const three = [call('look_up', { to: 'ada' }), call('refund', { to: 'ada' }), call('wipe', { to: 'ada' })];
const policy = { refund: true, wipe: true } as const;

/** Agents over one store and one checkpointer; each `open` is another process. */
function world(calls = three) {
  const ran: string[] = [];
  const store = memoryStore();
  const checkpointer = new MemorySaver();
  const tools = (suffix = '') =>
    ['look_up', 'refund', 'wipe'].map((name) =>
      tool(
        async ({ to }: { to: string }) => {
          ran.push(`${name} ${to}`);
          return `${name} done`;
        },
        { name, description: `Does ${name}.${suffix}`, schema: z.object({ to: z.string() }) },
      ),
    );
  const open = (
    options: LangchainOptions & { readonly suffix?: string; readonly before?: readonly AgentMiddleware[] } = {},
  ) => {
    const { suffix, before = [], ...own } = options;
    const gate: ToolgateMiddleware = toolgate({ store, confirm: { policy }, ...own });
    const model = new ScriptedChatModel([{ calls }, { text: 'done' }]);
    const agent = createAgent({
      model,
      tools: tools(suffix),
      checkpointer,
      middleware: [...before, gate] as unknown as [ToolgateMiddleware],
    });
    return { agent, gate: gate.gate, model };
  };
  const approve = async () => {
    const { confirmations } = open().gate;
    for (const { id, calls: open } of (await confirmations.list({ callStates: ['awaiting'] })).items)
      for (const { key } of open) await confirmations.decide(id, { [key]: { type: 'approve' } }, boss);
  };
  return { ran, open, approve };
}

function answersOf({ messages }: { messages: BaseMessage[] }): readonly string[] {
  return messages.filter((message) => ToolMessage.isInstance(message)).map(({ text }) => text);
}

/** A process that has just been started and has the reply of the model as the next thing to run. */
function resumedModel(agent: ReturnType<ReturnType<typeof world>['open']>): void {
  agent.model.requests.push({ tools: [], forced: null, results: [] });
}

/** As a host writes it that does not use `resumption`. */
function withoutPauses({ resume }: { resume?: object }): object {
  const plain = Object.entries(resume ?? {}).map(([id, { decisions }]: [string, { decisions?: object }]) => [
    id,
    { decisions },
  ]);
  return { resume: Object.fromEntries(plain) as object };
}

describe('holding in langchain', () => {
  it('adds no node to the graph, and one interrupt for all that wait, in the state too', async () => {
    const { open } = world();
    const { agent } = open();
    const first = await agent.invoke(go, thread);
    expect(interruptsOf(first)).toHaveLength(1);
    const state = await agent.graph.getState(thread);
    expect(interruptsOf(state).map(({ value }) => value.calls.map(({ key }) => key))).toEqual([['1.refund', '2.wipe']]);
    expect(state.next).toEqual(['tools', 'tools', 'tools']);
    expect(Object.keys(agent.graph.nodes).toSorted()).toEqual(['__start__', 'model_request', 'tools']);
  });

  it.each([2, 3])('holds where only %i calls may run at a time', async (maxConcurrency) => {
    const { ran, open, approve } = world();
    const { agent } = open();
    const config = { ...thread, maxConcurrency };
    const first = await agent.invoke(go, config);
    expect(ran).toEqual([]);
    expect(interruptsOf(first)).toHaveLength(1);
    await approve();
    const last = await agent.invoke(new Command(resumption(first)), config);
    expect(ran.toSorted()).toEqual(['look_up ada', 'refund ada', 'wipe ada']);
    expect(answersOf(last)).toEqual(['look_up done', 'refund done', 'wipe done']);
  });

  it('asks again after a restart about a tool that has changed', async () => {
    const { ran, open, approve } = world();
    const first = await open().agent.invoke(go, thread);
    await approve();
    const later = open({ suffix: ' Newly described.' });
    resumedModel(later);
    const again = await later.agent.invoke(new Command(resumption(first)), thread);
    expect(ran).toEqual(['look_up ada']);
    expect(interruptsOf(again).flatMap(({ value }) => value.calls.map(({ key }) => key))).toEqual([
      '1.refund',
      '2.wipe',
    ]);
    await approve();
    await later.agent.invoke(new Command(resumption(again)), thread);
    expect(ran.toSorted()).toEqual(['look_up ada', 'refund ada', 'wipe ada']);
  });

  it('takes decisions that come with the resumption in another process', async () => {
    const { ran, open } = world();
    const origin = { principal: { id: 'caller' }, decidedBy: boss };
    const first = await open(origin).agent.invoke(go, thread);
    const later = open(origin);
    resumedModel(later);
    const half = await later.agent.invoke(new Command(resumption(first, { '2.wipe': { type: 'approve' } })), thread);
    expect(ran).toEqual([]);
    expect(interruptsOf(half).flatMap(({ value }) => value.calls.map(({ key }) => key))).toEqual(['1.refund']);
    const last = await later.agent.invoke(new Command(resumption(half, { '1.refund': { type: 'deny' } })), thread);
    expect(ran.toSorted()).toEqual(['look_up ada', 'wipe ada']);
    expect(last.messages.at(-1)?.text).toBe('done');
  });

  it.each(['hold', 'run-now'] as const)(
    'an approval that came with a resumption does not count for the tool that stands in its place later, with %s',
    async (siblings) => {
      const { ran, open } = world([call('refund', { to: 'ada' })]);
      const origin = { principal: { id: 'caller' }, decidedBy: boss, confirm: { siblings, policy } };
      const yes = { '0.refund': { type: 'approve' } } as const;
      for (const wrap of [(given: object) => given, withoutPauses]) {
        const config = { configurable: { thread_id: `t ${wrap.name}` } };
        const first = await open(origin).agent.invoke(go, config);
        const later = open({ ...origin, suffix: ' Newly described.' });
        resumedModel(later);
        const second = await later.agent.invoke(new Command(wrap(resumption(first, yes))), config);
        // Nobody has said anything of what is asked now, but LangGraph gives the first answer again.
        const third = await later.agent.invoke(new Command(wrap(resumption(second))), config);
        expect(ran).toEqual([]);
        await later.agent.invoke(new Command(resumption(third, yes)), config);
        expect(ran.splice(0)).toEqual(['refund ada']);
      }
    },
  );

  it('runs each call once when the same resumption comes twice at once', async () => {
    const { ran, open, approve } = world();
    const first = await open().agent.invoke(go, thread);
    await approve();
    const processes = [open(), open()];
    for (const one of processes) resumedModel(one);
    await Promise.allSettled(
      processes.map(async ({ agent }) => await agent.invoke(new Command(resumption(first)), thread)),
    );
    expect(ran.toSorted()).toEqual(['look_up ada', 'refund ada', 'wipe ada']);
  });

  it('loses nothing when the first call comes last, behind another middleware', async () => {
    const { ran, open, approve } = world();
    const slow = createMiddleware({
      name: 'slow',
      wrapToolCall: async (request, handler) => {
        if (request.toolCall.name === 'look_up') await new Promise((resolve) => setTimeout(resolve, 20));
        return await handler(request);
      },
    });
    const { agent } = open({ before: [slow] });
    let result: object = await agent.invoke(go, thread);
    expect(ran).toEqual([]);
    expect(interruptsOf(result).length).toBeGreaterThan(0);
    await approve();
    result = await agent.invoke(new Command(resumption(result)), thread);
    expect(interruptsOf(result)).toEqual([]);
    expect(ran.toSorted()).toEqual(['look_up ada', 'refund ada', 'wipe ada']);
    expect((result as { messages: BaseMessage[] }).messages.at(-1)?.text).toBe('done');
  });

  it.each([
    ['that has just been started says that it is to be called again', false, /Call it again/],
    ['that has served another conversation runs it', true, /wipe/],
  ])('a held search in another process: one %s', async (_, hasServed, answer) => {
    const { ran, open, approve } = world([call('search_tools', { query: 'wipe' }), call('refund', { to: 'ada' })]);
    const selection = { alwaysInclude: ['refund'], minProbability: 1, minTools: 0, minTokens: 0 };
    const first = await open({ selection }).agent.invoke(go, thread);
    expect(interruptsOf(first)).toHaveLength(1);
    await approve();
    const later = open({ selection });
    if (hasServed) await later.agent.invoke(go, { configurable: { thread_id: 'other' } });
    else resumedModel(later);
    const last = await later.agent.invoke(new Command(resumption(first)), thread);
    expect(ran).toEqual(['refund ada']);
    expect(answersOf(last)).toEqual([expect.stringMatching(answer), 'refund done']);
  });
});
