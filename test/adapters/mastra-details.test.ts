import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { RequestContext } from '@mastra/core/request-context';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { MockLanguageModelV3 } from 'ai6/test';
import { memoryStore } from 'toolgate';
import { toolgate } from 'toolgate/mastra';
import type { MastraOptions } from 'toolgate/mastra';
import { scriptedModel } from 'toolgate/testing';
import type { ScriptedStep } from 'toolgate/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const call = (toolName: string, input: unknown, toolCallId = toolName) => ({ toolName, input, toolCallId });
const boss = { principal: { id: 'boss' }, via: 'test' };
const gated = { policy: { refund: true, wipe: true } } as const;
const mixed: readonly ScriptedStep[] = [
  { calls: [call('look_up', { to: 'ada' }), call('refund', { to: 'ada' }), call('wipe', { to: 'ada' })] },
  { text: 'done' },
];

function bank(ran: string[]) {
  const make = (id: string) =>
    createTool({
      id,
      description: `Does ${id}.`,
      inputSchema: z.object({ to: z.string() }),
      execute: async ({ to }) => {
        ran.push(`${id} ${to}`);
        return { [id]: to };
      },
    });
  return { refund: make('refund'), wipe: make('wipe'), look_up: make('look_up') };
}

function agentOf(script: readonly ScriptedStep[], options: MastraOptions, tools: object = bank([])) {
  const g = toolgate(options);
  const scripted = scriptedModel(script, { specificationVersion: 'v3' });
  const model = new MockLanguageModelV3({
    doGenerate: (request: never) => scripted.doGenerate(request),
    doStream: (request: never) => scripted.doStream(request),
  } as never);
  const agent = new Agent({ id: 'a', name: 'a', instructions: 'x', model, tools: tools as never, ...g.agent });
  const mastra = new Mastra({ agents: { a: agent }, storage: new InMemoryStore(), logger: false });
  return { agent: mastra.getAgent('a'), g, requests: scripted.requests };
}

async function decideAll(g: ReturnType<typeof toolgate>, decide: (toolName: string) => 'approve' | 'deny') {
  for (const { id, calls } of (await g.gate.confirmations.list({ callStates: ['awaiting'] })).items)
    for (const { key, toolName } of calls)
      await g.gate.confirmations.decide(id, { [key]: { type: decide(toolName) } }, boss);
}

async function approveTwiceAtOnce(agent: Agent, runId: string): Promise<void> {
  const approve = async (): Promise<void> => {
    const output = await agent.approveToolCall({ runId, toolCallId: 'refund' });
    await output.consumeStream();
  };
  await Promise.allSettled([approve(), approve()]);
}

