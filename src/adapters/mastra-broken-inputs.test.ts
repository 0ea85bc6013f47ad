import { describe, expect, it } from 'vitest';
import { BrokenInputs } from './mastra-broken-inputs.ts';

const piece = (toolCallId: string, argsTextDelta: string) => ({
  type: 'tool-call-delta',
  payload: { toolCallId, argsTextDelta },
});

describe('BrokenInputs', () => {
  it('gives what is no JSON when the reply has ended, once, and only that', () => {
    const broken = new BrokenInputs();
    const state = {};
    for (const part of [piece('a', '{"amount"'), piece('b', '{"amount":'), piece('a', ':1'), piece('b', '2}')])
      broken.read(part, state);
    broken.read(piece('c', ' '), state);
    broken.read({ type: 'text-delta', payload: { toolCallId: 'd', argsTextDelta: '{' } }, state);
    expect([...broken.take(state)]).toEqual([['a', '{"amount":1']]);
    expect([...broken.take(state)]).toEqual([]);
  });

  it('keeps two runs with one id apart', () => {
    const broken = new BrokenInputs();
    const [one, two] = [{}, {}];
    broken.read(piece('a', '{"x"'), one);
    broken.read(piece('a', '{}'), two);
    expect([...broken.take(one)]).toEqual([['a', '{"x"']]);
    expect([...broken.take(two)]).toEqual([]);
  });
});
