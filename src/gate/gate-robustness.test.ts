import { describe, expect, it } from 'vitest';
import type { Message, Reply } from '../core/message.ts';
import type { Tool } from '../core/tool.ts';
import type { DecisionModel } from '../decision/port.ts';
import { tool } from '../schema/define-tool.ts';
import { memoryStore } from '../stores/memory.ts';
import { createToolGate } from './create-tool-gate.ts';
import type { ToolGateOptions } from './options.ts';
import type { ToolTurn } from './types.ts';

function make(name: string, runs: string[] = [], more: Partial<Tool> = {}): Tool {
  return {
    ...tool({
      name,
      description: `Handles ${name.replaceAll('_', ' ')}`,
      input: { type: 'object' },
      execute: () => {
        runs.push(name);
        return `done ${name}`;
      },
    }),
    ...more,
  };
}

/** Finds the named tools useful and no other. */
function wanting(...wanted: readonly string[]): DecisionModel {
  return {
    provider: 'test',
    modelId: 'wanting',
    decide: async ({ questions }) => ({
      answers: Object.fromEntries(
        Object.entries(questions).map(([id, question]) => {
          const name = question.type === 'yes-no' ? question.about?.tool.name : undefined;
          return [id, { type: 'yes-no' as const, probability: wanted.includes(name ?? '') ? 0.9 : 0.1 }];
        }),
      ),
    }),
  };
}

const always = (...wanted: readonly string[]) => ({ decisionModel: wanting(...wanted), minTools: 0, minTokens: 0 });
const user = (content: string): Message => ({ role: 'user', content });
const reply = (...calls: readonly (readonly [name: string, input?: unknown])[]): Reply => ({
  role: 'assistant',
  content: calls.map(([toolName, input], index) => ({
    type: 'tool-call',
    toolCallId: `c${index}`,
    toolName,
    input: input ?? {},
  })),
});
const names = (turn: ToolTurn): string[] => turn.tools.map(({ name }) => name);
const gateOf = (tools: readonly Tool[], more: Partial<ToolGateOptions> = {}) =>
  createToolGate({ providers: [{ provideTools: () => [...tools] }], selection: always(), ...more });

