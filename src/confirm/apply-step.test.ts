import { describe, expect, it } from 'vitest';
import { contractCall, contractPause } from '../testing/store-contract.ts';
import { applySteps, hasEnd, mayExpire, nextDue } from './apply-step.ts';
import { verifyAuditRows } from './audit-chain.ts';
import { overdueSteps } from './overdue-steps.ts';
import type { OutboxRow } from './records.ts';

const claim = { by: 'me', fence: 1, since: 0, leaseUntil: 50 };
const outcome = { key: '0.a', toolCallId: 'a', toolName: 'wipe', status: 'denied' as const, result: { content: [] } };

describe('applySteps', () => {
  it('makes the next version, with the audit linked and the pause settled when every call has ended', () => {
    const pause = contractPause('p', { calls: [contractCall('0.a'), contractCall('1.b')], expiresAt: 90 });
    const first = applySteps(
      pause,
      [{ key: '1.b', event: 'deny', set: { outcome }, audit: { kind: 'k', key: '1.b', body: { x: 1 } } }],
      7,
    );
    expect(first.pause).toMatchObject({
      version: 2,
      state: 'open',
      settledAt: null,
      dueAt: 90,
      auditSequence: 1,
      auditHead: first.audit[0]?.hash,
    });
    expect(first.pause.calls.map(({ state }) => state)).toEqual(['awaiting', 'denied']);
    expect(first.pause.calls[1]?.outcome).toEqual(outcome);
    expect(first.changed).toEqual([1]);
    expect(first.outbox).toEqual([]);
    expect(pause.calls[1]?.state).toBe('awaiting');

    const second = applySteps(first.pause, [{ key: '0.a', event: 'cancel' }], 8);
    expect(second.pause).toMatchObject({ version: 3, state: 'settled', settledAt: 8, dueAt: null, auditSequence: 2 });
    expect(second.audit.map(({ kind, at }) => [kind, at])).toEqual([['pause-settled', 8]]);
    expect(
      verifyAuditRows('p', [...first.audit, ...second.audit], { sequence: 2, hash: second.pause.auditHead }),
    ).toBeUndefined();
    const third = applySteps(second.pause, [], 9);
    expect([third.pause.settledAt, third.audit, third.pause.auditHead]).toEqual([8, [], second.pause.auditHead]);
  });

  it('applies several steps of one call in order, notes it once, and refuses what cannot happen', () => {
    const pause = contractPause('p', { calls: [contractCall('0.a', { state: 'free' })] });
    const write = applySteps(
      pause,
      [
        { key: '0.a', event: 'claim', set: { claim } },
        { key: '0.a', event: 'succeed', set: { claim: null } },
        { key: 'absent', event: 'deny' },
      ],
      1,
    );
    expect(write.pause.calls[0]).toMatchObject({ state: 'succeeded', claim: null });
    expect(write.changed).toEqual([0]);
    expect(() => applySteps(pause, [{ key: '0.a', event: 'approve' }], 1)).toThrow(
      expect.objectContaining({ code: 'illegal-transition' }) as Error,
    );
  });

  it('changes what is recorded without an event, and asks the outbox with both records', () => {
    const pause = contractPause('p', { calls: [contractCall('0.a', { state: 'running', claim })] });
    const row = { id: 'm' } as OutboxRow;
    const seen: unknown[] = [];
    const write = applySteps(
      pause,
      [{ key: '0.a', set: { claim: { ...claim, leaseUntil: 80 } } }],
      1,
      (before, after) => {
        seen.push(before, after);
        return [row];
      },
    );
    expect(write.pause.dueAt).toBe(80);
    expect(write.audit).toEqual([]);
    expect(write.outbox).toEqual([row]);
    expect(seen).toEqual([pause, write.pause]);
  });
});

describe('what is due', () => {
  const state = (name: Parameters<typeof hasEnd>[0]): Parameters<typeof contractCall>[1] => ({ state: name });
  it('is the earliest of expiry and lease, of the calls they are about', () => {
    expect(nextDue([contractCall('0.a')], 70)).toBe(70);
    expect(nextDue([contractCall('0.a')], null)).toBeNull();
    expect(nextDue([contractCall('0.a'), contractCall('1.b', { state: 'running', claim })], 70)).toBe(50);
    expect(nextDue([contractCall('0.a'), contractCall('1.b', { state: 'running', claim })], 40)).toBe(40);
    expect(nextDue([contractCall('0.a', { state: 'succeeded', claim })], 40)).toBeNull();
    for (const name of ['awaiting', 'approved', 'free'] as const)
      expect([name, mayExpire(name), nextDue([contractCall('0.a', state(name))], 5)]).toEqual([name, true, 5]);
    for (const name of ['running', 'unknown', 'denied', 'stale'] as const)
      expect([name, mayExpire(name), nextDue([contractCall('0.a', state(name))], 5)]).toEqual([name, false, null]);
  });

  it('leaves unknown calls open and all other ends closed', () => {
    expect(
      ['stale', 'invalid', 'denied', 'responded', 'expired', 'superseded', 'cancelled', 'succeeded', 'failed'].every(
        (name) => hasEnd(name as 'stale'),
      ),
    ).toBe(true);
    expect(
      ['proposed', 'free', 'awaiting', 'approved', 'running', 'unknown'].some((name) => hasEnd(name as 'free')),
    ).toBe(false);
  });

  it('settles by time alone: expired, lost, and nothing too early', () => {
    const pause = contractPause('p', {
      expiresAt: 60,
      dueAt: 50,
      calls: [
        contractCall('0.a'),
        contractCall('1.b', { state: 'running', claim }),
        contractCall('2.c', { state: 'denied' }),
        contractCall('3.d', { state: 'approved' }),
      ],
    });
    const events = (now: number): unknown[] =>
      overdueSteps(pause, now).map(({ key, event, set }) => [key, event, set?.outcome?.status]);
    expect(events(49)).toEqual([]);
    expect(events(50)).toEqual([['1.b', 'lose', 'unknown']]);
    expect(events(60)).toEqual([
      ['0.a', 'expire', 'expired'],
      ['1.b', 'lose', 'unknown'],
      ['3.d', 'expire', 'expired'],
    ]);
    expect(overdueSteps({ ...pause, dueAt: null }, 60)).toEqual([]);
    expect(overdueSteps({ ...pause, expiresAt: null }, 60).map(({ key }) => key)).toEqual(['1.b']);
    expect(overdueSteps(pause, 50)[0]).toMatchObject({
      set: { claim: null },
      audit: { kind: 'call-lost', key: '1.b', body: { fence: 1, by: 'me' } },
    });
    expect(overdueSteps(pause, 60)[0]).toMatchObject({
      audit: { kind: 'call-expired', key: '0.a', body: { was: 'awaiting', expiresAt: 60 } },
    });
  });
});
