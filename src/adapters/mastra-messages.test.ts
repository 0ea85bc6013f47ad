import { describe, expect, it } from 'vitest';
import { toGateMessages } from './mastra-messages.ts';

describe('toGateMessages', () => {
  it('parts calls and results, which stand in one message, and finds what a search found', () => {
    const invocation = { toolCallId: 'a', toolName: 'search_tools', args: { query: 'pay' } };
    const result = { text: 'refund: pays back', toolgate: { found: ['refund'] } };
    const parts = [
      { type: 'step-start' },
      { type: 'text', text: 'I look.' },
      { type: 'tool-invocation', toolInvocation: { ...invocation, state: 'result', result } },
      { type: 'tool-invocation', toolInvocation: { ...invocation, toolCallId: 'b', state: 'call' } },
    ];
    const call = { type: 'tool-call', toolName: 'search_tools', input: { query: 'pay' } };
    expect(
      toGateMessages(
        [
          { role: 'user', content: 'Hello.' },
          { role: 'assistant', content: { parts } },
        ],
        [{ role: 'system', content: 'Be kind.' }],
      ),
    ).toEqual([
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'Hello.' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I look.' },
          { ...call, toolCallId: 'a' },
          { ...call, toolCallId: 'b' },
        ],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'a',
            toolName: 'search_tools',
            output: { type: 'json', value: result },
            providerOptions: { toolgate: { found: ['refund'] } },
          },
        ],
      },
    ]);
  });
});
