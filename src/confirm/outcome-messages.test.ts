import { describe, expect, it } from 'vitest';
import type { Outcome } from '../core/outcome.ts';
import type { ReturnBehavior, ToolResult } from '../core/tool.ts';
import { isReturnDirect, outcomeMessages, toolResultPart } from './outcome-messages.ts';

const outcome = (status: Outcome['status'], result: ToolResult, more: Partial<Outcome> = {}): Outcome => ({
  key: '0.a',
  toolCallId: 'a',
  toolName: 't',
  status,
  result,
  ...more,
});
const text = { content: [{ type: 'text', text: 'hello' }] };

describe('toolResultPart', () => {
  it.each([
    [outcome('succeeded', text), { type: 'text', value: 'hello' }],
    [outcome('succeeded', { ...text, structured: { a: 1 } }), { type: 'json', value: { a: 1 } }],
    [outcome('responded', text), { type: 'text', value: 'hello' }],
    [outcome('denied', text), { type: 'execution-denied', reason: 'hello' }],
    [outcome('failed', { ...text, isError: true }), { type: 'error-text', value: 'hello' }],
    [outcome('expired', text), { type: 'error-text', value: 'hello' }],
    [
      outcome('succeeded', text, { note: 'changed' }),
      {
        type: 'content',
        value: [
          { type: 'text', text: 'changed' },
          { type: 'text', text: 'hello' },
        ],
      },
    ],
    [outcome('failed', text, { note: 'changed' }), { type: 'error-text', value: 'changed\nhello' }],
    [
      outcome('succeeded', {
        content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }, { type: 'resource_link', uri: 'x' } as never],
      }),
      {
        type: 'content',
        value: [
          { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AAAA' } },
          { type: 'text', text: '{"type":"resource_link","uri":"x"}' },
        ],
      },
    ],
  ] as const)('%j', (given, output) => {
    expect(toolResultPart(given)).toEqual({ type: 'tool-result', toolCallId: 'a', toolName: 't', output });
  });

  it('makes no message of nothing', () => {
    expect(outcomeMessages([])).toEqual([]);
  });
});

describe('isReturnDirect', () => {
  const direct = (behaviors: readonly ReturnBehavior[], statuses: readonly Outcome['status'][]): boolean => {
    const outcomes = statuses.map((status, index) => outcome(status, text, { key: String(index) }));
    return isReturnDirect(outcomes, new Map(behaviors.map((behavior, index) => [String(index), behavior])));
  };
  it.each([
    [['immediate'], ['succeeded'], true],
    [['immediate', 'immediate'], ['succeeded', 'succeeded'], true],
    [['immediate', 'to-model'], ['succeeded', 'succeeded'], false],
    [['to-model', 'immediate'], ['succeeded', 'succeeded'], false],
    [['to-model', 'immediate-if-last'], ['succeeded', 'succeeded'], true],
    [['immediate-if-last', 'to-model'], ['succeeded', 'succeeded'], false],
    [['immediate', 'immediate'], ['succeeded', 'denied'], false],
    [['immediate'], ['failed'], false],
    [[], [], false],
  ] as const)('%j with %j: %s', (behaviors, statuses, expected) => {
    expect(direct(behaviors, statuses)).toBe(expected);
  });
});
