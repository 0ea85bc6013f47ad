import { describe, expect, it } from 'vitest';
import { approvalsOf, lastCalls, toGateMessages, unansweredCalls } from './ai-sdk-messages.ts';

const call = (toolCallId: string) => ({ type: 'tool-call', toolCallId, toolName: 'pay', input: { to: toolCallId } });
const request = (toolCallId: string) => ({
  type: 'tool-approval-request',
  approvalId: `for ${toolCallId}`,
  toolCallId,
});
const answer = (id: string, approved: boolean, reason?: string) => ({
  type: 'tool-approval-response',
  approvalId: `for ${id}`,
  approved,
  reason,
});
const result = (toolCallId: string) => ({ type: 'tool-result', toolCallId, toolName: 'pay', output: {} });

describe('approvalsOf', () => {
  it('reads the last reply only, with its answers', () => {
    const messages = [
      { role: 'assistant', content: [call('old'), request('old')] },
      { role: 'tool', content: [answer('old', true)] },
      { role: 'assistant', content: [call('a'), request('a'), call('b'), request('b'), call('c'), request('c')] },
      { role: 'tool', content: [answer('a', true), answer('b', false, 'no')] },
    ];
    expect(approvalsOf(messages)).toEqual([
      { approvalId: 'for a', call: { toolCallId: 'a', toolName: 'pay', input: { to: 'a' } }, approved: true },
      {
        approvalId: 'for b',
        call: { toolCallId: 'b', toolName: 'pay', input: { to: 'b' } },
        approved: false,
        reason: 'no',
      },
      { approvalId: 'for c', call: { toolCallId: 'c', toolName: 'pay', input: { to: 'c' } } },
    ]);
  });

  it('believes no request without its call, and none of a call that the provider runs', () => {
    const hosted = { ...call('h'), providerExecuted: true };
    expect(approvalsOf([{ role: 'assistant', content: [request('x'), hosted, request('h')] }])).toEqual([]);
    expect(approvalsOf([{ role: 'user', content: 'Hello' }])).toEqual([]);
  });
});

describe('calls in a history', () => {
  const messages = [
    { role: 'assistant', content: [call('a'), call('b')] },
    { role: 'tool', content: [result('a')] },
    { role: 'user', content: 'Well?' },
  ];

  it('finds those without a result, and where they were asked for', () => {
    expect(unansweredCalls(messages)).toEqual([{ position: 0, toolCallId: 'b', toolName: 'pay', input: { to: 'b' } }]);
  });

  it('finds those of the last reply', () => {
    expect(lastCalls(messages).map(({ toolCallId }) => toolCallId)).toEqual(['a', 'b']);
    expect(lastCalls([])).toEqual([]);
  });
});

describe('toGateMessages', () => {
  it('puts the system text first and moves what a search found to the result', () => {
    const output = { type: 'text', value: 'two', providerOptions: { toolgate: { found: ['a'] } } };
    const part = { type: 'tool-result', toolCallId: 's', toolName: 'search_tools', output };
    const [system, tool] = toGateMessages([{ role: 'tool', content: [part] }], 'Be kind.');
    expect(system).toEqual({ role: 'system', content: 'Be kind.' });
    expect(tool?.content).toEqual([{ ...part, providerOptions: { toolgate: { found: ['a'] } } }]);
    expect(toGateMessages([], { role: 'system', content: 'x' })).toEqual([{ role: 'system', content: 'x' }]);
    expect(toGateMessages([], undefined)).toEqual([]);
  });
});
