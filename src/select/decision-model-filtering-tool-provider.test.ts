import { afterEach, describe, expect, it, vi } from 'vitest';
import { silentLogger } from '../core/logger.ts';
import type { Message } from '../core/message.ts';
import type { ToolProvider, ToolProviderRequest } from '../core/provider.ts';
import type { Tool } from '../core/tool.ts';
import { scriptedDecisionModel } from '../testing/scripted-decision-model.ts';
import type { ScriptedDecisionModel } from '../testing/scripted-decision-model.ts';
import { DecisionModelFilteringToolProvider } from './decision-model-filtering-tool-provider.ts';

function toolNamed(name: string, more?: Partial<Tool>): Tool {
  return { name, description: `Does ${name}.`, inputSchema: { type: 'object' }, execute: () => name, ...more };
}

function providerOf(tools: readonly Tool[], dynamic?: boolean): ToolProvider {
  return dynamic === undefined ? { provideTools: () => tools } : { dynamic, provideTools: () => tools };
}

function requestFor(text: string, messages: readonly Message[] = [], original?: string): ToolProviderRequest {
  return {
    userMessage: { role: 'user', content: text },
    ...(original === undefined ? {} : { originalUserMessage: { role: 'user', content: original } }),
    messages,
    invocation: { id: 'i1', attributes: {} },
    signal: new AbortController().signal,
  };
}

const names = (tools: readonly Tool[]): readonly string[] => tools.map((tool) => tool.name);

function inputs(model: ScriptedDecisionModel): readonly unknown[] {
  return model.requests.map((request) => (request.input as { messages: unknown }).messages);
}

function askedNames(model: ScriptedDecisionModel): readonly (readonly (string | undefined)[])[] {
  return model.requests.map(({ questions }) =>
    Object.values(questions).map((question) => (question.type === 'yes-no' ? question.about?.tool.name : undefined)),
  );
}

const call = (toolName: string, toolCallId = '1'): Message => ({
  role: 'assistant',
  content: [{ type: 'tool-call', toolCallId, toolName, input: { city: 'Rome' } }],
});
const result = (toolName: string, text: string, toolCallId = '1'): Message => ({
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value: text } }],
});

afterEach(() => {
  vi.restoreAllMocks();
});

