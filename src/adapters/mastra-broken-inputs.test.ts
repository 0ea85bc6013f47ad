import { describe, expect, it } from 'vitest';
import { brokenInputsOf } from './mastra-broken-inputs.ts';

const piece = (toolCallId: string, argsTextDelta: string) => ({
  type: 'tool-call-delta',
  payload: { toolCallId, argsTextDelta },
});

describe('brokenInputsOf', () => {
  it('gives what is no JSON, and only that', () => {
    const chunks = [piece('a', '{"amount"'), piece('b', '{"amount":'), piece('a', ':1'), piece('b', '2}')];
    const others = [
      piece('c', ' '),
      { type: 'text-delta', payload: { toolCallId: 'd', argsTextDelta: '{' } },
      { type: 'x' },
    ];
    expect([...brokenInputsOf([...chunks, ...others])]).toEqual([['a', '{"amount":1']]);
  });
});
