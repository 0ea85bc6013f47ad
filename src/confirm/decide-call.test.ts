import { describe, expect, it } from 'vitest';
import type { Decision, DecisionMaker } from '../core/decision.ts';
import { contractCall } from '../testing/store-contract.ts';
import { decideCall, samePerson } from './decide-call.ts';
import type { JudgedDecision } from './decide-call.ts';
import type { CallRecord } from './records.ts';

const bob: DecisionMaker = { principal: { id: 'bob', tenant: 't' }, via: 'page' };
const ann: DecisionMaker = { principal: { id: 'ann' } };
const approve: Decision = { type: 'approve' };
const decide = (call: CallRecord | undefined, change: Partial<JudgedDecision> = {}): ReturnType<typeof decideCall> =>
  decideCall(call, '0.a', { decision: approve, by: bob, ...change }, 7);
const waiting = contractCall('0.a');

describe('a call that waits', () => {
  it('is approved with who, when, and what the audit says', () => {
    expect(decide(waiting)).toEqual({
      answer: { key: '0.a', answer: 'accepted', state: 'approved' },
      step: {
        key: '0.a',
        event: 'approve',
        set: { edited: null, decision: { decision: approve, by: bob, at: 7 } },
        audit: {
          kind: 'call-approved',
          key: '0.a',
          body: {
            by: 'bob',
            tenant: 't',
            via: 'page',
            digest: waiting.digest,
            decision: expect.stringMatching(/^sha256:/) as string,
            edited: null,
          },
        },
      },
    });
  });

  it('is approved with other arguments, and by the program itself', () => {
    const edited = decide(waiting, { decision: { type: 'approve', arguments: { n: 2 } }, by: null });
    expect(edited.step).toMatchObject({
      set: { edited: { input: { n: 2 } }, decision: { by: null } },
      audit: { body: { by: null, tenant: null, via: null, edited: expect.stringMatching(/^sha256:/) as string } },
    });
  });

  it('is denied or answered with an outcome at once', () => {
    expect(decide(waiting, { decision: { type: 'deny', message: 'no' } })).toMatchObject({
      answer: { answer: 'accepted', state: 'denied' },
      step: { event: 'deny', set: { outcome: { status: 'denied', by: bob } }, audit: { kind: 'call-denied' } },
    });
    expect(decide(waiting, { decision: { type: 'respond', result: 'by hand' }, by: null })).toMatchObject({
      answer: { answer: 'accepted', state: 'responded' },
      step: {
        event: 'respond',
        set: { outcome: { status: 'responded', result: { content: [{ type: 'text', text: 'by hand' }] } } },
        audit: { kind: 'call-responded' },
      },
    });
  });

  it('is left alone by whoever may not, by a look at something else, and by unusable arguments, in this order', () => {
    const all = { notPermitted: 'not you', expected: `sha256:${'1'.repeat(64)}` as const, invalid: 'does not fit' };
    expect(decide(waiting, all)).toEqual({ answer: { key: '0.a', answer: 'not-permitted', message: 'not you' } });
    expect(decide(waiting, { ...all, notPermitted: undefined })).toMatchObject({ answer: { answer: 'stale' } });
    expect(decide(waiting, { invalid: 'does not fit', expected: waiting.digest })).toEqual({
      answer: { key: '0.a', answer: 'invalid', message: 'does not fit' },
    });
    expect(decide(waiting, { expected: waiting.digest }).step).toBeDefined();
    expect(decide(undefined)).toMatchObject({
      answer: { answer: 'unknown', message: expect.stringContaining('"0.a"') as string },
    });
  });
});

