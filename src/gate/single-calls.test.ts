import { describe, expect, it } from 'vitest';
import { tool } from '../schema/define-tool.ts';
import { memoryStore } from '../stores/memory.ts';
import { createToolGate } from './create-tool-gate.ts';

function setUp() {
  const ran: unknown[] = [];
  const make = (name: string) =>
    tool({
      name,
      description: `Does ${name}.`,
      input: { type: 'object', properties: { to: { type: 'string' } } },
      execute: (args: unknown) => {
        ran.push([name, args]);
        return `${name} done`;
      },
    });
  const gate = createToolGate({
    providers: [{ provideTools: () => [make('refund'), make('look_up')] }],
    selection: { decisionModel: emptyModel, minTools: 0, minTokens: 0, minProbability: 0.5 },
    confirm: { policy: { refund: true } },
    store: memoryStore(),
  });
  return { gate, ran };
}

/** Finds nothing useful. */
const emptyModel = {
  provider: 'test',
  modelId: 'test',
  decide: async ({ questions }: { readonly questions: Readonly<Record<string, unknown>> }) => ({
    answers: Object.fromEntries(Object.keys(questions).map((id) => [id, { type: 'yes-no' as const, probability: 0 }])),
  }),
};

const refund = { toolCallId: 'a', toolName: 'refund', input: { to: 'ada' } };
const look = { toolCallId: 'b', toolName: 'look_up', input: { to: 'ada' } };

describe('gate.calls', () => {
  it('records a call that waits, and runs it once when it is approved', async () => {
    const { gate, ran } = setUp();
    const options = { conversation: 'c', messages: [] };
    expect(await gate.calls.find(refund, options)).toBeUndefined();
    const proposal = await gate.calls.propose(refund, options);
    expect(proposal.waits).toBe(true);
    const pause = await gate.calls.find(refund, options);
    expect(pause?.id).toBe(proposal.pause?.id);
    await expect(gate.calls.execute(refund, options)).rejects.toMatchObject({ code: 'confirmation-required' });
    await gate.confirmations.decide(pause?.id ?? '', { '0.a': { type: 'approve' } }, { principal: { id: 'boss' } });
    expect(await gate.calls.propose(refund, options)).toEqual({ waits: false });
    const outcomes = await Promise.all([gate.calls.execute(refund, options), gate.calls.execute(refund, options)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
    expect(ran).toEqual([['refund', { to: 'ada' }]]);
  });

  it('records nothing of a call that needs nobody', async () => {
    const { gate, ran } = setUp();
    const options = { conversation: 'c', messages: [] };
    expect(await gate.calls.propose(look, options)).toEqual({ waits: false });
    expect(await gate.calls.find(look, options)).toBeUndefined();
    expect(ran).toEqual([]);
  });

  it('does not run a call of a tool that its turn did not show, and shows the tool from then on', async () => {
    const { gate, ran } = setUp();
    const messages = [{ role: 'user', content: 'Hello' }];
    const turn = await gate.turn({ messages, conversation: 'c' });
    expect(turn.tools.map(({ name }) => name)).toEqual(['search_tools']);
    const hidden = await gate.calls.execute(look, { turn });
    expect(hidden.status).toBe('invalid');
    const next = await turn.refresh(messages);
    expect(next.tools.map(({ name }) => name)).toEqual(['search_tools', 'look_up']);
    expect((await gate.calls.execute(look, { turn: next })).status).toBe('succeeded');
    expect(ran).toEqual([['look_up', { to: 'ada' }]]);
  });

  it('shows what a search through a single call found', async () => {
    const { gate } = setUp();
    const messages = [{ role: 'user', content: 'Hello' }];
    const turn = await gate.turn({ messages, conversation: 'c' });
    const search = { toolCallId: 's', toolName: 'search_tools', input: { query: 'refund' } };
    expect((await gate.calls.execute(search, { turn })).status).toBe('succeeded');
    const next = await turn.refresh(messages);
    expect(next.tools.map(({ name }) => name)).toContain('refund');
  });

  it('gives the right to run to one claimer only', async () => {
    const { gate, ran } = setUp();
    const options = { conversation: 'c', messages: [] };
    const answer = await gate.calls.claim(look, options);
    if (answer.type !== 'run') throw new Error('The call should be free.');
    expect((await gate.calls.finish(answer.claim, 'seen')).status).toBe('succeeded');
    expect(await gate.calls.claim(look, options)).toMatchObject({ type: 'settled', outcome: { status: 'succeeded' } });
    expect(ran).toEqual([]);
  });
});
