import { describe, expect, it } from 'vitest';
import { ToolCallConfirmationRequiredError } from '../core/errors.ts';
import type { Message, Reply } from '../core/message.ts';
import type { Tool } from '../core/tool.ts';
import type { DecisionModel } from '../decision/port.ts';
import { tool } from '../schema/define-tool.ts';
import { createToolGate } from './create-tool-gate.ts';

/** Twenty tools; what each run was given is written into `runs`. */
function catalogue(runs: string[] = [], count = 20): Tool[] {
  return Array.from({ length: count }, (_, index) =>
    tool({
      name: `tool_${index}`,
      description: `Does the thing number ${index}`,
      input: { type: 'object', properties: { text: { type: 'string' } } },
      execute: (args: { text?: string }) => {
        runs.push(`tool_${index}:${args.text ?? ''}`);
        return `done ${index}`;
      },
    }),
  );
}

/** Gives the named tools 0.9 and all others 0.1; counts how often it is asked. */
function chooser(...rounds: readonly (readonly string[])[]): DecisionModel & { asked: number } {
  const model = {
    provider: 'test',
    modelId: 'chooser',
    asked: 0,
    async decide(request: Parameters<DecisionModel['decide']>[0]) {
      const wanted = rounds[Math.min(model.asked, rounds.length - 1)] ?? [];
      model.asked += 1;
      return {
        answers: Object.fromEntries(
          Object.entries(request.questions).map(([id, question]) => {
            const name = question.type === 'yes-no' ? (question.about?.tool.name ?? '') : '';
            return [id, { type: 'yes-no' as const, probability: wanted.includes(name) ? 0.9 : 0.1 }];
          }),
        ),
      };
    },
  };
  return model;
}

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
const names = (tools: readonly { readonly name: string }[]): string[] => tools.map(({ name }) => name);

