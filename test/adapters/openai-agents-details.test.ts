import { Agent, RunState, Usage, handoff, run, tool } from '@openai/agents';
import type { ModelRequest, ModelResponse } from '@openai/agents';
import { memoryStore } from 'toolgate';
import { openaiAgents } from 'toolgate/openai-agents';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import './drivers/openai-agents.ts';

type Output = ModelResponse['output'];
const text = (said: string): Output => [
  { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: said }] },
];
const call = (name: string, input: object, callId: string): Output => [
  { type: 'function_call', name, callId, arguments: JSON.stringify(input), status: 'completed' },
];

function modelOf(...outputs: readonly Output[]) {
  const requests: ModelRequest[] = [];
  return {
    requests,
    async getResponse(request: ModelRequest): Promise<ModelResponse> {
      requests.push(request);
      return { usage: new Usage(), output: outputs[requests.length - 1] ?? text('no more') };
    },
    async *getStreamedResponse() {},
  };
}

function refundTool(ran: string[]) {
  return tool({
    name: 'refund',
    description: 'Pays money back.',
    parameters: z.object({ to: z.string() }),
    execute: async ({ to }) => {
      ran.push(to);
      return `paid ${to}`;
    },
  });
}

const origin = { conversation: 'c' };
const boss = { principal: { id: 'boss' } };
const gated = { confirm: { policy: { refund: true } } } as const;

