import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message, Reply } from '../core/message.ts';
import type { Tool } from '../core/tool.ts';
import type { DecisionModel } from '../decision/port.ts';
import { Bm25ToolSearchStrategy } from '../search/bm25-strategy.ts';
import { tool } from '../schema/define-tool.ts';
import { createToolGate } from './create-tool-gate.ts';
import type { ToolTurn } from './types.ts';

const colours = ['amber', 'blue', 'coral', 'denim', 'ebony', 'fawn', 'gold', 'hazel', 'ivory', 'jade'];
const forbidden = new Set(['paint_coral', 'paint_hazel']);
const tools: readonly Tool[] = colours.map((colour) =>
  tool({
    name: `paint_${colour}`,
    description: `Paints in ${colour}`,
    input: { type: 'object' },
    execute: () => `painted ${colour}`,
  }),
);

/** Useful is whose colour the last user message names. */
const model: DecisionModel = {
  provider: 'test',
  modelId: 'by-colour',
  decide: async ({ questions, context }) => {
    const said = JSON.stringify(context?.messages.findLast(({ role }) => role === 'user'));
    return {
      answers: Object.fromEntries(
        Object.entries(questions).map(([id, question]) => {
          const name = question.type === 'yes-no' ? (question.about?.tool.name ?? '') : '';
          return [id, { type: 'yes-no' as const, probability: said.includes(name.replace('paint_', '')) ? 0.9 : 0.1 }];
        }),
      ),
    };
  },
};

const colour = fc.constantFrom(...colours);
const step = fc.oneof(
  fc.record({ type: fc.constant('say' as const), colours: fc.array(colour, { maxLength: 4 }) }),
  fc.record({ type: fc.constant('refresh' as const) }),
  fc.record({ type: fc.constant('search' as const), query: fc.oneof(colour, fc.constant('*'), fc.string()) }),
  fc.record({ type: fc.constant('call' as const), colour }),
  fc.record({ type: fc.constant('vanish' as const), colour }),
  fc.record({ type: fc.constant('appear' as const), colour }),
  fc.record({ type: fc.constant('force' as const), colour }),
);

interface Checked {
  readonly names: readonly string[];
  readonly turn: ToolTurn;
}

/** What holds for every turn, given the one before it. */
function check(turn: ToolTurn, before: Checked | undefined, present: ReadonlySet<string>): Checked {
  const names = turn.tools.map(({ name }) => name);
  expect(names[0]).toBe('search_tools');
  expect(new Set(names).size).toBe(names.length);
  for (const name of names.slice(1)) {
    expect(present.has(name)).toBe(true);
    expect(turn.catalogue.get(name)).toBeDefined();
  }
  expect(
    turn.report.entries
      .filter(({ kept }) => kept)
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(names.slice(1).toSorted());
  const evicted = new Set(turn.report.entries.filter(({ reason }) => reason === 'evicted').map(({ name }) => name));
  const staying = (before?.names ?? []).filter((name) => name === 'search_tools' || present.has(name));
  const expected = staying.filter((name) => !evicted.has(name));
  expect(names.slice(0, expected.length)).toEqual(expected);
  if (typeof turn.toolChoice === 'object') expect(names).toContain(turn.toolChoice.tool);
  noHint(turn.tools, turn.report, turn.explain());
  return { names, turn };
}

function noHint(...given: readonly unknown[]): void {
  // A forced name is the caller's own word, and the note about it repeats it.
  const text = JSON.stringify(given).replaceAll(/The forced tool [^ ]+ is not there/gu, '');
  for (const name of forbidden) expect(text).not.toContain(name);
}

async function play(
  steps: readonly (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[],
  tokenBudget?: number,
) {
  const present = new Set(tools.map(({ name }) => name));
  const allowed = (): ReadonlySet<string> => new Set([...present].filter((name) => !forbidden.has(name)));
  const gate = createToolGate({
    providers: [{ dynamic: true, provideTools: () => tools.filter(({ name }) => present.has(name)) }],
    allow: ({ name }) => !forbidden.has(name),
    search: new Bm25ToolSearchStrategy({ toolName: 'search_tools' }),
    selection: {
      decisionModel: model,
      minTools: 0,
      minTokens: 0,
      ...(tokenBudget === undefined ? {} : { tokenBudget }),
    },
  });
  const messages: Message[] = [{ role: 'user', content: 'Hello' }];
  let last = check(await gate.turn({ messages: [...messages], conversation: 'c' }), undefined, allowed());
  const run = async (toolName: string, input: unknown): Promise<string | undefined> => {
    const reply: Reply = {
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId: `c${messages.length}`, toolName, input }],
    };
    const wasShown = last.names.includes(toolName);
    const execution = await last.turn.execute(reply);
    const outcome = execution.outcomes[0];
    messages.push(reply, ...execution.messages);
    // What the model itself has said is in its own call; what it is told must hold nothing forbidden that it did not say.
    if (!forbidden.has(toolName)) {
      const text = JSON.stringify(outcome?.result);
      const asked = JSON.stringify(input);
      for (const name of forbidden) if (!asked.includes(name)) expect(text).not.toContain(name);
    } else expect(outcome?.status).toBe('invalid');
    if (wasShown) expect(outcome?.status).toBe('succeeded');
    return outcome?.status;
  };
  for (const one of steps) {
    if (one.type === 'vanish') present.delete(`paint_${one.colour}`);
    else if (one.type === 'appear') present.add(`paint_${one.colour}`);
    else if (one.type === 'search') await run('search_tools', { query: one.query });
    else if (one.type === 'call') await run(`paint_${one.colour}`, {});
    if (one.type === 'say' || one.type === 'force') {
      const said = one.type === 'say' ? one.colours.join(' ') : 'do it';
      messages.push({ role: 'user', content: said === '' ? 'something else' : said });
      const toolChoice = one.type === 'force' ? { tool: `paint_${one.colour}` } : ('auto' as const);
      const turn = await gate.turn({ messages: [...messages], conversation: 'c', toolChoice });
      last = check(turn, last, allowed());
      if (one.type === 'force' && forbidden.has(`paint_${one.colour}`)) expect(turn.toolChoice).toBe('auto');
    } else if (one.type !== 'vanish' && one.type !== 'appear') {
      last = check(await last.turn.refresh([...messages]), last, allowed());
    }
  }
}

describe('a gate, whatever happens in a conversation', () => {
  it('lists the search tool first, only adds at the end, repeats nothing and never hints at what is forbidden', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), (steps) => play(steps)),
      { numRuns: 150 },
    );
  });

  it('takes out only what it says it takes out, when a budget is set', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.integer({ min: 0, max: 150 }), (steps, budget) =>
        play(steps, budget),
      ),
      { numRuns: 150 },
    );
  });
});
