import { describe, expect, it } from 'vitest';
import { resultText, toToolResult } from './result.ts';

describe('toToolResult', () => {
  it('wraps text and JSON, and keeps a result as it is', () => {
    expect(toToolResult('done')).toEqual({ content: [{ type: 'text', text: 'done' }] });
    expect(toToolResult({ n: 1 })).toEqual({ content: [{ type: 'text', text: '{"n":1}' }], structured: { n: 1 } });
    expect(toToolResult(undefined)).toEqual({ content: [] });
    const result = { content: [{ type: 'image', data: 'AA==', mimeType: 'image/png' }], isError: true };
    expect(toToolResult(result)).toBe(result);
  });

  it('does not take JSON for a result that only looks like one', () => {
    expect(toToolResult({ content: ['plain'] }).structured).toEqual({ content: ['plain'] });
  });
});

describe('resultText', () => {
  it('is the text, or the JSON of the structured part where there is none', () => {
    expect(resultText({ content: [{ type: 'text', text: 'a' }, { type: 'image' }, { type: 'text', text: 'b' }] })).toBe(
      'a\nb',
    );
    expect(resultText({ content: [], structured: { n: 1 } })).toBe('{"n":1}');
  });
});
