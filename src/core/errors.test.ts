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

  it('keeps its cause, has empty data by default, and names itself', () => {
    const cause = new Error('inner');
    const error = new ToolgateError('internal', 'Broken.', { cause });
    expect(error.cause).toBe(cause);
    expect(error.data).toEqual({});
    expect(error.name).toBe('ToolgateError');
    expect(error.toJSON()).toEqual({ name: 'ToolgateError', code: 'internal', message: 'Broken.', data: {} });
    expect('cause' in new ToolgateError('internal', 'x')).toBe(false);
    expect(Object.keys(error)).not.toContain('Symbol(toolgate.error)');
  });

  it.each([[null], [[]], [{ code: 1, message: 'x' }], [{ code: 'internal' }], [{ message: 'x' }]])(
    'refuses %j',
    (value) => {
      expect(() => ToolgateError.fromJSON(value)).toThrow(
        expect.objectContaining({ code: 'invalid-option', data: { option: 'value' } }),
      );
    },
  );

  it('comes back without data that is none', () => {
    expect(ToolgateError.fromJSON({ code: 'internal', message: 'x', data: [1] }).data).toEqual({});
    expect(ToolgateError.fromJSON({ code: 'internal', message: 'x' }).data).toEqual({});
  });

  it('knows its own from any other value', () => {
    for (const value of [null, undefined, 'x', {}, { code: 'internal' }]) expect(isToolgateError(value)).toBe(false);
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

  it('says how many wait', () => {
    expect(new ToolCallConfirmationRequiredError(['0.a']).message).toBe(
      'A tool call waits for a decision: 0.a. Collect a decision for each and execute the reply with them.',
    );
    expect(new ToolCallConfirmationRequiredError(['0.a', '1.b']).message).toContain(
      '2 tool calls wait for a decision: 0.a, 1.b.',
    );
    expect(new ToolCallConfirmationRequiredError(['0.a'], undefined, 'own words').message).toBe('own words');
    expect(new ToolCallConfirmationRequiredError(['0.a']).data).toEqual({ toolCallIds: ['0.a'] });
    expect(new ToolCallConfirmationRequiredError(['0.a']).name).toBe('ToolCallConfirmationRequiredError');
  });

  it('comes back with what of the pause and the keys can be read', () => {
    const revive = (data: object): ToolCallConfirmationRequiredError =>
      ToolgateError.fromJSON({
        code: 'confirmation-required',
        message: 'm',
        data,
      }) as ToolCallConfirmationRequiredError;
    expect(revive({ toolCallIds: ['0.a', 5, null] }).toolCallIds).toEqual(['0.a']);
    expect(revive({ toolCallIds: 'x' }).toolCallIds).toEqual([]);
    expect(revive({ toolCallIds: [] }).pause).toBeUndefined();
    expect(revive({ toolCallIds: [], pause: 'x' }).pause).toBeUndefined();
    expect(revive({ toolCallIds: [], pause: { id: 1, expiresAt: 'x', token: 2 } }).pause).toEqual({});
    expect(revive({ toolCallIds: [], pause: { id: 'p', expiresAt: null, token: 't' } }).pause).toEqual({
      id: 'p',
      expiresAt: null,
      token: 't',
    });
    expect(revive({ toolCallIds: [], pause: { expiresAt: 9 } }).pause).toEqual({ expiresAt: 9 });
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
