import { describe, expect, it } from 'vitest';
import { ToolCallDecisions, sameDecision } from './tool-call-decisions.ts';

const code = (work: () => unknown): string => {
  try {
    work();
    return 'none';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('ToolCallDecisions', () => {
  it('takes an object or pairs, and keeps who decided and for what', () => {
    const by = { principal: { id: 'bob' } };
    const decisions = ToolCallDecisions.of({ '0.a': { type: 'approve' } }, { by, pauseId: 'p', token: 't' });
    expect([[...decisions.decisions], decisions.by, decisions.pauseId, decisions.token]).toEqual([
      [['0.a', { type: 'approve' }]],
      by,
      'p',
      't',
    ]);
    expect(ToolCallDecisions.of(new Map([['0.a', { type: 'deny' as const }]])).decisions.get('0.a')).toEqual({
      type: 'deny',
    });
    expect(ToolCallDecisions.of({}).by).toBeNull();
    expect(ToolCallDecisions.AWAITING_DECISION_METADATA_KEY).toBe('toolgate.awaitingDecision');
  });

  it('keeps the known fields of a decision only', () => {
    const given = {
      a: { type: 'approve', arguments: { n: 1 }, tool: 'other' },
      b: { type: 'approve', arguments: undefined },
      c: { type: 'deny', message: 'no', approved: true },
      d: { type: 'respond', result: { content: [] } },
      e: { type: 'respond', result: 'text' },
    } as never;
    expect(Object.fromEntries(ToolCallDecisions.of(given).decisions)).toEqual({
      a: { type: 'approve', arguments: { n: 1 } },
      b: { type: 'approve' },
      c: { type: 'deny', message: 'no' },
      d: { type: 'respond', result: { content: [] } },
      e: { type: 'respond', result: 'text' },
    });
  });

  it('tells a doubled decision from two different ones', () => {
    const twice =
      (second: object): (() => unknown) =>
      () =>
        ToolCallDecisions.of([
          ['0.a', { type: 'approve' }],
          ['0.a', second],
        ] as never);
    expect(code(twice({ type: 'approve' }))).toBe('decision-duplicate');
    expect(code(twice({ type: 'approve', arguments: {} }))).toBe('decision-conflict');
    expect(code(twice({ type: 'deny' }))).toBe('decision-conflict');
  });

  it.each([
    null,
    'approve',
    true,
    [],
    {},
    { type: 'allow' },
    { type: 'deny', message: 7 },
    { type: 'respond' },
    { type: 'respond', result: 7 },
    { type: 'respond', result: {} },
    { type: 'respond', result: { content: 'x' } },
    Object.create({ type: 'approve' }),
  ])('refuses %j', (value: unknown) => {
    expect(code(() => ToolCallDecisions.of({ '0.a': value } as never))).toBe('decision-invalid');
  });

  it('compares decisions whole', () => {
    expect(
      sameDecision({ type: 'approve', arguments: { a: 1, b: 2 } }, { type: 'approve', arguments: { b: 2, a: 1 } }),
    ).toBe(true);
    expect(sameDecision({ type: 'approve' }, { type: 'approve', arguments: {} })).toBe(false);
    expect(sameDecision({ type: 'deny' }, { type: 'deny', message: '' })).toBe(false);
  });
});
