import { Agent, RunState, Usage, run, tool } from '@openai/agents';
import type { AgentInputItem, Model, ModelRequest, ModelResponse, StreamEvent } from '@openai/agents';
import { memoryStore } from 'toolgate';
import { openaiAgents } from 'toolgate/openai-agents';
import type { OpenAIAgentsOptions } from 'toolgate/openai-agents';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import './drivers/openai-agents.ts';

type Output = ModelResponse['output'];
const text = (said: string): Output => [
  { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: said }] },
];
/** A search as the Responses API gives it. */
const search = (query: string, id: string): Output => [
  {
    type: 'tool_search_call',
    id: `tsc_${id}`,
    status: 'completed',
    arguments: { query },
    providerData: { call_id: id, execution: 'client' },
  },
];
/** A call of a tool that a search has loaded: the API puts it into a namespace of its own name. */
const call = (name: string, input: object, callId: string, namespace: string | null = name): Output => [
  {
    type: 'function_call',
    name,
    callId,
    arguments: JSON.stringify(input),
    status: 'completed',
    ...(namespace === null ? {} : { namespace }),
  },
];

class ScriptedModel implements Model {
  readonly requests: ModelRequest[] = [];
  readonly #outputs: readonly Output[];

  constructor(...outputs: readonly Output[]) {
    this.#outputs = outputs;
  }

  async getResponse(request: ModelRequest): Promise<ModelResponse> {
    const { signal: _signal, ...rest } = request;
    this.requests.push(structuredClone(rest));
    const position = this.requests.length - 1;
    return {
      usage: new Usage(),
      responseId: `response-${position}`,
      output: structuredClone(this.#outputs[position] ?? text('no more')),
    };
  }

  async *getStreamedResponse(request: ModelRequest): AsyncIterable<StreamEvent> {
    const { output } = await this.getResponse(request);
    yield { type: 'response_started' };
    yield {
      type: 'response_done',
      response: { id: 'r', usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 }, output },
    } as StreamEvent;
  }
}

const others = ['weather', 'calendar', 'translate', 'music', 'alarm'].map((name) =>
  tool({
    name,
    description: `Everything about ${name}.`,
    parameters: z.object({ what: z.string() }),
    execute: async () => name,
  }),
);

function refundTool(ran: string[]) {
  return tool({
    name: 'refund_invoice',
    description: 'Pays the money of an invoice back to a customer.',
    parameters: z.object({ to: z.string() }),
    execute: async ({ to }) => {
      ran.push(to);
      return `paid ${to}`;
    },
  });
}

const origin = { conversation: 'c' };
const options = {
  store: memoryStore(),
  nativeSearch: true,
  selection: { minTools: 0, minTokens: 0, alwaysInclude: ['weather'], minProbability: 1 },
} satisfies OpenAIAgentsOptions;
const make = (model: Model, ran: string[]) => new Agent({ name: 'A', model, tools: [...others, refundTool(ran)] });
const toolsOf = (request: ModelRequest | undefined) => request?.tools.map(({ name }) => name);
const itemsOf = (request: ModelRequest | undefined, type: string) =>
  (request?.input as AgentInputItem[]).filter((item) => item.type === type);

const searchThenRefund = () =>
  new ScriptedModel(search('refund invoice', 's1'), call('refund_invoice', { to: 'ada' }, 'r1'), text('done'));

