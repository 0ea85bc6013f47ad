import { describe, expect, it } from 'vitest';
import { hasText, messageText, toolCallParts } from './message.ts';

describe('messageText', () => {
  it('joins text parts and leaves everything else out', () => {
    expect(
      messageText({
        role: 'user',
        content: [{ type: 'text', text: 'a' }, { type: 'image' }, { type: 'text', text: 'b' }],
      }),
    ).toBe('a\nb');
    expect(messageText({ role: 'user', content: 'plain' })).toBe('plain');
  });

  it('knows a message of pictures only', () => {
    expect(hasText({ role: 'user', content: [{ type: 'image' }] })).toBe(false);
    expect(hasText({ role: 'user', content: ' \n ' })).toBe(false);
    expect(hasText({ role: 'user', content: 'x' })).toBe(true);
  });
});

describe('toolCallParts', () => {
  it('keeps a whole part as the same object and completes a broken one', () => {
    const whole = { type: 'tool-call', toolCallId: 'a', toolName: 'read', input: {} };
    const broken = { type: 'tool-call', toolName: 'read' };
    const parts = toolCallParts({ role: 'assistant', content: [whole, broken] });
    expect(parts[0]).toBe(whole);
    expect(parts[1]).toEqual({ type: 'tool-call', toolCallId: '', toolName: 'read', input: undefined });
  });
});
