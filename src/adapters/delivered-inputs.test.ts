import { describe, expect, it } from 'vitest';
import { DeliveredInputs, sameJson } from './delivered-inputs.ts';

describe('DeliveredInputs', () => {
  it('knows arguments by tool and by what they say as JSON', () => {
    const delivered = new DeliveredInputs();
    const json = delivered.add('wait', { until: new Date(0), minutes: 2 });
    expect(json).toEqual({ until: '1970-01-01T00:00:00.000Z', minutes: 2 });
    expect(delivered.has('wait', { minutes: 2, until: '1970-01-01T00:00:00.000Z' })).toBe(true);
    expect(delivered.has('other', json)).toBe(false);
    expect(delivered.has('wait', { minutes: 3 })).toBe(false);
  });

  it('forgets the oldest of more than a thousand', () => {
    const delivered = new DeliveredInputs();
    for (let count = 0; count <= 1000; count += 1) delivered.add('a', { count });
    expect(delivered.has('a', { count: 0 })).toBe(false);
    expect(delivered.has('a', { count: 1 })).toBe(true);
    expect(delivered.has('a', { count: 1000 })).toBe(true);
  });

  it('takes nothing at all for an empty object', () => {
    expect(new DeliveredInputs().add('a', undefined)).toEqual({});
  });
});

describe('sameJson', () => {
  it('does not look at the order of keys', () => {
    expect(sameJson({ a: 1, b: [2] }, { b: [2], a: 1 })).toBe(true);
    expect(sameJson({ a: 1 }, { a: '1' })).toBe(false);
    expect(sameJson(undefined, null)).toBe(true);
  });
});