describe('@openai/agents', () => {
  it('refuses what it could not keep', () => {
    expect(() => openaiAgents({} as never)).toThrow(/needs a store/);
    expect(() => openaiAgents({ store: memoryStore(), confirm: { siblings: 'hold' } })).toThrow(/cannot hold/);
  });

  it('says what to do about an agent that only names its model', async () => {
    const g = openaiAgents({ store: memoryStore() });
    const agent = new Agent({ name: 'A', model: 'some-model' });
    await expect(run(g.wrap(agent, origin), 'Hello')).rejects.toThrow(/modelProvider/);
    const model = modelOf(text('hello'));
    const provided = openaiAgents({ store: memoryStore(), modelProvider: { getModel: () => model } });
    expect((await run(provided.wrap(agent, origin), 'Hello')).finalOutput).toBe('hello');
  });

  it('asks about a call inside an agent that is used as a tool, with the way to it, and runs it once', async () => {
    const ran: string[] = [];
    const g = openaiAgents({ store: memoryStore(), ...gated });
    const make = () => {
      const inner = new Agent({
        name: 'Cashier',
        model: modelOf(
          ...(ran.length === 0 && state === undefined ? [call('refund', { to: 'ada' }, 'r')] : []),
          text('paid'),
        ),
        tools: [refundTool(ran)],
      });
      const cashier = g.wrap(inner, { ...origin, path: ['Clerk'] });
      return g.wrap(
        new Agent({
          name: 'Clerk',
          model: modelOf(
            ...(state === undefined ? [call('cashier', { input: 'Pay Ada back.' }, 'o')] : []),
            text('done'),
          ),
          tools: [cashier.asTool({ toolName: 'cashier', toolDescription: 'Handles money.' })],
        }),
        origin,
      );
    };
    let state: string | undefined;
    const first = await run(make(), 'Pay Ada back.', g.runOptions);
    expect(first.interruptions).toHaveLength(1);
    state = first.state.toString();
    const { items } = await g.gate.confirmations.list();
    expect(items.map(({ path }) => path)).toEqual([['Clerk']]);
    expect(items[0]?.calls[0]?.toolName).toBe('refund');
    await g.gate.confirmations.decide(items[0]?.id ?? '', { '0.r': { type: 'approve' } }, boss);
    const resume = async () => {
      const agent = make();
      const restored = await RunState.fromString(agent, state ?? '');
      expect((await g.carryDecisions(restored, origin)).waiting).toEqual([]);
      return (await run(agent, restored, g.runOptions)).finalOutput;
    };
    expect(await resume()).toBe('done');
    expect(await resume()).toBe('done');
    expect(ran).toEqual(['ada']);
  });

  it('takes an approval in a state for what was asked, not for the tool that stands in its place later', async () => {
    const ran: string[] = [];
    const store = memoryStore();
    const withTool = (description: string, ...outputs: readonly Output[]) => {
      const g = openaiAgents({ store, ...gated });
      const tools = [{ ...refundTool(ran), description }];
      return { g, agent: g.wrap(new Agent({ name: 'A', model: modelOf(...outputs), tools }), by) };
    };
    const by = { ...origin, decidedBy: boss };
    const { g, agent } = withTool('Pays money back.', call('refund', { to: 'ada' }, 'r'));
    const first = await run(agent, 'Pay Ada back.', g.runOptions);
    first.state.approve(first.interruptions[0] as never);
    const state = first.state.toString();
    for (let time = 0; time < 2; time += 1) {
      const later = withTool('Pays all the money back.', text('done'));
      await run(later.agent, await RunState.fromString(later.agent, state), later.g.runOptions);
    }
    expect(ran).toEqual([]);
  });

  it("asks a tool's own needsApproval once for each call, with the context of the run", async () => {
    const asked: unknown[] = [];
    const g = openaiAgents({ store: memoryStore() });
    const pay = tool({
      name: 'pay',
      description: 'Pays.',
      parameters: z.object({ to: z.string() }),
      needsApproval: async (context, { to }, callId) => {
        asked.push([context.context, to, callId]);
        return to === 'eve';
      },
      execute: async ({ to }) => `paid ${to}`,
    });
    const model = modelOf(call('pay', { to: 'ada' }, 'p1'), call('pay', { to: 'eve' }, 'p2'));
    const agent = g.wrap(new Agent({ name: 'A', model, tools: [pay] }), origin);
    const result = await run(agent, 'Pay.', { ...g.runOptions, context: { user: 'bob' } });
    expect(result.interruptions).toHaveLength(1);
    expect(asked).toEqual([
      [{ user: 'bob' }, 'ada', 'p1'],
      [{ user: 'bob' }, 'eve', 'p2'],
    ]);
  });

  it('selects as before while the provider keeps the conversation and is only sent what is new', async () => {
    const tools = ['one', 'two', 'three'].map((name) =>
      tool({ name, description: `Number ${name}.`, parameters: z.object({}), execute: async () => name }),
    );
    const model = modelOf(call('one', {}, 'o1'), text('done'));
    const g = openaiAgents({
      store: memoryStore(),
      selection: { minTools: 0, minTokens: 0, minProbability: 1, alwaysInclude: ['one'] },
    });
    const agent = g.wrap(new Agent({ name: 'A', model, tools }), origin);
    await run(agent, 'Hello', { ...g.runOptions, previousResponseId: 'earlier' });
    expect(model.requests.map((request) => request.tools.map(({ name }) => name))).toEqual([
      ['search_tools', 'one'],
      ['search_tools', 'one'],
    ]);
  });

  it('gates the agents that it hands off to', async () => {
    const ran: string[] = [];
    const g = openaiAgents({ store: memoryStore(), ...gated });
    const cashier = new Agent({
      name: 'Cashier',
      model: modelOf(call('refund', { to: 'ada' }, 'r')),
      tools: [refundTool(ran)],
    });
    for (const [index, target] of [cashier, handoff(cashier)].entries()) {
      const clerk = new Agent({
        name: 'Clerk',
        model: modelOf(call('transfer_to_Cashier', {}, 'h')),
        handoffs: [target],
      });
      const result = await run(g.wrap(clerk, { conversation: `c-${index}` }), 'Pay Ada back.', g.runOptions);
      expect(result.interruptions).toHaveLength(1);
      (cashier.model as ReturnType<typeof modelOf>).requests.length = 0;
    }
    expect(ran).toEqual([]);
  });
});