describe('DecisionModelFilteringToolProvider', () => {
  it('[selection.relevant] [selection.before] passes on only relevant tools, the same objects in the same order, with one request', async () => {
    const tools = [toolNamed('a'), toolNamed('b', { returnBehavior: 'immediate' }), toolNamed('c'), toolNamed('d')];
    const decisionModel = scriptedDecisionModel({ scores: { a: 0.2, b: 0.6, c: 0.49, d: 0.9 } });
    const provider = new DecisionModelFilteringToolProvider({ toolProvider: providerOf(tools), decisionModel });
    const passed = await provider.provideTools(requestFor('do d and b'));
    expect(passed).toHaveLength(2);
    expect(passed[0]).toBe(tools[1]);
    expect(passed[1]).toBe(tools[3]);
    expect(decisionModel.requests).toHaveLength(1);
  });

  it('[selection.minimum] keeps every tool whose probability reaches the minimum, the user’s before the model’s before a half', async () => {
    const tools = [toolNamed('a'), toolNamed('b'), toolNamed('c')];
    const scores = { a: 0.5, b: 0.4999, c: 0.3 };
    const passedWith = async (options: {
      minProbability?: number;
      recommended?: { minProbability: number };
    }): Promise<readonly string[]> => {
      const decisionModel = scriptedDecisionModel({ scores, recommended: options.recommended });
      const { minProbability } = options;
      const provider = new DecisionModelFilteringToolProvider({
        toolProvider: providerOf(tools),
        decisionModel,
        minProbability,
      });
      return names(await provider.provideTools(requestFor('go')));
    };
    expect(await passedWith({})).toEqual(['a']);
    expect(await passedWith({ recommended: { minProbability: 0.3 } })).toEqual(['a', 'b', 'c']);
    expect(await passedWith({ recommended: { minProbability: 0.3 }, minProbability: 0.4 })).toEqual(['a', 'b']);
    expect(await passedWith({ recommended: { minProbability: Number.NaN } })).toEqual(['a']);
    expect(await passedWith({ minProbability: 0 })).toEqual(['a', 'b', 'c']);
  });

  it('[selection.window] shows the system messages and the last 10 messages, with tool calls and tool results', async () => {
    const decisionModel = scriptedDecisionModel();
    const provider = new DecisionModelFilteringToolProvider({
      toolProvider: providerOf([toolNamed('a')]),
      decisionModel,
    });
    const old: Message[] = Array.from({ length: 8 }, (_, index) => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: `old ${index}`,
    }));
    const messages: Message[] = [
      { role: 'system', content: 'You help.' },
      ...old,
      call('get_weather'),
      result('get_weather', '20 degrees'),
      { role: 'assistant', content: 'It is 20 degrees.' },
    ];
    await provider.provideTools(requestFor('And in Oslo?', messages));
    expect(inputs(decisionModel)[0]).toEqual([
      { role: 'system', text: 'You help.' },
      ...old.slice(2).map(({ role, content }) => ({ role, text: content })),
      { role: 'assistant', toolCalls: [{ tool: 'get_weather', arguments: '{"city":"Rome"}' }] },
      { role: 'tool', toolResults: [{ tool: 'get_weather', result: '20 degrees' }] },
      { role: 'assistant', text: 'It is 20 degrees.' },
      { role: 'user', text: 'And in Oslo?' },
    ]);
  });

  it('[selection.max-messages] [selection.message-filter] shows as many of the filtered messages as wanted, system messages not counted', async () => {
    const decisionModel = scriptedDecisionModel();
    const provider = new DecisionModelFilteringToolProvider({
      toolProvider: providerOf([toolNamed('a')]),
      decisionModel,
      maxMessages: 2,
      messageFilter: (message) => message.role !== 'assistant',
    });
    const messages: Message[] = [
      { role: 'system', content: 's' },
      { role: 'user', content: 'u1' },
      { role: 'assistant', content: 'a1' },
      { role: 'user', content: 'u2' },
      { role: 'assistant', content: 'a2' },
    ];
    await provider.provideTools(requestFor('u3', messages));
    expect(inputs(decisionModel)[0]).toEqual([
      { role: 'system', text: 's' },
      { role: 'user', text: 'u2' },
      { role: 'user', text: 'u3' },
    ]);
  });

  it('[selection.follow-up] [selection.request-messages] selects a follow-up by what was said before, as far as the request says it', async () => {
    const tools = [toolNamed('get_weather'), toolNamed('send_mail')];
    const decisionModel = scriptedDecisionModel({
      script: ({ input, questions }) => ({
        answers: Object.fromEntries(
          Object.entries(questions).map(([id, question]) => {
            const isWeather = question.type === 'yes-no' && question.about?.tool.name === 'get_weather';
            return [
              id,
              {
                type: 'yes-no',
                probability: isWeather && JSON.stringify(input).includes('weather in Paris') ? 0.9 : 0.1,
              },
            ];
          }),
        ),
      }),
    });
    const provider = new DecisionModelFilteringToolProvider({ toolProvider: providerOf(tools), decisionModel });
    const before: Message[] = [
      { role: 'user', content: 'weather in Paris?' },
      { role: 'assistant', content: '12 degrees.' },
    ];
    expect(names(await provider.provideTools(requestFor('do the same for Berlin', before)))).toEqual(['get_weather']);
    expect(names(await provider.provideTools(requestFor('do the same for Berlin')))).toEqual([]);
  });

  it('[selection.message-length] shortens long messages so that start and end survive and the cut is marked', async () => {
    const decisionModel = scriptedDecisionModel();
    const provider = new DecisionModelFilteringToolProvider({
      toolProvider: providerOf([toolNamed('a')]),
      decisionModel,
      maxMessageLength: 100,
    });
    await provider.provideTools(requestFor(`start${'x'.repeat(5000)}end`));
    const [message] = inputs(decisionModel)[0] as { text: string }[];
    expect(message?.text).toMatch(/^startx+ … \[\d+ characters left out\] … x+end$/u);
    expect(message?.text.length).toBeLessThanOrEqual(100);
  });

  it('[selection.message-length] cuts at 4,000 characters when nothing is said', async () => {
    const decisionModel = scriptedDecisionModel();
    const provider = new DecisionModelFilteringToolProvider({
      toolProvider: providerOf([toolNamed('a')]),
      decisionModel,
    });
    await provider.provideTools(requestFor('y'.repeat(4000), [{ role: 'user', content: 'z'.repeat(4001) }]));
    const [first, last] = inputs(decisionModel)[0] as { text: string }[];
    expect(first?.text).toContain('characters left out');
    expect(last?.text).toBe('y'.repeat(4000));
  });

  it('[selection.batches] [selection.conversation-per-batch] asks in batches, each with the conversation', async () => {
    const tools = ['a', 'b', 'c', 'd', 'e'].map((name) => toolNamed(name));
    const decisionModel = scriptedDecisionModel({ scores: { a: 0.9, e: 0.9 } });
    const provider = new DecisionModelFilteringToolProvider({
      toolProvider: providerOf(tools),
      decisionModel,
      maxToolsPerDecisionRequest: 2,
    });
    expect(names(await provider.provideTools(requestFor('go')))).toEqual(['a', 'e']);
    expect(askedNames(decisionModel)).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
    expect(decisionModel.requests.map((request) => Object.keys(request.questions))).toEqual([
      ['tool0', 'tool1'],
      ['tool0', 'tool1'],
      ['tool0'],
    ]);
    for (const input of inputs(decisionModel)) expect(input).toEqual([{ role: 'user', text: 'go' }]);
  });

  it('[selection.batches] asks about all tools at once when neither the user nor the model limits it', async () => {
    const tools = Array.from({ length: 500 }, (_, index) => toolNamed(`t${index}`));
    const decisionModel = scriptedDecisionModel();
    await new DecisionModelFilteringToolProvider({ toolProvider: providerOf(tools), decisionModel }).provideTools(
      requestFor('go'),
    );
    expect(decisionModel.requests).toHaveLength(1);
  });

  it('[selection.only-wrapped] [selection.always] passes marked and included tools without a question and asks about the wrapped ones only', async () => {
    const tools = [toolNamed('a', { visibility: 'always' }), toolNamed('b'), toolNamed('c')];
    const decisionModel = scriptedDecisionModel();
    const provider = new DecisionModelFilteringToolProvider({
      toolProvider: providerOf(tools),
      decisionModel,
      alwaysInclude: ['b', 'gone'],
    });
    expect(names(await provider.provideTools(requestFor('next')))).toEqual(['a', 'b']);
    expect(askedNames(decisionModel)).toEqual([['c']]);
  });

  it('[selection.called] passes tools that were called anywhere in the conversation, also outside the window and what the filter takes out', async () => {
    const tools = [toolNamed('a'), toolNamed('b'), toolNamed('c')];
    const decisionModel = scriptedDecisionModel();
    const provider = new DecisionModelFilteringToolProvider({
      toolProvider: providerOf(tools),
      decisionModel,
      maxMessages: 1,
      messageFilter: () => false,
    });
    const messages = [{ role: 'user', content: 'first' }, call('b'), result('b', 'done')];
    expect(names(await provider.provideTools(requestFor('next', messages)))).toEqual(['b']);
    expect(askedNames(decisionModel)).toEqual([['a', 'c']]);
  });

  it('[selection.dynamic] is dynamic when the wrapped provider is, and asks again on each call', async () => {
    const tools = [toolNamed('a'), toolNamed('b')];
    const decisionModel = scriptedDecisionModel({ scores: { a: 0.9 } });
    const provider = new DecisionModelFilteringToolProvider({ toolProvider: providerOf(tools, true), decisionModel });
    expect(provider.dynamic).toBe(true);
    expect(new DecisionModelFilteringToolProvider({ toolProvider: providerOf(tools), decisionModel }).dynamic).toBe(
      false,
    );
    await provider.provideTools(requestFor('go'));
    await provider.provideTools(requestFor('go'));
    expect(decisionModel.requests).toHaveLength(2);
  });

  it('SM-16 [selection.dynamic-results] [selection.dynamic-change] selects by what a tool result revealed, and keeps what was called', async () => {
    const tools = [toolNamed('search_crm'), toolNamed('create_ticket'), toolNamed('get_invoice')];
    const perStep: Record<string, number>[] = [
      { search_crm: 0.9 },
      { create_ticket: 0.8, get_invoice: 0.9, search_crm: 0.4 },
    ];
    const decisionModel = scriptedDecisionModel({
      script: ({ questions }, { attempt }) => ({
        answers: Object.fromEntries(
          Object.entries(questions).map(([id, question]) => {
            const name = question.type === 'yes-no' ? (question.about?.tool.name ?? '') : '';
            return [id, { type: 'yes-no', probability: perStep[attempt - 1]?.[name] ?? 0 }];
          }),
        ),
      }),
    });
    const provider = new DecisionModelFilteringToolProvider({ toolProvider: providerOf(tools, true), decisionModel });
    const user: Message = { role: 'user', content: 'look at the newest complaint and do what is needed' };
    const request = requestFor('look at the newest complaint and do what is needed');
    expect(names(await provider.provideTools({ ...request, messages: [user] }))).toEqual(['search_crm']);
    const messages = [
      user,
      call('search_crm'),
      result('search_crm', 'Complaint: wrong invoice 991, customer wants a ticket'),
    ];
    expect(names(await provider.provideTools({ ...request, messages }))).toEqual([
      'search_crm',
      'create_ticket',
      'get_invoice',
    ]);
    expect(JSON.stringify(inputs(decisionModel)[1])).toContain('wrong invoice 991');
    expect(decisionModel.requests).toHaveLength(2);
  });

  it('[selection.original] [selection.stored] selects for the message as the user sent it and sends earlier ones as stored', async () => {
    const decisionModel = scriptedDecisionModel();
    const provider = new DecisionModelFilteringToolProvider({
      toolProvider: providerOf([toolNamed('a')]),
      decisionModel,
    });
    const augmented = 'Question: who wrote it?\nDocuments: mail, calendar, weather';
    const messages: Message[] = [
      { role: 'user', content: 'earlier, with retrieved content' },
      { role: 'user', content: augmented },
      call('x'),
      result('x', 'y'),
    ];
    await provider.provideTools(requestFor(augmented, messages, 'who wrote it?'));
    expect(inputs(decisionModel)[0]).toEqual([
      { role: 'user', text: 'earlier, with retrieved content' },
      { role: 'user', text: 'who wrote it?' },
      { role: 'assistant', toolCalls: [{ tool: 'x', arguments: '{"city":"Rome"}' }] },
      { role: 'tool', toolResults: [{ tool: 'x', result: 'y' }] },
    ]);
  });

  it.each([
    ['pictures only', { role: 'user', content: [{ type: 'image', mediaType: 'image/png' }] }],
    ['white space', { role: 'user', content: '   ' }],
    ['an empty tool message', { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'x', output: '' }] }],
  ])(
    'SM-22 [selection.no-text] passes all tools without asking when the message is %s',
    async (_, userMessage: Message) => {
      const tools = [toolNamed('ocr_image'), toolNamed('get_weather')];
      const decisionModel = scriptedDecisionModel();
      const provider = new DecisionModelFilteringToolProvider({
        toolProvider: providerOf(tools),
        decisionModel,
        maxTools: 1,
      });
      expect(await provider.provideTools({ ...requestFor(''), userMessage })).toBe(tools);
      expect(decisionModel.requests).toEqual([]);
    },
  );

  it('[selection.fallback] [selection.fallback-default] passes all tools and warns on the console when the decision model fails', async () => {
    const tools = [toolNamed('a'), toolNamed('b')];
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const provider = new DecisionModelFilteringToolProvider({
      toolProvider: providerOf(tools),
      decisionModel: scriptedDecisionModel({ script: () => Promise.reject(new Error('down')) }),
    });
    expect(await provider.provideTools(requestFor('go'))).toBe(tools);
    expect(warn.mock.calls.map(([message]) => message as string)).toEqual([
      'Failed to select tools, all tools are passed on: The decision model of scripted failed: down',
    ]);
  });

  it('[selection.fallback] applies the strategy to a refusal too: drop it, or reject', async () => {
    const tools = [toolNamed('a'), toolNamed('b', { visibility: 'always' })];
    const decisionModel = scriptedDecisionModel({ scores: { a: 'refuse' } });
    const shared = { toolProvider: providerOf(tools), decisionModel, logger: silentLogger };
    const dropping = new DecisionModelFilteringToolProvider({ ...shared, fallbackStrategy: 'always-included' });
    expect(names(await dropping.provideTools(requestFor('go')))).toEqual(['b']);
    const failing = new DecisionModelFilteringToolProvider({ ...shared, fallbackStrategy: 'fail' });
    await expect(failing.provideTools(requestFor('go'))).rejects.toMatchObject({ code: 'selection-failed' });
  });

  it('gives back what the wrapped provider gives when there is nothing to select from, and rejects as it does', async () => {
    const decisionModel = scriptedDecisionModel();
    const none = new DecisionModelFilteringToolProvider({ toolProvider: providerOf([]), decisionModel });
    expect(await none.provideTools(requestFor('go'))).toEqual([]);
    const broken = { provideTools: () => Promise.reject(new Error('no server')) };
    await expect(
      new DecisionModelFilteringToolProvider({ toolProvider: broken, decisionModel }).provideTools(requestFor('go')),
    ).rejects.toThrow('no server');
    expect(decisionModel.requests).toEqual([]);
  });

  it('is known by the wrapped provider’s name, and needs a provider and a model', () => {
    const decisionModel = scriptedDecisionModel();
    const toolProvider = { id: 'github', provideTools: () => [] };
    expect(new DecisionModelFilteringToolProvider({ toolProvider, decisionModel }).id).toBe('github');
    expect(new DecisionModelFilteringToolProvider({ toolProvider: providerOf([]), decisionModel }).id).toBeUndefined();
    expect(() => new DecisionModelFilteringToolProvider({ decisionModel } as never)).toThrow(
      'A tool provider to filter is required.',
    );
    expect(() => new DecisionModelFilteringToolProvider({ toolProvider } as never)).toThrow(
      'a decision model is required',
    );
  });
});
