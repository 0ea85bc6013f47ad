import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callTransitions, isFinalCallState, nextCallState, transitionCall } from './call-state.ts';
import type { CallEvent, CallState } from './call-state.ts';

const states = Object.keys(callTransitions) as CallState[];
const events: CallEvent[] = [
  'invalidate',
  'forbid',
  'free',
  'await',
  'approve',
  'deny',
  'respond',
  'expire',
  'supersede',
  'cancel',
  'outdate',
  'claim',
  'succeed',
  'fail',
  'lose',
  'mark-succeeded',
  'mark-failed',
  'run-again',
];

describe('the states of a call', () => {
  it('never run what waits: only a free or approved call can be claimed', () => {
    expect(states.filter((state) => nextCallState(state, 'claim') !== undefined)).toEqual(['free', 'approved']);
  });

  it('reach running again from unknown alone, and only by a person', () => {
    const toRunning = states.flatMap((state) =>
      events.filter((event) => nextCallState(state, event) === 'running').map((event) => `${state} ${event}`),
    );
    expect(toRunning).toEqual(['free claim', 'approved claim', 'unknown run-again']);
  });

  it('cannot be cancelled, expired or superseded while running', () => {
    for (const event of ['cancel', 'expire', 'supersede', 'outdate', 'forbid'] as const)
      expect(nextCallState('running', event)).toBeUndefined();
  });

  it('are final exactly where nothing can happen any more', () => {
    expect(states.filter(isFinalCallState)).toEqual([
      'stale',
      'invalid',
      'denied',
      'responded',
      'expired',
      'superseded',
      'cancelled',
      'succeeded',
      'failed',
    ]);
  });

  it('say what was wrong', () => {
    expect(() => transitionCall('denied', 'claim')).toThrow('A call that is denied cannot claim.');
  });

  it('let a call start at most once without a person, whatever happens to it', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...events), { maxLength: 40 }), (history) => {
        let state: CallState = 'proposed';
        let starts = 0;
        for (const event of history) {
          const next = nextCallState(state, event);
          if (next === undefined) continue;
          if (next === 'running' && event !== 'run-again') starts += 1;
          state = next;
        }
        expect(starts).toBeLessThanOrEqual(1);
      }),
    );
  });
});