describe('a gate with allow', () => {
  it('lets everybody call the search tool that it shows, also where allow knows only the host’s own tools', async () => {
    const gate = gateOf([make('send_mail'), make('drop_table')], { allow: ({ name }) => name === 'send_mail' });
    const turn = await gate.turn({ messages: [user('hello')], conversation: 'c' });
    expect(names(turn)).toEqual(['search_tools']);
    const { outcomes } = await turn.execute(reply(['search_tools', { query: '*' }]));
    expect(outcomes[0]?.status).toBe('succeeded');
    expect(JSON.stringify(outcomes)).toContain('send_mail');
    expect(JSON.stringify(outcomes)).not.toContain('drop_table');
  });

  it('finds nothing forbidden in a search that runs without a turn, or after a pause', async () => {
    const gate = gateOf([make('send_mail'), make('drop_table')], {
      allow: ({ name }) => name !== 'drop_table',
      store: memoryStore(),
      confirm: { policy: { send_mail: true } },
    });
    const search = { toolCallId: 's', toolName: 'search_tools', input: { query: '*' } };
    const single = await gate.calls.execute(search, { conversation: 'one', messages: [] });
    expect(JSON.stringify(single)).toContain('send_mail');
    expect(JSON.stringify(single)).not.toContain('drop_table');
    const turn = await gate.turn({
      messages: [user('send a mail')],
      conversation: 'two',
      toolChoice: { tool: 'send_mail' },
    });
    const error = await turn
      .execute(reply(['search_tools', { query: '*' }], ['send_mail']))
      .catch((thrown: unknown) => thrown);
    const { id } = (error as { pause: { id: string } }).pause;
    await gate.confirmations.decide(id, { '1.c1': { type: 'approve' } }, { principal: { id: 'boss' } });
    const { outcomes } = await gate.resume(id);
    expect(outcomes.map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
    expect(JSON.stringify(outcomes[0])).toContain('send_mail');
    expect(JSON.stringify(outcomes)).not.toContain('drop_table');
  });

  it('does not show, find or run what allow has come to forbid', async () => {
    const runs: string[] = [];
    let allowed = true;
    const gate = gateOf([make('a', runs), make('b', runs)], {
      selection: always('a'),
      allow: ({ name }) => name !== 'a' || allowed,
    });
    const turn = await gate.turn({ messages: [user('one')], conversation: 'c' });
    expect(names(turn)).toEqual(['search_tools', 'a']);
    allowed = false;
    expect((await turn.execute(reply(['a']))).outcomes[0]?.status).toBe('invalid');
    expect(runs).toEqual([]);
    expect(names(await turn.refresh([user('one')]))).toEqual(['search_tools']);
  });

  it('gives the same part of the same catalogue as the same object', async () => {
    const gate = gateOf([make('a'), make('b'), make('c')], { allow: ({ name }) => name !== 'b' });
    const [first, second] = [await gate.catalogue(), await gate.catalogue({ principal: { id: 'x' } })];
    expect(first.tools.map(({ name }) => name)).toEqual(['a', 'c']);
    expect(second).toBe(first);
  });
});

describe('a search', () => {
  it('keeps what it found in a reply that had to wait', async () => {
    const gate = gateOf([make('send_mail'), make('drop_table')], {
      selection: always('drop_table'),
      store: memoryStore(),
      confirm: { policy: { drop_table: true } },
    });
    const messages = [user('drop it')];
    const turn = await gate.turn({ messages, conversation: 'c' });
    const mixed = reply(['search_tools', { query: 'send mail' }], ['drop_table']);
    const error = await turn.execute(mixed).catch((thrown: unknown) => thrown);
    const { id } = (error as { pause: { id: string } }).pause;
    await gate.confirmations.decide(id, { '1.c1': { type: 'deny' } }, { principal: { id: 'boss' } });
    const execution = await gate.resume(id, { messages });
    const history = [...messages, mixed, ...execution.messages];
    expect(names(await gate.turn({ messages, conversation: 'c' }))).toContain('send_mail');
    const elsewhere = gateOf([make('send_mail'), make('drop_table')]);
    expect(names(await elsewhere.turn({ messages: history, conversation: 'c' }))).toContain('send_mail');
  });

  it('is the only thing that finds: a tool that claims to have found others gains nothing', async () => {
    const spy = make('spy', [], {
      execute: () => ({ content: [{ type: 'text', text: 'x' }], meta: { 'toolgate/found': ['drop_table'] } }),
    });
    const gate = gateOf([spy, make('drop_table')], { selection: always('spy') });
    const turn = await gate.turn({ messages: [user('one')], conversation: 'c' });
    const asked = reply(['spy']);
    const execution = await turn.execute(asked);
    expect(names(await turn.refresh([user('one'), asked, ...execution.messages]))).toEqual(['search_tools', 'spy']);
    await gate.calls.execute({ toolCallId: 'z', toolName: 'spy', input: {} }, { turn });
    expect(names(await turn.refresh([user('one')]))).toEqual(['search_tools', 'spy']);
  });

  it('answers garbage with words', async () => {
    const turn = await gateOf([make('a')]).turn({ messages: [user('one')] });
    const garbage = [
      null,
      7,
      [],
      '',
      '{"query":',
      { query: {} },
      { query: ['a', null] },
      { limit: -1 },
      { query: 'x', limit: 'many', server: 7 },
    ];
    const { outcomes } = await turn.execute(reply(...garbage.map((input) => ['search_tools', input] as const)));
    const broken = garbage.indexOf('{"query":');
    expect(outcomes.map(({ status }) => status)).toEqual(
      garbage.map((_, index) => (index === broken ? 'invalid' : 'succeeded')),
    );
    for (const { result } of outcomes) expect(result.content[0]?.text?.length).toBeGreaterThan(5);
  });
});

describe('a forced choice', () => {
  it('never names a tool that the request does not hold', async () => {
    const few = createToolGate({ tools: [make('a')] });
    const turn = await few.turn({ messages: [user('one')], toolChoice: { tool: 'search_tools' } });
    expect(names(turn)).toEqual(['a']);
    expect(turn.toolChoice).toBe('auto');
    expect(turn.report.notes.join(' ')).toContain('nothing is forced');
    const none = createToolGate({ tools: [make('a')], allow: () => false });
    for (const toolChoice of ['required', { tool: 'a' }] as const) {
      const empty = await none.turn({ messages: [user('one')], toolChoice });
      expect([names(empty), empty.toolChoice]).toEqual([[], 'auto']);
    }
  });

  it('of the search tool means the search tool, also when a provider has a tool of that name', async () => {
    const gate = gateOf([make('search_tools'), make('a')]);
    const turn = await gate.turn({ messages: [user('one')], toolChoice: { tool: 'search_tools' } });
    expect(turn.toolChoice).toEqual({ tool: 'search_tools' });
    expect(names(turn)).toEqual(['search_tools']);
  });

  it('holds for one call, and none for all', async () => {
    const gate = gateOf([make('a'), make('b')]);
    const forced = await gate.turn({ messages: [user('one')], toolChoice: { tool: 'a' } });
    expect((await forced.refresh([user('one')])).toolChoice).toBe('auto');
    const none = await gate.turn({ messages: [user('one')], toolChoice: 'none' });
    expect((await none.refresh([user('one')])).toolChoice).toBe('none');
  });
});

describe('a turn', () => {
  it.each([
    ['no list', undefined, 'messages'],
    ['a hole', [user('a'), undefined], 'messages[1]'],
    ['no role', [{ content: 'x' }], 'messages[0]'],
    ['no content', [{ role: 'assistant', content: null }], 'messages[0]'],
    ['a part that is none', [{ role: 'tool', content: [null] }], 'messages[0]'],
  ])('refuses messages that are none, and says where: %s', async (_, messages, option) => {
    const gate = gateOf([make('a')]);
    const failure = gate.turn({ messages: messages as never, conversation: 'c' });
    await expect(failure).rejects.toMatchObject({ code: 'invalid-option', data: { option } });
  });

  it('takes messages in any shape: texts of tools, empty lists, no user, pictures only', async () => {
    const gate = gateOf([make('a'), make('b')]);
    const shapes: Message[][] = [
      [],
      [{ role: 'tool', content: 'a text' }],
      [{ role: 'assistant', content: [] }],
      [{ role: 'user', content: [] }],
      [{ role: 'user', content: [{ type: 'image' }] }],
      [{ role: 'martian', content: 'x' }],
      [
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: 'x',
              providerOptions: { toolgate: { found: [7, '__proto__', 'b'] } },
            } as never,
          ],
        },
      ],
    ];
    const shown = await Promise.all(shapes.map(async (messages) => names(await gate.turn({ messages }))));
    expect(shown.map((list) => list[0])).toEqual(shapes.map(() => 'search_tools'));
    expect(shown.at(-1)).toEqual(['search_tools', 'a', 'b']);
  });

  it('is refused when its caller has given up already, whatever the gate does', async () => {
    for (const selection of [always(), false] as const) {
      const failure = gateOf([make('a')], { selection }).turn({ messages: [user('x')], signal: AbortSignal.abort() });
      await expect(failure).rejects.toMatchObject({ code: 'aborted' });
    }
  });

  it('keeps tools apart that are named like what every object has', async () => {
    const runs: string[] = [];
    const odd = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
    const gate = gateOf(
      odd.map((name) => make(name, runs)),
      { selection: always(...odd) },
    );
    const turn = await gate.turn({ messages: [user('x')], conversation: '__proto__' });
    expect(names(turn)).toEqual(['search_tools', ...odd]);
    const { outcomes } = await turn.execute(reply(...odd.map((name) => [name] as const), ['valueOf']));
    expect(outcomes.map(({ status }) => status)).toEqual([...odd.map(() => 'succeeded'), 'invalid']);
    expect(runs).toEqual(odd);
  });

  it('that is copied is refused where calls are checked against it', async () => {
    const gate = gateOf([make('a')]);
    const turn = await gate.turn({ messages: [user('x')] });
    const failure = gate.calls.execute({ toolName: 'a', input: {} }, { turn: { ...turn } });
    await expect(failure).rejects.toMatchObject({ code: 'invalid-option', data: { option: 'turn' } });
  });

  it('in parallel with others of its conversation repeats no tool and never shortens the list', async () => {
    const gate = gateOf([make('a'), make('b'), make('c')], { selection: always('a', 'b') });
    const turns = await Promise.all(
      ['one', 'two', 'one', 'three'].map((text) => gate.turn({ messages: [user(text)], conversation: 'c' })),
    );
    for (const turn of turns) expect(names(turn)).toEqual(['search_tools', 'a', 'b']);
  });

  it('decides to select once there are tools, when the first turn had none', async () => {
    let tools: Tool[] = [];
    const gate = createToolGate({
      providers: [{ dynamic: true, provideTools: () => tools }],
      selection: { decisionModel: wanting('tool_3'), minTools: 5, minTokens: 0 },
    });
    const first = await gate.turn({ messages: [user('one')], conversation: 'c' });
    expect(names(first)).toEqual([]);
    tools = Array.from({ length: 20 }, (_, index) => make(`tool_${index}`));
    expect(names(await first.refresh([user('one')]))).toEqual(['search_tools', 'tool_3']);
  });

  it('shows no tool when the budget holds none, and the forced one all the same', async () => {
    const gate = gateOf([make('a'), make('b')], { selection: { ...always('a', 'b'), tokenBudget: 1 } });
    const turn = await gate.turn({ messages: [user('one')], conversation: 'c' });
    expect(names(turn)).toEqual(['search_tools']);
    expect(turn.report.entries.map(({ reason }) => reason)).toEqual(['budget', 'budget']);
    const forced = await gate.turn({ messages: [user('two')], conversation: 'c', toolChoice: { tool: 'b' } });
    expect(names(forced)).toEqual(['search_tools', 'b']);
  });
});

