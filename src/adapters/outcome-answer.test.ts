import { describe, expect, it } from 'vitest';
import type { Outcome } from '../core/outcome.ts';
import { hasResult, outcomeText, outcomeValue, refuseHold, requireStoreOrSecret } from './outcome-answer.ts';

const outcome = (part: Partial<Outcome>): Outcome => ({
  key: '0.a',
  toolCallId: 'a',
  toolName: 'look',
  status: 'succeeded',
  result: { content: [] },
  ...part,
});

describe('outcomeText', () => {
  it('puts the note first and names what text cannot carry', () => {
    const content = [
      { type: 'text', text: 'seen' },
      { type: 'image', mimeType: 'image/png', data: 'AA==' },
      { type: 'odd' },
    ];
    expect(outcomeText(outcome({ note: 'changed', result: { content } }))).toBe(
      'changed\nseen\n[image image/png not shown]\n[odd not shown]',
    );
  });

  it('is empty for an empty result', () => {
    expect(outcomeText(outcome({}))).toBe('');
  });
});

describe('outcomeValue', () => {
  it('gives the structure, else the text, else the whole result', () => {
    expect(outcomeValue(outcome({ result: { content: [], structured: { a: 1 } } }))).toEqual({ a: 1 });
    expect(outcomeValue(outcome({ result: { content: [{ type: 'text', text: 'b' }] } }))).toBe('b');
    const picture = { content: [{ type: 'image', data: 'AA==', mimeType: 'image/png' }] };
    expect(outcomeValue(outcome({ result: picture }))).toEqual(picture);
  });
});

describe('what adapters refuse', () => {
  it('a call has a result when it ran well or a person answered', () => {
    expect(
      ['succeeded', 'responded', 'failed', 'denied'].map((status) =>
        hasResult(outcome({ status: status as 'failed' })),
      ),
    ).toEqual([true, true, false, false]);
  });

  it('needs a store or a secret, and cannot hold', () => {
    expect(() => requireStoreOrSecret('x', {})).toThrow(/x reads approvals/);
    expect(() => requireStoreOrSecret('x', { secret: 's' })).not.toThrow();
    expect(() => refuseHold('x', 'hold')).toThrow(/x cannot hold/);
    expect(() => refuseHold('x', undefined)).not.toThrow();
  });
});