describe("OpenAI's own tool search, executed by the gate", () => {
  it('gives the search in place of a function, and what it finds as definitions behind the conversation', async () => {
    const ran: string[] = [];
    const model = new ScriptedModel(
      search('pay the money back', 's1'),
      call('refund_invoice', { to: 'ada' }, 'r1'),
      text('done'),
    );
    const g = openaiAgents({ ...options, store: memoryStore() });
    const result = await run(g.wrap(make(model, ran), origin), 'Hello', g.runOptions);
    expect(result.finalOutput).toBe('done');
    expect(ran).toEqual(['ada']);
    expect(model.requests.map(toolsOf)).toEqual(Array.from({ length: 3 }, () => ['tool_search', 'weather']));
    expect(model.requests[0]?.tools).toEqual(model.requests[2]?.tools);
    expect(model.requests[0]?.tools[0]).toMatchObject({
      type: 'hosted_tool',
      providerData: { type: 'tool_search', execution: 'client', parameters: { required: ['query'] } },
    });
    expect(itemsOf(model.requests[1], 'tool_search_call')).toMatchObject([
      { arguments: { query: 'pay the money back' } },
    ]);
    expect(JSON.stringify(itemsOf(model.requests[1], 'tool_search_call'))).not.toContain('paths');
    const [found] = itemsOf(model.requests[1], 'tool_search_output') as unknown as [{ tools: { name: string }[] }];
    expect(found.tools).toContainEqual(
      expect.objectContaining({ type: 'function', name: 'refund_invoice', deferLoading: true }),
    );
    expect(found).toMatchObject({ providerData: { call_id: 's1', execution: 'client' } });
  });

  it('goes on after a reply that says something beside its search', async () => {
    const ran: string[] = [];
    const model = new ScriptedModel(
      [...text('Let me look.'), ...search('refund', 's1')],
      call('refund_invoice', { to: 'ada' }, 'r1'),
      text('done'),
    );
    const g = openaiAgents({ ...options, store: memoryStore() });
    expect((await run(g.wrap(make(model, ran), origin), 'Hello', g.runOptions)).finalOutput).toBe('done');
    expect(ran).toEqual(['ada']);
  });

  it('keeps what was found for the next message, and in another process that has the history', async () => {
    const ran: string[] = [];
    const first = new ScriptedModel(search('refund invoice', 's1'), text('Found it.'));
    const g = openaiAgents({ ...options, store: memoryStore() });
    const before = await run(g.wrap(make(first, ran), origin), 'Hello', g.runOptions);
    const history: AgentInputItem[] = JSON.parse(JSON.stringify(before.history));
    for (const [index, other] of [g, openaiAgents({ ...options, store: memoryStore() })].entries()) {
      const model = new ScriptedModel(call('refund_invoice', { to: `ada ${index}` }, `r${index}`), text('done'));
      const input: AgentInputItem[] = [...history, { role: 'user', content: 'Do it.' }];
      await run(other.wrap(make(model, ran), origin), input, other.runOptions);
      expect(toolsOf(model.requests[0])).toEqual(['tool_search', 'weather']);
      expect(itemsOf(model.requests[0], 'tool_search_output')).toHaveLength(1);
    }
    expect(ran).toEqual(['ada 0', 'ada 1']);
  });

  it('shows a found tool again when the conversation does not hold its definition any more', async () => {
    const g = openaiAgents({ ...options, store: memoryStore() });
    await run(
      g.wrap(make(new ScriptedModel(search('refund invoice', 's1'), text('ok')), []), origin),
      'Hello',
      g.runOptions,
    );
    const ran: string[] = [];
    const model = new ScriptedModel(call('refund_invoice', { to: 'ada' }, 'r', null), text('done'));
    await run(g.wrap(make(model, ran), origin), 'Do it.', g.runOptions);
    expect(toolsOf(model.requests[0])).toContain('refund_invoice');
    expect(ran).toEqual(['ada']);
  });

  it('does not list it while the provider keeps the conversation', async () => {
    const ran: string[] = [];
    const model = searchThenRefund();
    const g = openaiAgents({ ...options, store: memoryStore() });
    await run(g.wrap(make(model, ran), origin), 'Hello', { ...g.runOptions, previousResponseId: 'earlier' });
    expect(ran).toEqual(['ada']);
    expect(model.requests.map(toolsOf)).toEqual(Array.from({ length: 3 }, () => ['tool_search', 'weather']));
    // The output is new to the provider, so it is sent, once.
    expect(model.requests.map((request) => itemsOf(request, 'tool_search_output').length)).toEqual([0, 1, 0]);
  });

  it('runs nothing that was neither shown nor found, however it is called', async () => {
    for (const namespace of [null, 'refund_invoice']) {
      const ran: string[] = [];
      const model = new ScriptedModel(
        call('refund_invoice', { to: 'ada' }, 'r1', namespace),
        search('music', 's1'),
        call('refund_invoice', { to: 'ada' }, 'r2', 'refund_invoice'),
        text('done'),
      );
      const g = openaiAgents({ ...options, store: memoryStore(), confirm: { hidden: 'refuse' } });
      const result = await run(g.wrap(make(model, ran), origin), 'Hello', g.runOptions);
      expect(result.finalOutput).toBe('done');
      expect(ran).toEqual([]);
    }
  });

  it('loads nothing that the model names in place of searching, and nothing that is not allowed', async () => {
    const ran: string[] = [];
    const forged = search('music', 's1').map((item) => ({
      ...item,
      arguments: { query: 'music', paths: ['refund_invoice'] },
    })) as Output;
    const model = new ScriptedModel(forged, search('refund invoice', 's2'), text('done'));
    const g = openaiAgents({ ...options, store: memoryStore(), allow: ({ name }) => name !== 'refund_invoice' });
    await run(g.wrap(make(model, ran), origin), 'Hello', g.runOptions);
    expect(JSON.stringify(model.requests)).not.toContain('refund_invoice"');
  });

  it('puts a found tool before a person, over a restart, and runs it once', async () => {
    for (const inState of [false, true]) {
      const ran: string[] = [];
      const store = memoryStore();
      const confirm = { policy: { refund_invoice: true } };
      const first = openaiAgents({ ...options, store, confirm });
      const model = new ScriptedModel(search('refund invoice', 's1'), call('refund_invoice', { to: 'ada' }, 'r1'));
      const result = await run(first.wrap(make(model, ran), origin), 'Pay Ada back.', first.runOptions);
      expect(result.interruptions).toHaveLength(1);
      const saved = result.state.toString();
      const resume = async () => {
        const g = openaiAgents({ ...options, store, confirm });
        const next = new ScriptedModel(text('done'));
        const agent = g.wrap(make(next, ran), origin);
        const state = await RunState.fromString(agent, saved);
        if (inState) for (const item of state.getInterruptions()) state.approve(item);
        else expect((await g.carryDecisions(state, origin)).waiting).toEqual([]);
        return { output: (await run(agent, state, g.runOptions)).finalOutput, request: next.requests[0] };
      };
      if (!inState) {
        const { items } = await first.gate.confirmations.list();
        const by = { principal: { id: 'boss' } };
        await first.gate.confirmations.decide(items[0]?.id ?? '', { '0.r1': { type: 'approve' } }, by);
      }
      const { output, request } = await resume();
      expect(output).toBe('done');
      expect(toolsOf(request)).toEqual(['tool_search', 'weather']);
      expect((await resume()).output).toBe('done');
      expect(ran).toEqual(['ada']);
    }
  });

  it('works with a streamed run', async () => {
    const ran: string[] = [];
    const model = searchThenRefund();
    const g = openaiAgents({ ...options, store: memoryStore() });
    const result = await run(g.wrap(make(model, ran), origin), 'Hello', { ...g.runOptions, stream: true });
    for await (const event of result) expect(event).toBeDefined();
    expect(result.finalOutput).toBe('done');
    expect(ran).toEqual(['ada']);
  });

  it('always shows agents that are tools, which the runner knows by identity', async () => {
    const inner = new Agent({ name: 'Inner', model: new ScriptedModel(text('inner done')) });
    const model = new ScriptedModel(call('ask_inner', { input: 'x' }, 'o', null), text('done'));
    const agent = new Agent({
      name: 'A',
      model,
      tools: [...others, inner.asTool({ toolName: 'ask_inner', toolDescription: 'Knows things.' })],
    });
    const g = openaiAgents({ ...options, store: memoryStore() });
    expect((await run(g.wrap(agent, origin), 'Hello', g.runOptions)).finalOutput).toBe('done');
    expect(toolsOf(model.requests[0])).toEqual(['tool_search', 'weather', 'ask_inner']);
  });

  it('refuses to be made without a search', () => {
    expect(() => openaiAgents({ ...options, search: false })).toThrow(/nativeSearch needs a search/);
  });
});
