import { describe, expect, it } from 'vitest';
import { sampleCases } from './sample-cases.ts';
import { seedOf, seededRandom } from './seeded-random.ts';

describe('seededRandom', () => {
  it('repeats itself for a seed, within bounds and evenly', () => {
    const first = seededRandom(1);
    const second = seededRandom(1);
    const counts = [0, 0, 0, 0];
    for (let round = 0; round < 4000; round++) {
      const value = first.below(4);
      expect(second.below(4)).toBe(value);
      counts[value] = (counts[value] as number) + 1;
    }
    for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(120);
  });

  it('has the published values of mulberry32', () => {
    const random = seededRandom(0);
    expect([random.next(), random.next()].map((value) => value * 2 ** 32)).toEqual([1_144_304_738, 1_416_247]);
  });
});

describe('seedOf', () => {
  it('is FNV-1a', () => {
    expect(seedOf('')).toBe(0x811c9dc5);
    expect(seedOf('a')).toBe(0xe40c292c);
    expect(seedOf('foobar')).toBe(0xbf9cf968);
  });
});

describe('sampleCases', () => {
  const items = Array.from({ length: 50 }, (_, index) => index);

  it('draws without replacement, in order, the same for the same seed', () => {
    const sample = sampleCases(items, 20, 'set', 1);
    expect(sample).toHaveLength(20);
    expect(new Set(sample).size).toBe(20);
    expect([...sample].sort((left, right) => left - right)).toEqual(sample);
    expect(sampleCases(items, 20, 'set', 1)).toEqual(sample);
    expect(sampleCases(items, 20, 'set', 2)).not.toEqual(sample);
    expect(sampleCases(items, 20, 'other', 1)).not.toEqual(sample);
  });

  it('keeps all when there are few', () => {
    expect(sampleCases(items, 50, 'set', 1)).toBe(items);
  });
});
