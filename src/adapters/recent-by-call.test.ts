import { describe, expect, it } from 'vitest';
import { RecentByCall } from './recent-by-call.ts';

describe('RecentByCall', () => {
  it('keeps one id of two conversations, principals and tenants apart', () => {
    const recent = new RecentByCall<number>();
    const owners = [
      {},
      { conversation: 'a' },
      { conversation: 'a', principal: { id: 'p' } },
      { conversation: 'a', principal: { id: 'p', tenant: 't' } },
    ];
    for (const [position, owner] of owners.entries()) recent.set(owner, 'call_0', position);
    expect(owners.map((owner) => recent.get(owner, 'call_0'))).toEqual([0, 1, 2, 3]);
    recent.delete({ conversation: 'a' }, 'call_0');
    expect(owners.map((owner) => recent.get(owner, 'call_0'))).toEqual([0, undefined, 2, 3]);
  });

  it('forgets the oldest, and counts a value that is set again as new', () => {
    const recent = new RecentByCall<number>(2);
    recent.set({}, 'a', 1);
    recent.set({}, 'b', 2);
    recent.set({}, 'a', 3);
    recent.set({}, 'c', 4);
    expect(['a', 'b', 'c'].map((id) => recent.get({}, id))).toEqual([3, undefined, 4]);
  });
});