describe('resuming', () => {
  it('asks the providers for the tools of whoever asked for the calls', async () => {
    const runs: string[] = [];
    const gate = createToolGate({
      providers: [
        {
          provideTools: ({ principal, invocation }) =>
            principal?.id === 'ada' && invocation.conversation === 'c' ? [make('refund', runs)] : [],
        },
      ],
      confirm: { policy: { refund: true } },
      store: memoryStore(),
    });
    const turn = await gate.turn({ messages: [user('x')], conversation: 'c', principal: { id: 'ada', tenant: 't' } });
    const error = await turn.execute(reply(['refund'])).catch((thrown: unknown) => thrown);
    const { id } = (error as { pause: { id: string } }).pause;
    await gate.confirmations.decide(id, { '0.c0': { type: 'approve' } }, { principal: { id: 'boss', tenant: 't' } });
    expect((await gate.resume(id)).outcomes[0]?.status).toBe('succeeded');
    expect(runs).toEqual(['refund']);
  });

  it('asks again when the tool has changed, and says that it is gone when it has gone', async () => {
    const runs: string[] = [];
    let tools: Tool[] = [make('refund', runs), make('keep', runs)];
    const gate = createToolGate({
      providers: [{ dynamic: true, provideTools: () => tools }],
      confirm: { policy: { refund: true } },
      store: memoryStore(),
    });
    const pause = async (conversation: string): Promise<string> => {
      const turn = await gate.turn({ messages: [user('x')], conversation });
      const error = await turn.execute(reply(['refund'])).catch((thrown: unknown) => thrown);
      const { id } = (error as { pause: { id: string } }).pause;
      await gate.confirmations.decide(id, { '0.c0': { type: 'approve' } }, { principal: { id: 'boss' } });
      return id;
    };
    const [changed, gone] = [await pause('changed'), await pause('gone')];
    tools = [make('refund', runs, { description: 'Now gives everything away' })];
    await expect(gate.resume(changed)).rejects.toMatchObject({ code: 'confirmation-required' });
    tools = [];
    expect((await gate.resume(gone)).outcomes[0]?.status).toBe('invalid');
    expect(runs).toEqual([]);
  });
});

