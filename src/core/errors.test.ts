import { describe, expect, it } from 'vitest';
import { ToolCallConfirmationRequiredError, ToolgateError, errorMessage, isToolgateError } from './errors.ts';

describe('ToolgateError', () => {
  it('survives JSON with its code, message and data', () => {
    const error = new ToolgateError('decision-unknown-key', 'No call has the key 7.x.', {
      data: { key: '7.x', known: ['0.a'] },
      cause: new Error('inner'),
    });
    const back = ToolgateError.fromJSON(JSON.parse(JSON.stringify(error)));
    expect(back).toMatchObject({
      code: 'decision-unknown-key',
      message: 'No call has the key 7.x.',
      data: { key: '7.x', known: ['0.a'] },
    });
    expect(isToolgateError(back)).toBe(true);
    expect(isToolgateError(new Error('other'))).toBe(false);
  });

  it('refuses what is not one', () => {
    expect(() => ToolgateError.fromJSON('boom')).toThrow('Not a serialized toolgate error');
  });
});

describe('ToolCallConfirmationRequiredError', () => {
  it('lists the keys in the model’s order, and comes back as itself', () => {
    const error = new ToolCallConfirmationRequiredError(['1.b', '0.a'], { id: 'pause_1', expiresAt: null });
    const back = ToolgateError.fromJSON(structuredClone(error.toJSON()));
    expect(back).toBeInstanceOf(ToolCallConfirmationRequiredError);
    expect((back as ToolCallConfirmationRequiredError).toolCallIds).toEqual(['1.b', '0.a']);
    expect((back as ToolCallConfirmationRequiredError).pause).toEqual({ id: 'pause_1', expiresAt: null });
    expect(back.message).toBe(error.message);
  });

  it('keeps its own copy of the keys', () => {
    const keys = ['0.a'];
    const error = new ToolCallConfirmationRequiredError(keys);
    keys.push('1.b');
    expect(error.toolCallIds).toEqual(['0.a']);
  });
});

describe('errorMessage', () => {
  it('finds words in whatever was thrown', () => {
    expect([new Error('a'), 'b', { c: 1 }, undefined, 1n].map(errorMessage)).toEqual([
      'a',
      'b',
      '{"c":1}',
      'undefined',
      '1',
    ]);
  });
});
