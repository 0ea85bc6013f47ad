import { describe, expect, it } from 'vitest';
import { callsOfReply, takeUpInvalidCalls, toGateMessages, toResult } from './langchain-messages.ts';
import type { LangchainMessage } from './langchain-types.ts';

function message(type: string, fields: Partial<LangchainMessage> = {}): LangchainMessage {
  return { content: '', ...fields, getType: () => type };
}

describe('toGateMessages', () => {
  it('translates roles, calls and results, with what a search found', () => {
    const messages = [
      message('human', { content: 'Pay.' }),
      message('ai', { content: 'Yes.', tool_calls: [{ id: 'a', name: 'pay', args: { to: 'ada' } }] }),
      message('tool', {
        content: 'paid',
        tool_call_id: 'a',
        name: 'pay',
        artifact: { toolgate: { found: ['refund'] } },
      }),
      message('function', { content: 'x' }),
    ];
    expect(toGateMessages(messages, message('system', { content: 'Be kind.' }))).toEqual([
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'Pay.' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Yes.' },
          { type: 'tool-call', toolCallId: 'a', toolName: 'pay', input: { to: 'ada' } },
        ],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'a',
            toolName: 'pay',
            output: { type: 'content', value: [{ type: 'text', text: 'paid' }] },
            providerOptions: { toolgate: { found: ['refund'] } },
          },
        ],
      },
      { role: 'function', content: 'x' },
    ]);
  });

  it('leaves out an empty system message and calls that a provider repeats among the content', () => {
    const reply = message('ai', {
      content: [{ type: 'text', text: 'a' }, { type: 'tool_use', id: 'a' }, 'b', 7],
    });
    expect(toGateMessages([reply], message('system'))).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
    ]);
  });
});

describe('callsOfReply', () => {
  it('tells calls with one id apart', () => {
    const calls = [
      { id: 'x', name: 'pay', args: { to: 'ada' } },
      { id: 'x', name: 'pay', args: { to: 'bob' } },
      { name: 'pay', args: {} },
    ];
    expect(
      callsOfReply(message('ai', { id: 'm', tool_calls: calls })).map(({ key, replyId }) => [key, replyId]),
    ).toEqual([
      ['0.x', 'm/0'],
      ['1.x', 'm/1'],
      ['2.', 'm/2'],
    ]);
  });
});

describe('takeUpInvalidCalls', () => {
  it('makes calls of what LangChain puts aside, with the text as the model wrote it', () => {
    const reply = message('ai', {
      tool_calls: [],
      invalid_tool_calls: [
        { id: 'a', name: 'pay', args: '{"to":' },
        { name: 'pay', args: 'no id' },
      ],
    });
    takeUpInvalidCalls(reply);
    expect(callsOfReply(reply).map(({ toolCallId, input }) => [toolCallId, input])).toEqual([['a', '{"to":']]);
  });

  it('finds what LangChain has mended from pieces', () => {
    const reply = message('ai', {
      tool_calls: [
        { id: 'a', name: 'pay', args: { amount: 1 } },
        { id: 'b', name: 'ping', args: {} },
        { id: 'c', name: 'pay', args: { amount: 2 } },
      ],
      invalid_tool_calls: [],
      tool_call_chunks: [
        { id: 'a', name: 'pay', args: '{"amount":1' },
        { id: 'b', name: 'ping', args: '' },
        { id: 'c', name: 'pay', args: '{"amount":2}' },
      ],
    });
    takeUpInvalidCalls(reply);
    expect(callsOfReply(reply).map(({ input }) => input)).toEqual(['{"amount":1', {}, { amount: 2 }]);
  });
});

describe('toResult', () => {
  it('keeps that a tool failed', () => {
    expect(toResult(message('tool', { content: 'no', status: 'error' }))).toEqual({
      content: [{ type: 'text', text: 'no' }],
      isError: true,
    });
  });
});