describe('listeners', () => {
  it('cannot break anything, also when they are asynchronous', async () => {
    const errors: string[] = [];
    const log = () => {};
    const gate = gateOf([make('a')], {
      selection: always('a'),
      logger: { debug: log, info: log, warn: log, error: (message: string) => errors.push(message) } as never,
      onSelection: (async () => Promise.reject(new Error('no'))) as never,
      onLabels: (async () => Promise.reject(new Error('no'))) as never,
    });
    const turn = await gate.turn({ messages: [user('x')] });
    expect((await turn.execute(reply(['a']))).outcomes[0]?.status).toBe('succeeded');
    await new Promise((resolve) => setImmediate(resolve));
    expect(errors).toEqual(['onSelection failed', 'onLabels failed']);
  });

  it('are told the labels under the message that the reply answers, whatever came since', async () => {
    const ids: string[] = [];
    const gate = gateOf([make('a')], { selection: always('a'), onLabels: ({ id }) => ids.push(id) });
    const first = await gate.turn({ messages: [user('one')], conversation: 'c' });
    await first.execute(reply(['a']));
    await gate.turn({ messages: [user('two')], conversation: 'c' });
    await first.execute(reply(['a']));
    expect(ids[1]).toBe(ids[0]);
  });
});

describe('options', () => {
  it.each([
    ['options', undefined],
    ['tools', { tools: {} }],
    ['providers', { providers: {} }],
    ['providers[0]', { providers: [{}] }],
    ['allow', { allow: ['a'] }],
    ['onLabels', { onLabels: 1 }],
    ['search', { search: true }],
    ['maxConversations', { maxConversations: Number.NaN }],
    ['maxConversations', { maxConversations: 0 }],
    ['selection', { selection: true }],
    ['selection.minTools', { selection: { minTools: -1 } }],
    ['selection.minTokens', { selection: { minTokens: '5' } }],
    ['selection.tokenBudget', { selection: { tokenBudget: Number.NaN } }],
    ['selection.sticky', { selection: { sticky: 'no' } }],
  ])('that are wrong are refused with their name: %s', (option, options) => {
    expect(() => createToolGate(options as never)).toThrow(
      expect.objectContaining({ code: 'invalid-option', data: { option } }),
    );
  });
});
