import { memoryStore } from 'toolgate';
import { aiSdk } from 'toolgate/ai-sdk';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { answered, mockModel, newMessages, tenSteps, versions } from './support/ai-sdk-versions.ts';

const refundCall = { calls: [{ toolCallId: 'r', toolName: 'refund', input: { to: 'ada' } }] };
const hello = { role: 'user' as const, content: 'Pay Ada back.' };

describe.each(versions)('ai $version', (version) => {
  const { ai } = version;
  const generate = async (settings: object) =>
    await ai.generateText({ stopWhen: tenSteps(version), ...settings } as never);

  function refundTools(ran: string[]) {
    return {
      refund: ai.tool({
        description: 'Pays money back.',
        inputSchema: z.object({ to: z.string() }),
        execute: async ({ to }) => {
          ran.push(to);
          return { paid: to };
        },
      }),
    };
  }

  it('refuses what it could not keep', () => {
    const tools = refundTools([]);
    expect(() => aiSdk({ tools })).toThrow(/needs a store .* or a secret/);
    expect(() => aiSdk({ tools, store: memoryStore(), confirm: { siblings: 'hold' } })).toThrow(/cannot hold/);
    expect(() => aiSdk({ tools, store: memoryStore(), confirm: { hidden: 'execute' } })).toThrow(/confirm.hidden/);
    expect(() => aiSdk({ tools: { 'a.b': tools.refund }, store: memoryStore() })).toThrow(/"a.b"/);
  });

  it("runs in the SDK's agent, and an approval that comes twice runs once", async () => {
    const ran: string[] = [];
    const g = aiSdk({ tools: refundTools(ran), store: memoryStore(), confirm: { policy: { refund: true } } });
    const { model } = mockModel(version, [refundCall, { text: 'done' }, { text: 'done again' }]);
    const agent = new ai.ToolLoopAgent({
      model,
      tools: g.tools,
      prepareCall: (settings: object) => ({ ...settings, ...g.forTurn({ conversation: 'c' }) }),
    } as never);
    const first = await agent.generate({ messages: [hello] } as never);
    const history = answered([hello, ...newMessages(first)], true);
    const second = await agent.generate({ messages: history } as never);
    const third = await agent.generate({ messages: history } as never);
    expect([second.text, third.text]).toEqual(['done', 'done again']);
    expect(ran).toEqual(['ada']);
  });

  it('takes an approval in a history for what was asked, not for the tool that stands in its place later', async () => {
    const ran: string[] = [];
    const store = memoryStore();
    const send = async (description: string, messages: readonly unknown[]) => {
      const { refund } = refundTools(ran);
      const tools = { refund: { ...refund, description } };
      const g = aiSdk({ tools, store, confirm: { policy: { refund: true } } });
      const turn = g.forTurn({ conversation: 'c', decidedBy: { principal: { id: 'boss' }, via: 'test' } });
      const script = messages.length === 1 ? [refundCall] : [{ text: 'done' }];
      return await generate({ model: mockModel(version, script).model, ...turn, messages });
    };
    const first = await send('Pays money back.', [hello]);
    const history = answered([hello, ...newMessages(first)], true);
    for (let time = 0; time < 2; time += 1) await send('Pays all the money back.', history);
    expect(ran).toEqual([]);
  });

  it('leaves out a tool that cannot be read, says so, and keeps the others', async () => {
    const errors: unknown[] = [];
    const logger = { debug() {}, info() {}, warn() {}, error: (...parts: unknown[]) => errors.push(parts) };
    const broken = {
      ...refundTools([]).refund,
      inputSchema: () => {
        throw new Error('This schema is broken.');
      },
    };
    const tools = { ...refundTools([]), broken };
    const g = aiSdk({ tools, store: memoryStore(), logger });
    const { model, requests } = mockModel(version, [{ text: 'done' }]);
    await generate({ model, ...g.forTurn({ conversation: 'c', messages: [hello] }) });
    expect(requests[0]?.tools?.map(({ name }) => name)).toEqual(['refund']);
    expect(errors).toEqual([['A tool was left out', { tool: 'broken', error: 'This schema is broken.' }]]);
  });

  it('keeps the output of a tool whose arguments were edited, and tells the model', async () => {
    const ran: string[] = [];
    const g = aiSdk({ tools: refundTools(ran), store: memoryStore(), confirm: { policy: { refund: true } } });
    const { model, requests } = mockModel(version, [refundCall, { text: 'done' }]);
    const first = await generate({ model, ...g.forTurn({ conversation: 'c', messages: [hello] }) });
    const { items } = await g.gate.confirmations.list();
    const by = { principal: { id: 'boss' } };
    const edit = { type: 'approve', arguments: { to: 'bob' } } as const;
    await g.gate.confirmations.decide(items[0]?.id ?? '', { '0.r': edit }, by);
    const { messages } = await g.withDecisions([hello, ...newMessages(first)], { conversation: 'c' });
    const outputs: unknown[] = [];
    const onEnd = (event: { output?: unknown; toolOutput?: { output: unknown } }) =>
      outputs.push(event.output ?? event.toolOutput?.output);
    const second = await generate({
      model,
      ...g.forTurn({ conversation: 'c', messages }),
      experimental_onToolCallFinish: onEnd,
    });
    expect(ran).toEqual(['bob']);
    expect(outputs).toEqual([{ paid: 'bob' }]);
    expect(second.text).toBe('done');
    const shown = JSON.stringify(requests.at(-1)?.prompt);
    expect(shown).toContain('bob');
    expect(shown).toMatch(/arguments|changed|edited/);
  });

  it('gives the last part of a tool that streams its result', async () => {
    const tools = {
      count: ai.tool({
        description: 'Counts.',
        inputSchema: z.object({}),
        async *execute() {
          yield 'one';
          yield 'two';
        },
      }),
    };
    const g = aiSdk({ tools, store: memoryStore() });
    const { model } = mockModel(version, [{ calls: [{ toolCallId: 'a', toolName: 'count' }] }, { text: 'done' }]);
    const result = await generate({ model, ...g.forTurn({ conversation: 'c', messages: [hello] }) });
    expect(result.steps[0]?.toolResults.map(({ output }) => output)).toEqual(['two']);
  });

  it('applies a transform of a schema once', async () => {
    const seen: unknown[] = [];
    const tools = {
      wait: ai.tool({
        description: 'Waits.',
        inputSchema: z.object({ minutes: z.string().transform((text) => Number(text) * 60) }),
        execute: async ({ minutes }) => {
          seen.push(minutes);
          return 'waited';
        },
      }),
    };
    const g = aiSdk({ tools, store: memoryStore() });
    const call = { toolCallId: 'a', toolName: 'wait', input: { minutes: '2' } };
    const { model } = mockModel(version, [{ calls: [call] }, { text: 'done' }]);
    await generate({ model, ...g.forTurn({ conversation: 'c', messages: [hello] }) });
    expect(seen).toEqual([120]);
  });

  it('settles what waits when the user writes something else, and the history stays valid', async () => {
    const ran: string[] = [];
    const g = aiSdk({ tools: refundTools(ran), store: memoryStore(), confirm: { policy: { refund: true } } });
    const { model, requests } = mockModel(version, [refundCall, { text: 'Fine.' }]);
    const first = await generate({ model, ...g.forTurn({ conversation: 'c', messages: [hello] }) });
    const messages = [hello, ...newMessages(first), { role: 'user' as const, content: 'Forget it.' }];
    const second = await generate({ model, ...g.forTurn({ conversation: 'c', messages }) });
    expect(second.text).toBe('Fine.');
    expect(JSON.stringify(requests.at(-1)?.prompt)).toContain('A newer message took the place of this call');
    const { items } = await g.gate.confirmations.list();
    expect(items.map(({ state, calls }) => [state, calls[0]?.state])).toEqual([['settled', 'superseded']]);
    expect(ran).toEqual([]);
  });

  it('tells the store of a no that stands in the history', async () => {
    const ran: string[] = [];
    const g = aiSdk({ tools: refundTools(ran), store: memoryStore(), confirm: { policy: { refund: true } } });
    const { model, requests } = mockModel(version, [refundCall, { text: 'Fine.' }]);
    const first = await generate({ model, ...g.forTurn({ conversation: 'c', messages: [hello] }) });
    const messages = answered([hello, ...newMessages(first)], false, 'Not today.');
    await generate({ model, ...g.forTurn({ conversation: 'c', messages }) });
    expect(JSON.stringify(requests.at(-1)?.prompt)).toContain('Not today.');
    const { items } = await g.gate.confirmations.list();
    expect(items[0]?.calls[0]?.decision?.decision).toEqual({ type: 'deny', message: 'Not today.' });
    expect(ran).toEqual([]);
  });

  it('with a secret and no store, runs what the SDK has signed and nothing that was changed', async () => {
    const ran: string[] = [];
    const confirm = { policy: { refund: true }, secret: 's'.repeat(32) };
    const g = aiSdk({ tools: refundTools(ran), confirm });
    const { model } = mockModel(version, [refundCall, { text: 'done' }]);
    const first = await generate({ model, ...g.forTurn({ messages: [hello] }) });
    const history = answered([hello, ...newMessages(first)], true);
    const changed = JSON.parse(JSON.stringify(history).replaceAll('ada', 'eve')) as typeof history;
    await expect(generate({ model, ...g.forTurn({ messages: changed }) })).rejects.toThrow(/signature/i);
    const unsigned = JSON.parse(JSON.stringify(history).replaceAll('"signature"', '"unsigned"')) as typeof history;
    await expect(generate({ model, ...g.forTurn({ messages: unsigned }) })).rejects.toThrow(/signature/i);
    expect(ran).toEqual([]);
    expect((await generate({ model, ...g.forTurn({ messages: history }) })).text).toBe('done');
    expect(ran).toEqual(['ada']);
  });

  it("goes through a chat's messages as its server gets them", async () => {
    const ran: string[] = [];
    const g = aiSdk({ tools: refundTools(ran), store: memoryStore(), confirm: { policy: { refund: true } } });
    const { model } = mockModel(version, [refundCall, { text: 'done' }]);
    const first = await generate({ model, ...g.forTurn({ conversation: 'c', messages: [hello] }) });
    const asked = first.content.find((part) => part.type === 'tool-approval-request');
    const chat = [
      { id: '1', role: 'user', parts: [{ type: 'text', text: hello.content }] },
      {
        id: '2',
        role: 'assistant',
        parts: [
          {
            type: 'tool-refund',
            toolCallId: 'r',
            state: 'approval-responded',
            input: { to: 'ada' },
            approval: { id: asked?.approvalId, approved: true },
          },
        ],
      },
    ];
    const messages = await ai.convertToModelMessages(chat as never, { tools: g.tools as never });
    const stream = ai.streamText({
      model,
      stopWhen: tenSteps(version),
      ...g.forTurn({ conversation: 'c', messages }),
    } as never);
    const response = stream.toUIMessageStreamResponse();
    expect(await response.text()).toContain('done');
    expect(ran).toEqual(['ada']);
  });

  it("passes tools that the provider runs through untouched, and keeps the search's own id apart", async () => {
    const hosted = { type: 'provider', id: 'p.web_search', name: 'web_search', args: {}, isProviderExecuted: true };
    const tools = { ...refundTools([]), web_search: hosted as never };
    const g = aiSdk({ tools, store: memoryStore() });
    expect(g.tools.web_search).toBe(hosted);
    const { model, requests } = mockModel(version, [{ text: 'done' }]);
    await generate({ model, ...g.forTurn({ conversation: 'c', messages: [hello] }) });
    expect(requests[0]?.tools?.map(({ name }) => name)).toEqual(['refund', 'web_search']);
  });
});