describe('mastra', () => {
  it('takes three lines, without a store or a conversation', async () => {
    const ran: string[] = [];
    const { agent } = agentOf([{ calls: [call('refund', { to: 'ada' })] }, { text: 'done' }], {}, bank(ran));
    const { text } = await agent.generate('Go.');
    expect(text).toBe('done');
    expect(ran).toEqual(['refund ada']);
  });

  it('refuses what Mastra cannot do', () => {
    expect(() => toolgate({ store: memoryStore(), confirm: { siblings: 'hold' } })).toThrow(/cannot hold/);
    expect(() => toolgate({ confirm: { hidden: 'execute' } })).toThrow(/not possible/);
  });

  it('does not run a call that waits when there is no store to keep it', async () => {
    const ran: string[] = [];
    const script = [{ calls: [call('refund', { to: 'ada' })] }, { text: 'I cannot.' }];
    const { agent, requests } = agentOf(script, { confirm: gated }, bank(ran));
    expect((await agent.generate('Go.')).text).toBe('I cannot.');
    expect(ran).toEqual([]);
    expect(JSON.stringify(requests[1]?.prompt)).toContain('no store to keep it');
  });

  it('says what is missing when a store has no conversation to keep things by', async () => {
    const { agent } = agentOf([{ text: 'x' }], { store: memoryStore() });
    await expect(agent.generate('Go.')).rejects.toThrow(/needs a conversation/);
  });

  it('reads conversation and principal from the request context', async () => {
    const { agent, g } = agentOf([{ calls: [call('refund', { to: 'ada' })] }], {
      store: memoryStore(),
      confirm: gated,
      conversation: (context) => context?.get('conversation' as never) as string,
      principal: (context) => ({ id: context?.get('user' as never) as string }),
    });
    const requestContext = new RequestContext();
    requestContext.set('conversation', 'c7');
    requestContext.set('user', 'ada');
    await agent.generate('Go.', { requestContext });
    const { items } = await g.gate.confirmations.list();
    expect(items.map(({ identity }) => [identity.conversation, identity.principal])).toEqual([['c7', 'ada']]);
  });

  it('carries mixed decisions back call by call, and reports what still waits', async () => {
    const ran: string[] = [];
    const { agent, g } = agentOf(mixed, { store: memoryStore(), confirm: gated, conversation: 'c' }, bank(ran));
    const first = await agent.stream('Go.');
    await first.consumeStream();
    expect(ran).toEqual(['look_up ada']);
    const nothing = await g.resume(agent, first.runId);
    expect(nothing).toEqual({ output: undefined, waiting: ['refund', 'wipe'] });
    await decideAll(g, (toolName) => (toolName === 'refund' ? 'deny' : 'approve'));
    const seen: unknown[] = [];
    const { output, waiting } = await g.resume(agent, first.runId, { onOutput: (one) => void seen.push(one) });
    expect(waiting).toEqual([]);
    expect(await output?.text).toBe('done');
    expect(seen).toHaveLength(2);
    expect(ran.toSorted()).toEqual(['look_up ada', 'wipe ada']);
  });

  it.each([
    ['a mark', true],
    ['a function', () => true],
  ])('puts a call without siblings before a person where its tool has %s of its own', async (_, requireApproval) => {
    const ran: string[] = [];
    const tools = { refund: { ...bank(ran).refund, requireApproval } };
    const script = [{ calls: [call('refund', { to: 'ada' })] }, { text: 'done' }];
    const { agent, g } = agentOf(script, { store: memoryStore(), conversation: 'c' }, tools);
    const { runId = '' } = await agent.generate('Go.');
    expect((await g.resume(agent, runId)).waiting).toEqual(['refund']);
    await decideAll(g, () => 'approve');
    expect((await g.resume(agent, runId)).waiting).toEqual([]);
    expect(ran).toEqual(['refund ada']);
  });

  it('runs once what two at once approve in Mastra itself, and its free sibling too', async () => {
    const ran: string[] = [];
    const script = [...mixed.slice(0, 1), { text: 'done' }, { text: 'done' }];
    const policy = { refund: true };
    const options = { store: memoryStore(), confirm: { policy }, conversation: 'c' };
    const { agent, g } = agentOf(script, options, bank(ran));
    const first = await agent.stream('Go.');
    await first.consumeStream();
    await decideAll(g, () => 'approve');
    await approveTwiceAtOnce(agent, first.runId);
    expect(ran.toSorted()).toEqual(['look_up ada', 'refund ada', 'wipe ada']);
  });

  it("puts a tool's own requireApproval into the store, with its predicate", async () => {
    const ran: string[] = [];
    const pay = createTool({
      id: 'pay',
      description: 'Pays.',
      inputSchema: z.object({ amount: z.number() }),
      requireApproval: async ({ amount }) => amount > 100,
      execute: async ({ amount }) => {
        ran.push(String(amount));
        return 'paid';
      },
    });
    const script = [{ calls: [call('pay', { amount: 50 }, 's'), call('pay', { amount: 500 }, 'b')] }, { text: 'done' }];
    const { agent, g } = agentOf(script, { store: memoryStore(), conversation: 'c' }, { pay });
    const first = await agent.stream('Go.');
    await first.consumeStream();
    expect(ran).toEqual(['50']);
    const { items } = await g.gate.confirmations.list({ callStates: ['awaiting'] });
    expect(items.flatMap(({ calls }) => calls.map(({ toolCallId }) => toolCallId))).toEqual(['b']);
    await decideAll(g, () => 'approve');
    const { output } = await g.resume(agent, first.runId);
    expect(await output?.text).toBe('done');
    expect(ran).toEqual(['50', '500']);
  });

  it('asks again when the tool has changed since somebody said yes', async () => {
    const ran: string[] = [];
    const options = { store: memoryStore(), confirm: gated, conversation: 'c' };
    const script = [{ calls: [call('refund', { to: 'ada' })] }, { text: 'done' }];
    let description = 'Pays money back.';
    const tools = () => ({
      refund: createTool({
        id: 'refund',
        description,
        inputSchema: z.object({ to: z.string() }),
        execute: async ({ to }) => {
          ran.push(to);
          return 'paid';
        },
      }),
    });
    const { agent, g } = agentOf(script, options, tools);
    const first = await agent.stream('Go.');
    await first.consumeStream();
    await decideAll(g, () => 'approve');
    description = 'Pays all the money there is.';
    const { waiting } = await g.resume(agent, first.runId);
    expect(ran).toEqual([]);
    expect(waiting).toEqual(['refund']);
    await decideAll(g, () => 'approve');
    await g.resume(agent, first.runId);
    expect(ran).toEqual(['ada']);
  });

  it('lets a tool that suspends itself go on, once', async () => {
    const ran: string[] = [];
    const ask = createTool({
      id: 'ask',
      description: 'Asks.',
      inputSchema: z.object({}),
      suspendSchema: z.object({ question: z.string() }),
      resumeSchema: z.object({ answer: z.string() }),
      execute: async (_, context) => {
        const { resumeData, suspend } = context.agent ?? {};
        if (resumeData === undefined) {
          ran.push('asked');
          await suspend?.({ question: 'Which?' });
          return 'suspended';
        }
        ran.push(`got ${resumeData.answer}`);
        return `answer ${resumeData.answer}`;
      },
    });
    const script = [{ calls: [call('ask', {})] }, { text: 'done' }];
    const { agent } = agentOf(script, { store: memoryStore(), conversation: 'c' }, { ask });
    const first = await agent.stream('Go.');
    await first.consumeStream();
    const second = await agent.resumeStream({ answer: 'blue' }, { runId: first.runId, toolCallId: 'ask' });
    expect(await second.text).toBe('done');
    expect(ran).toEqual(['asked', 'got blue']);
  });

  it('does not run what a cut-off text can be mended to', async () => {
    const ran: string[] = [];
    const script = [{ calls: [call('refund', '{"to":"ada"', 'r')] }, { text: 'done' }];
    const { agent, requests } = agentOf(script, {}, bank(ran));
    await agent.generate('Go.');
    expect(ran).toEqual([]);
    expect(JSON.stringify(requests[1]?.prompt)).toContain('JSON');
  });

  it('edits what runs, keeps the structure of the result and tells the model', async () => {
    const ran: string[] = [];
    const script = [{ calls: [call('refund', { to: 'ada' })] }, { text: 'done' }];
    const options = { store: memoryStore(), confirm: gated, conversation: 'c' };
    const { agent, g, requests } = agentOf(script, options, bank(ran));
    const first = await agent.stream('Go.');
    await first.consumeStream();
    const [pause] = (await g.gate.confirmations.list()).items;
    const key = pause?.calls[0]?.key ?? '';
    await g.gate.confirmations.decide(pause?.id ?? '', { [key]: { type: 'approve', arguments: { to: 'bob' } } }, boss);
    await g.resume(agent, first.runId);
    expect(ran).toEqual(['refund bob']);
    const told = JSON.stringify(requests[1]?.prompt);
    expect(told).toContain('"result":{"refund":"bob"}');
    expect(told).toMatch(/"note":"[^"]*(?:changed|edited)/);
  });

  it('tells the model of an edit also where the tool itself says what the model reads', async () => {
    const script = [{ calls: [call('refund', { to: 'ada' })] }, { text: 'done' }];
    const refund = createTool({
      id: 'refund',
      description: 'Pays back.',
      inputSchema: z.object({ to: z.string() }),
      execute: async ({ to }) => ({ to }),
      toModelOutput: (output) => ({ type: 'text', value: `paid to ${(output as { to: string }).to}` }),
    });
    const options = { store: memoryStore(), confirm: gated, conversation: 'c' };
    const { agent, g, requests } = agentOf(script, options, { refund });
    const first = await agent.stream('Go.');
    await first.consumeStream();
    const [pause] = (await g.gate.confirmations.list()).items;
    const key = pause?.calls[0]?.key ?? '';
    await g.gate.confirmations.decide(pause?.id ?? '', { [key]: { type: 'approve', arguments: { to: 'bob' } } }, boss);
    await g.resume(agent, first.runId);
    const told = JSON.stringify(requests[1]?.prompt);
    expect(told).toMatch(/(?:changed|edited)[^"]*paid to bob/);
  });

  it('gates the calls of a reply from a cache, and runs each once, however often a decision is delivered', async () => {
    const ran: string[] = [];
    const g = toolgate({ store: memoryStore(), confirm: { policy: { refund: true } }, conversation: 'c' });
    const scripted = scriptedModel([{ text: 'done' }, { text: 'done' }], { specificationVersion: 'v3' });
    const model = new MockLanguageModelV3({
      doGenerate: (request: never) => scripted.doGenerate(request),
      doStream: (request: never) => scripted.doStream(request),
    } as never);
    const replayed = ['look_up', 'refund', 'wipe'].map((toolName) => ({
      type: 'tool-call',
      payload: { toolCallId: toolName, toolName, args: { to: 'ada' } },
    }));
    const finish = {
      type: 'finish',
      payload: { stepResult: { reason: 'tool-calls' }, output: { usage: {} }, metadata: {} },
    };
    const cache = {
      id: 'cache',
      processLLMRequest: async ({ stepNumber }: { stepNumber: number }) =>
        stepNumber === 0 ? { response: { chunks: [...replayed, finish] } } : undefined,
    };
    const agent = new Mastra({
      agents: {
        a: new Agent({
          id: 'a',
          name: 'a',
          instructions: 'x',
          model,
          tools: bank(ran),
          hooks: g.agent.hooks,
          inputProcessors: [...g.agent.inputProcessors, cache] as never,
        }),
      },
      storage: new InMemoryStore(),
      logger: false,
    }).getAgent('a');
    const first = await agent.stream('Go.');
    await first.consumeStream();
    expect(ran).toEqual(['look_up ada', 'wipe ada']);
    await decideAll(g, () => 'approve');
    await approveTwiceAtOnce(agent, first.runId);
    expect(ran.toSorted()).toEqual(['look_up ada', 'refund ada', 'wipe ada']);
  });

  it('holds calls of tools that another processor puts in', async () => {
    const ran: string[] = [];
    const { refund, look_up } = bank(ran);
    const g = toolgate({ store: memoryStore(), conversation: 'c', confirm: gated });
    const model = scriptedModel(
      [{ calls: [call('look_up', { to: 'ada' }), call('refund', { to: 'ada' })] }, { text: 'done' }, { text: 'done' }],
      { specificationVersion: 'v3' },
    );
    const puttingIn = {
      id: 'late',
      name: 'late',
      processInputStep: ({ tools }: { tools?: object }) => ({ tools: { ...tools, refund, look_up } }),
    };
    const agent = new Agent({
      id: 'a',
      name: 'a',
      instructions: 'x',
      model: model as never,
      ...g.agent,
      inputProcessors: [puttingIn as never, ...g.agent.inputProcessors],
    });
    const mastra = new Mastra({ agents: { a: agent }, storage: new InMemoryStore(), logger: false });
    const output = await mastra.getAgent('a').generate('Go.');
    expect(output.finishReason).toBe('suspended');
    expect(ran).toEqual(['look_up ada']);
    const waiting = await g.gate.confirmations.list({ callStates: ['awaiting'] });
    expect(waiting.items.flatMap(({ calls }) => calls.map(({ toolName }) => toolName))).toEqual(['refund']);
    await decideAll(g, () => 'approve');
    for (let delivery = 0; delivery < 2; delivery += 1)
      await g.resume(mastra.getAgent('a') as never, output.runId ?? '');
    expect(ran).toEqual(['look_up ada', 'refund ada']);
  });

  it('shows and runs a tool that another processor puts in at a later step', async () => {
    const ran: string[] = [];
    const { refund, look_up } = bank(ran);
    const g = toolgate({ store: memoryStore(), conversation: 'c', selection: false });
    const model = scriptedModel(
      [{ calls: [call('look_up', { to: 'ada' })] }, { calls: [call('refund', { to: 'ada' })] }, { text: 'done' }],
      { specificationVersion: 'v3' },
    );
    const puttingIn = {
      id: 'later',
      name: 'later',
      processInputStep: ({ tools, stepNumber }: { tools?: object; stepNumber: number }) =>
        stepNumber === 0 ? {} : { tools: { ...tools, refund } },
    };
    const agent = new Agent({
      id: 'a',
      name: 'a',
      instructions: 'x',
      model: model as never,
      tools: { look_up },
      ...g.agent,
      inputProcessors: [puttingIn as never, ...g.agent.inputProcessors],
    });
    const { text } = await agent.generate('Go.', { maxSteps: 5 });
    expect(text).toBe('done');
    expect(model.requests.map(({ tools }) => tools?.map(({ name }) => name))).toEqual([
      ['look_up'],
      ['look_up', 'refund'],
      ['look_up', 'refund'],
    ]);
    expect(ran).toEqual(['look_up ada', 'refund ada']);
  });
});
