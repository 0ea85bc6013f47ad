import { describe, expect, it } from 'vitest';
import { readArguments, toGateMessages, withUsableCalls } from './openai-agents-messages.ts';

describe('toGateMessages', () => {
  it('reads texts, calls and results, and what a search found', () => {
    const input = [
      { role: 'user', content: [{ type: 'input_text', text: 'Hello' }, { type: 'input_image' }] },
      { type: 'function_call', callId: 's', name: 'search_tools', arguments: '{"query":"mail"}' },
      {
        type: 'function_call_result',
        callId: 's',
        name: 'search_tools',
        output: { type: 'text', text: 'Tools found: a, b\nmore' },
      },
      { type: 'function_call_result', callId: 'x', name: 'other', output: 'Tools found: c' },
      { type: 'reasoning' },
    ];
    expect(toGateMessages(input, 'Be kind.', new Set(['search_tools']))).toEqual([
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: [{ type: 'text', text: 'Hello' }, { type: 'input_image' }] },
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: 's', toolName: 'search_tools', input: '{"query":"mail"}' }],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 's',
            toolName: 'search_tools',
            output: { type: 'text', value: 'Tools found: a, b\nmore' },
            providerOptions: { toolgate: { found: ['a', 'b'] } },
          },
        ],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'x',
            toolName: 'other',
            output: { type: 'text', value: 'Tools found: c' },
          },
        ],
      },
    ]);
    expect(toGateMessages('Hi', undefined, new Set())).toEqual([{ role: 'user', content: 'Hi' }]);
  });
});

describe("searches of the SDK's own kind", () => {
  const input = [
    {
      type: 'tool_search_call',
      id: 'i',
      arguments: { query: 'mail' },
      providerData: { call_id: 's', execution: 'client' },
    },
    { type: 'tool_search_output', providerData: { call_id: 's' }, tools: [{ type: 'function', name: 'a' }, null, {}] },
  ];

  it('are searches of the gate where it makes them, and nothing where somebody else does', () => {
    const search = { toolCallId: 's', toolName: 'search_tools' };
    expect(toGateMessages(input, undefined, new Set(['search_tools']), 'search_tools')).toEqual([
      { role: 'assistant', content: [{ type: 'tool-call', ...search, input: { query: 'mail' } }] },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            ...search,
            output: { type: 'text', value: 'Tools found: a' },
            providerOptions: { toolgate: { found: ['a'] } },
          },
        ],
      },
    ]);
    expect(toGateMessages(input, undefined, new Set(['search_tools']))).toEqual([]);
  });
});

describe('withUsableCalls', () => {
  const call = (callId: string, text: string) => ({ type: 'function_call', callId, name: 'a', arguments: text });

  it('gives each call an id of its own, in the response and in the history', () => {
    const ids = withUsableCalls(
      [call('x', '{}'), call('x', '{}'), call('', '{}'), call('y', '{}')],
      [call('x', '{}')],
    ).map(({ callId }) => callId);
    expect(ids).toEqual(['x-2', 'x-3', 'call-2', 'y']);
  });

  it('leaves alone what is fine', () => {
    const output = [call('x', '{"a":1}'), { type: 'message', callId: 'x' }];
    expect(withUsableCalls(output, 'Hello')).toEqual(output);
  });

  it('carries arguments that are no JSON inside JSON, and reads them back', () => {
    const [changed] = withUsableCalls([call('x', '{"a":')], []);
    expect(() => JSON.parse(changed?.arguments ?? '') as unknown).not.toThrow();
    expect(readArguments(changed?.arguments)).toBe('{"a":');
    expect(readArguments('{"a":1}')).toEqual({ a: 1 });
    expect(readArguments({ a: 1 })).toEqual({ a: 1 });
  });
});
