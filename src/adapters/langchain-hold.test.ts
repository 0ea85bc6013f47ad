import { describe, expect, it } from 'vitest';
import { ReplyHold, soon } from './langchain-hold.ts';
import type { HeldCall } from './langchain-hold.ts';
import type { LangchainMessage } from './langchain-types.ts';

class Interrupt extends Error {
  readonly is_bubble_up = true;
  readonly interrupts: readonly unknown[];

  constructor(interrupts: readonly unknown[]) {
    super('interrupted');
    this.interrupts = interrupts;
  }
}

function callsOf(signal: AbortSignal | undefined, answered: readonly string[] = []) {
  const reply: LangchainMessage = { content: '', id: 'reply', getType: () => 'ai' };
  const answers = answered.map((id) => ({ content: '', tool_call_id: id, getType: () => 'tool' }));
  const earlier = { content: '', tool_call_id: 'a', getType: () => 'tool' };
  const calls = ['a', 'b', 'c'].map((toolCallId, ordinal) => ({
    key: `${ordinal}.${toolCallId}`,
    replyId: `reply/${ordinal}`,
    toolCallId,
    toolName: toolCallId,
    input: {},
  }));
  const history = [earlier, reply, ...answers];
  return calls.map((call): HeldCall => ({ reply, call, calls, history, runtime: { signal }, tool: undefined }));
}

async function passAll(hold: ReplyHold<HeldCall>, held: readonly HeldCall[]): Promise<readonly unknown[]> {
  const ends = await Promise.allSettled(held.map(async (one) => await hold.pass(one)));
  return ends.map((end) => (end.status === 'fulfilled' ? 'passed' : end.reason));
}

describe('ReplyHold', () => {
  it('lets the first call ask for all, and all go on with it', async () => {
    const asked: unknown[] = [];
    const hold = new ReplyHold(async ({ call }, tools) => {
      await soon();
      asked.push([call.key, [...tools.keys()]]);
    });
    const { signal } = new AbortController();
    expect(await passAll(hold, callsOf(signal))).toEqual(['passed', 'passed', 'passed']);
    expect(asked).toEqual([['0.a', ['a', 'b', 'c']]]);
  });

  it('ends the others without an interrupt of their own, after the first, and with its error when it failed', async () => {
    const order: string[] = [];
    const { signal } = new AbortController();
    const held = callsOf(signal);
    const hold = new ReplyHold(async () => {
      await soon();
      throw new Interrupt(['ask']);
    });
    const ends = held.map(
      async (one) => await hold.pass(one).catch((error: unknown) => (order.push(one.call.key), error)),
    );
    expect((await Promise.all(ends)).map((end) => (end as Interrupt).interrupts)).toEqual([['ask'], [], []]);
    expect(order[0]).toBe('0.a');
    const failure = new Error('no store');
    const failing = new ReplyHold(() => Promise.reject(failure));
    expect(await passAll(failing, held)).toEqual([failure, failure, failure]);
  });

  it('lets a call ask for itself in another step, before the first, or without a signal to know the step by', async () => {
    const asked: string[] = [];
    const hold = new ReplyHold(async ({ call }) => {
      asked.push(call.key);
      await soon();
    });
    const [first, second, third] = callsOf(new AbortController().signal) as [HeldCall, HeldCall, HeldCall];
    await passAll(hold, [second, first, third]);
    expect(asked).toEqual(['1.b', '0.a']);
    await passAll(hold, callsOf(new AbortController().signal).slice(1));
    expect(asked.slice(2)).toEqual(['1.b', '2.c']);
    await passAll(hold, callsOf(undefined));
    expect(asked.slice(4)).toEqual(['0.a', '1.b', '2.c']);
  });

  it('takes the first call that has no answer after the reply', async () => {
    const asked: string[] = [];
    const hold = new ReplyHold(async ({ call }) => {
      asked.push(call.key);
      await soon();
    });
    await passAll(hold, callsOf(new AbortController().signal, ['a']).slice(1));
    expect(asked).toEqual(['1.b']);
  });
});