describe('a call that waits no more', () => {
  const decided = contractCall('0.a', { state: 'succeeded', decision: { decision: approve, by: bob, at: 3 } });

  it('gives the same person the same answer, and everybody else who was first', () => {
    expect(decide(decided)).toEqual({ answer: { key: '0.a', answer: 'accepted', state: 'succeeded' } });
    const first = { answer: { key: '0.a', answer: 'already-decided', state: 'succeeded', by: bob, at: 3 } };
    expect(decide(decided, { by: ann })).toEqual(first);
    expect(decide(decided, { decision: { type: 'deny' } })).toEqual(first);
    expect(decide(decided, { by: null })).toEqual(first);
    expect(decide(decided, { invalid: 'does not fit' })).toMatchObject({ answer: { answer: 'accepted' } });
  });

  it('says what became of it when nobody had decided', () => {
    expect(decide(contractCall('0.a', { state: 'expired' }))).toEqual({
      answer: { key: '0.a', answer: 'already-decided', state: 'expired', by: null, at: null },
    });
    expect(decide(contractCall('0.a', { state: 'stale' }))).toMatchObject({ answer: { answer: 'stale' } });
    expect(decide(contractCall('0.a', { state: 'free' }))).toMatchObject({ answer: { answer: 'invalid' } });
    expect(decide(contractCall('0.a', { state: 'invalid' }))).toMatchObject({ answer: { answer: 'invalid' } });
    expect(decide(contractCall('0.a', { state: 'denied' }))).toMatchObject({
      answer: { answer: 'already-decided', by: null },
    });
  });

  it('knows those whose approval was one of several', () => {
    const one = { decision: approve, by: ann, at: 2 };
    const call = contractCall('0.a', {
      state: 'approved',
      approvals: [one],
      decision: { decision: approve, by: bob, at: 3 },
    });
    expect(decide(call, { by: ann })).toMatchObject({ answer: { answer: 'accepted', state: 'approved' } });
    expect(decide(call, { by: ann, decision: { type: 'deny' } })).toMatchObject({
      answer: { answer: 'already-decided', by: bob },
    });
  });
});

describe('a call that needs two', () => {
  const two = contractCall('0.a', { demand: { approvals: 2 } });
  const half = contractCall('0.a', { demand: { approvals: 2 }, approvals: [{ decision: approve, by: ann, at: 2 }] });

  it('waits after the first and is approved by another second', () => {
    expect(decide(two)).toMatchObject({
      answer: { answer: 'accepted', state: 'awaiting' },
      step: {
        set: { approvals: [{ by: bob, at: 7 }] },
        audit: { kind: 'approval-added', body: { by: 'bob', approvals: 1, needed: 2, edited: null } },
      },
    });
    expect(decide(two).step?.event).toBeUndefined();
    expect(decide(half)).toMatchObject({
      answer: { answer: 'accepted', state: 'approved' },
      step: { event: 'approve', set: { approvals: [{ by: ann }, { by: bob }], decision: { by: bob } } },
    });
  });

  it('takes nobody twice, nobody nameless, and no other arguments than the first', () => {
    expect(decide(half, { by: ann })).toEqual({ answer: { key: '0.a', answer: 'accepted', state: 'awaiting' } });
    expect(decide(half, { by: ann, decision: { type: 'approve', arguments: { n: 1 } } })).toEqual({
      answer: { key: '0.a', answer: 'already-decided', state: 'awaiting', by: ann, at: 2 },
    });
    expect(decide(half, { by: null })).toMatchObject({ answer: { answer: 'not-permitted' } });
    expect(decide(half, { decision: { type: 'approve', arguments: { n: 1 } } })).toMatchObject({
      answer: { answer: 'invalid' },
    });
    const edited: Decision = { type: 'approve', arguments: { n: 1 } };
    expect(decide(two, { decision: edited })).toMatchObject({
      step: { audit: { body: { edited: expect.stringMatching(/^sha256:/) as string } } },
    });
    const halfEdited = contractCall('0.a', {
      demand: { approvals: 2 },
      approvals: [{ decision: edited, by: ann, at: 2 }],
    });
    expect(decide(halfEdited, { decision: edited })).toMatchObject({
      step: { event: 'approve', set: { edited: { input: { n: 1 } } } },
    });
  });
});

it('people are the same by tenant and id', () => {
  expect(samePerson(ann, { principal: { id: 'ann', tenant: '', roles: ['x'] }, via: 'cli' })).toBe(true);
  expect(samePerson(ann, { principal: { id: 'ann', tenant: 't' } })).toBe(false);
  expect(samePerson(ann, bob)).toBe(false);
  expect(samePerson(null, null)).toBe(true);
  expect(samePerson(ann, null)).toBe(false);
  expect(samePerson(null, ann)).toBe(false);
});