describe('createToolGate', () => {
  it('shows the selected tools behind the search tool, and only adds at the end', async () => {
    const decisionModel = chooser(['tool_7', 'tool_3'], ['tool_1', 'tool_9']);
    const gate = createToolGate({
      providers: [{ provideTools: () => catalogue() }],
      selection: { decisionModel, minTokens: 0 },
    });
    const first = await gate.turn({ messages: [user('one')], conversation: 'c' });
    expect(names(first.tools)).toEqual(['search_tools', 'tool_3', 'tool_7']);
    const second = await gate.turn({
      messages: [user('one'), { role: 'assistant', content: 'ok' }, user('two')],
      conversation: 'c',
    });
    expect(names(second.tools)).toEqual(['search_tools', 'tool_3', 'tool_7', 'tool_1', 'tool_9']);
    expect(second.report.entries.find(({ name }) => name === 'tool_3')).toMatchObject({ kept: true, reason: 'shown' });
    expect(second.explain()).toContain('"tool_3": shown before');
  });

  it('asks once for one user message, however many steps the loop takes (SM-24)', async () => {
    const decisionModel = chooser(['tool_7']);
    const gate = createToolGate({
      providers: [{ provideTools: () => catalogue() }],
      selection: { decisionModel, minTokens: 0 },
    });
    let turn = await gate.turn({ messages: [user('one')], conversation: 'c' });
    for (let step = 0; step < 5; step += 1)
      turn = await turn.refresh([user('one'), { role: 'assistant', content: `step ${step}` }]);
    expect(decisionModel.asked).toBe(1);
    expect(names(turn.tools)).toEqual(['search_tools', 'tool_7']);
  });

  it('passes few tools without asking, and says so', async () => {
    const decisionModel = chooser([]);
    const gate = createToolGate({
      providers: [{ provideTools: () => catalogue([], 5) }],
      selection: { decisionModel },
    });
    const turn = await gate.turn({ messages: [user('one')] });
    expect(names(turn.tools)).toEqual(['tool_0', 'tool_1', 'tool_2', 'tool_3', 'tool_4']);
    expect(turn.report.mode).toBe('skip');
    expect(decisionModel.asked).toBe(0);
  });

  it('decides once for a conversation whether it asks, and reports the change it suppresses', async () => {
    let count = 5;
    const gate = createToolGate({
      providers: [{ dynamic: true, provideTools: () => catalogue([], count) }],
      selection: { decisionModel: chooser(['tool_2']), minTokens: 0 },
    });
    const first = await gate.turn({ messages: [user('one')], conversation: 'c' });
    expect(first.tools).toHaveLength(5);
    count = 20;
    const second = await first.refresh([user('one'), { role: 'assistant', content: 'x' }]);
    expect(second.tools).toHaveLength(20);
    expect(second.report.notes.join(' ')).toContain('goes on with all tools, as it began');
    expect((await gate.turn({ messages: [user('one')], conversation: 'other' })).tools).toHaveLength(2);
  });

  it('finds tools by search, shows them from the next step on, and finds them again from the messages alone (SM-29)', async () => {
    const runs: string[] = [];
    const options = {
      providers: [{ provideTools: () => catalogue(runs) }],
      selection: { decisionModel: chooser([]), minTokens: 0 },
    };
    const gate = createToolGate(options);
    const first = await gate.turn({ messages: [user('one')], conversation: 'c' });
    expect(names(first.tools)).toEqual(['search_tools']);
    const search = reply(['search_tools', { query: 'thing number 11' }]);
    const execution = await first.execute(search);
    expect(execution.outcomes[0]).toMatchObject({ status: 'succeeded' });
    const messages = [user('one'), search, ...execution.messages];
    const second = await first.refresh(messages);
    expect(names(second.tools)).toContain('tool_11');
    expect((await second.execute(reply(['tool_11', { text: 'x' }]))).outcomes[0]).toMatchObject({
      status: 'succeeded',
    });
    expect(runs).toEqual(['tool_11:x']);
    const restarted = await createToolGate(options).turn({ messages: [...messages, user('two')], conversation: 'c' });
    expect(names(restarted.tools)).toContain('tool_11');
  });

  it('does not run a tool that was not shown, shows it instead, and runs it then (SM-01, SM-18)', async () => {
    const runs: string[] = [];
    const gate = createToolGate({
      providers: [{ provideTools: () => catalogue(runs) }],
      selection: { decisionModel: chooser(['tool_1']), minTokens: 0 },
    });
    const first = await gate.turn({ messages: [user('one')], conversation: 'c' });
    const both = reply(['search_tools', { query: 'thing number 5' }], ['tool_5', { text: 'too early' }]);
    const execution = await first.execute(both);
    expect(execution.outcomes.map(({ status }) => status)).toEqual(['succeeded', 'invalid']);
    expect(runs).toEqual([]);
    const second = await first.refresh([user('one'), both, ...execution.messages]);
    expect(names(second.tools)).toContain('tool_5');
    await second.execute(reply(['tool_5', { text: 'now' }]));
    expect(runs).toEqual(['tool_5:now']);
  });

  it('answers an unknown name with the known ones, and a forbidden one exactly alike (SM-06)', async () => {
    const gate = createToolGate({
      tools: catalogue([], 3),
      allow: (entry) => entry.name !== 'tool_2',
      selection: false,
      search: false,
    });
    const turn = await gate.turn({ messages: [user('one')] });
    expect(names(turn.tools)).toEqual(['tool_0', 'tool_1']);
    const execution = await turn.execute(reply(['tool_2'], ['tool_x']));
    const texts = execution.outcomes.map(({ result }) => result.content[0]?.text ?? '');
    expect(texts[0]?.replaceAll('tool_2', 'NAME')).toBe(texts[1]?.replaceAll('tool_x', 'NAME'));
    expect(texts[1]).toContain('tool_0');
    expect(execution.outcomes.map(({ status }) => status)).toEqual(['invalid', 'invalid']);
  });

  it('takes a leaked wrapper for parallel calls for what it is, and runs nothing inside it (SM-23)', async () => {
    const runs: string[] = [];
    const gate = createToolGate({ tools: catalogue(runs, 2), selection: false, search: false });
    const turn = await gate.turn({ messages: [user('one')] });
    const inner = { recipient_name: 'functions.tool_0', parameters: { text: 'a' } };
    const [outcome] = (await turn.execute(reply(['multi_tool_use.parallel', { tool_uses: [inner, inner] }]))).outcomes;
    expect(outcome?.status).toBe('invalid');
    expect(outcome?.result.content[0]?.text).toContain(
      'There is no tool named "multi_tool_use.parallel". Call the inner tools directly',
    );
    expect(runs).toEqual([]);
  });

  it('shows everything when nobody can be asked, and goes back to the short list afterwards', async () => {
    let broken = true;
    const working = chooser(['tool_4']);
    const gate = createToolGate({
      providers: [{ provideTools: () => catalogue() }],
      selection: {
        decisionModel: {
          provider: 'test',
          modelId: 'x',
          decide: async (...args) => (broken ? Promise.reject(new Error('down')) : await working.decide(...args)),
        },
        minTokens: 0,
      },
    });
    const first = await gate.turn({ messages: [user('one')], conversation: 'c' });
    expect(first.tools).toHaveLength(21);
    expect(first.report.degraded).toBe(true);
    broken = false;
    const second = await gate.turn({
      messages: [user('one'), { role: 'assistant', content: 'x' }, user('two')],
      conversation: 'c',
    });
    expect(names(second.tools)).toEqual(['search_tools', 'tool_4']);
  });

  it('keeps a token budget by taking out what was not used, at a new user message only', async () => {
    const decisionModel = chooser(['tool_1', 'tool_2'], ['tool_3', 'tool_4']);
    const gate = createToolGate({
      providers: [{ provideTools: () => catalogue() }],
      selection: { decisionModel, minTokens: 0, tokenBudget: 100 },
    });
    const first = await gate.turn({ messages: [user('one')], conversation: 'c' });
    expect(first.report.tokens.shown).toBe(66);
    await first.execute(reply(['tool_2']));
    const second = await gate.turn({
      messages: [user('one'), { role: 'assistant', content: 'x' }, user('two')],
      conversation: 'c',
    });
    expect(names(second.tools)).not.toContain('tool_1');
    expect(names(second.tools)).toContain('tool_2');
    expect(second.report.tokens.shown).toBeLessThanOrEqual(100);
    expect(second.report.entries.find(({ name }) => name === 'tool_1')?.reason).toBe('evicted');
  });

  it('forces only what is there (SM-03)', async () => {
    const gate = createToolGate({
      providers: [{ provideTools: () => catalogue() }],
      selection: { decisionModel: chooser([]), minTokens: 0 },
    });
    const forced = await gate.turn({ messages: [user('one')], toolChoice: { tool: 'tool_8' } });
    expect(names(forced.tools)).toEqual(['search_tools', 'tool_8']);
    expect(forced.toolChoice).toEqual({ tool: 'tool_8' });
    const missing = await gate.turn({ messages: [user('one')], toolChoice: { tool: 'gone' } });
    expect(missing.toolChoice).toBe('auto');
    expect(missing.report.notes.join(' ')).toContain('nothing is forced');
    const required = await gate.turn({ messages: [user('one')], toolChoice: 'required' });
    expect(required.tools).toHaveLength(2);
  });

  it('pauses calls that wait and runs the reply with decisions', async () => {
    const runs: string[] = [];
    const gate = createToolGate({ tools: catalogue(runs, 3), confirm: { policy: { tool_1: true } } });
    const turn = await gate.turn({ messages: [user('one')] });
    const both = reply(['tool_0', { text: 'a' }], ['tool_1', { text: 'b' }]);
    await expect(turn.execute(both)).rejects.toThrow(ToolCallConfirmationRequiredError);
    expect(runs).toEqual([]);
  });

  it('gives one conversation of two principals two lists (SM-20)', async () => {
    const decisionModel = chooser(['tool_1'], ['tool_2']);
    const gate = createToolGate({
      providers: [{ provideTools: () => catalogue() }],
      selection: { decisionModel, minTokens: 0 },
    });
    const a = await gate.turn({ messages: [user('one')], conversation: 'c', principal: { id: 'a' } });
    const b = await gate.turn({ messages: [user('one')], conversation: 'c', principal: { id: 'b' } });
    expect(names(a.tools)).toEqual(['search_tools', 'tool_1']);
    expect(names(b.tools)).toEqual(['search_tools', 'tool_2']);
  });

  it('works on when one provider fails', async () => {
    const gate = createToolGate({
      providers: [
        { id: 'broken', provideTools: () => Promise.reject(new Error('no connection')) },
        { id: 'fine', provideTools: () => catalogue([], 2) },
      ],
    });
    const turn = await gate.turn({ messages: [user('one')] });
    expect(names(turn.tools)).toEqual(['tool_0', 'tool_1']);
    expect(turn.catalogue.problems).toMatchObject([{ code: 'provider-failed', provider: 'broken' }]);
  });
});

describe('a gate over a large catalogue with a model that is asked in batches', () => {
  it('puts questions about a hundred tools, the likeliest among them, and says what was cut', async () => {
    const questions: string[] = [];
    const gate = createToolGate({
      providers: [{ provideTools: () => catalogue([], 400) }],
      selection: {
        decisionModel: {
          provider: 'test',
          modelId: 'remote',
          limits: { maxQuestions: 100 },
          async decide(request) {
            const entries = Object.entries(request.questions);
            questions.push(...entries.map(([, question]) => question.text));
            return { answers: Object.fromEntries(entries.map(([id]) => [id, { type: 'yes-no', probability: 0.1 }])) };
          },
        },
      },
    });
    const turn = await gate.turn({ messages: [user('Please do the thing number 377')] });
    expect(questions).toHaveLength(100);
    expect(questions.join('\n')).toContain('tool_377');
    expect(turn.report.requests).toBe(1);
    expect(turn.report.entries.filter(({ reason }) => reason === 'shortlist')).toHaveLength(300);
  });
});
