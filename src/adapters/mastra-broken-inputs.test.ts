import { describe, expect, it } from 'vitest';
import { BrokenInputs } from './mastra-broken-inputs.ts';

const piece = (toolCallId: string, argsTextDelta: string) => ({
  type: 'tool-call-delta',
  payload: { toolCallId, argsTextDelta },
});

describe('BrokenInputs', () => {
  it('keeps what is no JSON when the reply has ended, and only that', () => {
    const broken = new BrokenInputs();
    const state = {};
    for (const part of [piece('a', '{"amount"'), piece('b', '{"amount":'), piece('a', ':1'), piece('b', '2}')])
      broken.read(part, state);
    broken.read(piece('c', ' '), state);
    broken.read({ type: 'text-delta', payload: { toolCallId: 'd', argsTextDelta: '{' } }, state);
    expect(broken.of('a')).toBeUndefined();
    broken.settle(state);
    expect(['a', 'b', 'c', 'd', undefined].map((id) => broken.of(id))).toEqual([
      '{"amount":1',
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('keeps two runs with one id apart, and forgets when the id comes again whole', () => {
    const broken = new BrokenInputs();
    const [one, two] = [{}, {}];
    broken.read(piece('a', '{"x"'), one);
    broken.read(piece('a', '{}'), two);
    broken.settle(one);
    expect(broken.of('a')).toBe('{"x"');
    broken.settle(two);
    expect(broken.of('a')).toBeUndefined();
  });
});
