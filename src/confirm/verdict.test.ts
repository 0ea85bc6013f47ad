import { describe, expect, it } from 'vitest';
import type { ConfirmationDemand, PolicyVerdict } from './types.ts';
import { demandOf, isConfirm, readVerdict, stricterVerdict } from './verdict.ts';

const deny: PolicyVerdict = { deny: 'no' };
const long: PolicyVerdict = { confirm: { reason: 'why' } };

describe('stricterVerdict', () => {
  it('puts deny before confirm before allow, whatever the order', () => {
    for (const [a, b, expected] of [
      ['allow', deny, deny],
      ['confirm', deny, deny],
      [long, deny, deny],
      ['allow', long, long],
      [undefined, 'allow', 'allow'],
      [undefined, deny, deny],
      [undefined, undefined, undefined],
      ['allow', 'allow', 'allow'],
      ['allow', 'confirm', 'confirm'],
    ] as const) {
      expect([stricterVerdict(a, b), stricterVerdict(b, a)]).toEqual([expected, expected]);
    }
    expect(stricterVerdict({ deny: 'first' }, { deny: 'second' })).toEqual({ deny: 'first' });
  });

  it.each([
    [{}, {}, { approvals: 1 }],
    [{ reason: 'a' }, { reason: 'a' }, { reason: 'a', approvals: 1 }],
    [{ reason: 'a' }, {}, { reason: 'a', approvals: 1 }],
    [{ reason: 'a' }, { reason: 'b' }, { reason: 'a; b', approvals: 1 }],
    [{ approvals: 2 }, { approvals: 3 }, { approvals: 3 }],
    [{ approvals: 3 }, {}, { approvals: 3 }],
    [{ editable: ['a'] }, {}, { editable: ['a'], approvals: 1 }],
    [{ editable: ['a', 'b'] }, { editable: ['b', 'c'] }, { editable: ['b'], approvals: 1 }],
    [{ approver: 'any' }, {}, { approver: 'any', approvals: 1 }],
    [{ approver: 'any' }, { approver: 'not-caller' }, { approver: 'not-caller', approvals: 1 }],
    [{ standingRules: true }, {}, { standingRules: true, approvals: 1 }],
    [{ standingRules: true }, { standingRules: false }, { standingRules: false, approvals: 1 }],
    [{ standingRules: false }, {}, { standingRules: false, approvals: 1 }],
    [{ acceptIn: 'client' }, { acceptIn: 'client' }, { acceptIn: 'client', approvals: 1 }],
    [{ acceptIn: 'client' }, {}, { approvals: 1 }],
  ] as [ConfirmationDemand, ConfirmationDemand, ConfirmationDemand][])('joins %j and %j', (a, b, expected) => {
    expect(stricterVerdict({ confirm: a }, { confirm: b })).toEqual({ confirm: expected });
    const turned = stricterVerdict({ confirm: b }, { confirm: a });
    expect({ ...(turned as { confirm: object }).confirm, reason: expected.reason }).toEqual({
      ...expected,
      reason: expected.reason,
    });
  });
});

describe('readVerdict', () => {
  it('takes verdicts as they are, silence as no opinion, and everything else as confirm', () => {
    for (const verdict of ['allow', 'confirm', deny, long] as const) expect(readVerdict(verdict)).toEqual(verdict);
    expect([readVerdict(undefined), readVerdict(null)]).toEqual([undefined, undefined]);
    for (const wrong of [
      'deny',
      true,
      false,
      0,
      1,
      {},
      { deny: 1 },
      { confirm: 'yes' },
      { confirm: null },
      [],
      'Allow',
    ]) {
      expect([wrong, readVerdict(wrong)]).toEqual([
        wrong,
        { confirm: { reason: 'The policy gave an answer that is not a verdict.' } },
      ]);
    }
  });

  it('tells the forms apart', () => {
    expect(['allow', 'confirm', deny, long].map((verdict) => isConfirm(verdict as PolicyVerdict))).toEqual([
      false,
      true,
      false,
      true,
    ]);
    expect(['allow', 'confirm', deny, long].map((verdict) => demandOf(verdict as PolicyVerdict))).toEqual([
      {},
      {},
      {},
      { reason: 'why' },
    ]);
  });
});
