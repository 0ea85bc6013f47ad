import { describe, expect, it } from 'vitest';
import type { ToolDefinition } from '../core/tool.ts';
import { createNgramIndex } from './ngram-index.ts';

function tool(name: string, description?: string): ToolDefinition {
  return { name, description, inputSchema: { type: 'object', properties: {} } };
}

describe('createNgramIndex', () => {
  it('gives the cosine of the n-grams, and what it has of the query', () => {
    const index = createNgramIndex();
    index.set([tool('abcd'), tool('wxyz')]);
    // " abcd " has 4 + 3 + 2 n-grams, each in one tool of two: all weigh the same.
    expect(index.search('abcd')).toEqual([{ name: 'abcd', ordinal: 0, score: expect.closeTo(1, 6), coverage: 1 }]);
    // " abce " shares " ab", "abc" and " abc": 3 of 9, the cosine 3 / sqrt(9 * 9).
    expect(index.search('abce')).toEqual([
      { name: 'abcd', ordinal: 0, score: expect.closeTo(1 / 3, 6), coverage: expect.closeTo(1 / 3, 6) },
    ]);
  });

  it('scores every tool as the search does', () => {
    const index = createNgramIndex();
    index.set([tool('abcd'), tool('wxyz')]);
    const [first, second] = index.scores('abce');
    expect(first).toBeCloseTo(1 / 3, 6);
    expect(second).toBe(0);
    expect([...index.scores('')]).toEqual([0, 0]);
    index.set([tool('find_flight', 'Searches flights'), tool('refund', 'Gives money back'), tool('weather')]);
    const scores = index.scores('flihgt search with money, flight');
    for (const hit of index.search('flihgt search with money, flight'))
      expect(scores[hit.ordinal]).toBeCloseTo(hit.score, 10);
    expect(scores[2]).toBe(0);
  });

  it('counts half of a word whose beginning the tool does not have', () => {
    const index = createNgramIndex();
    index.set([tool('abcd'), tool('wxyz')]);
    // " ebcd " shares "bcd", "cd " and "bcd ": 3 of 9.
    expect(index.search('ebcd')[0]?.coverage).toBeCloseTo(1 / 6, 6);
  });

  it('takes the best-matched word of a longer query', () => {
    const index = createNgramIndex();
    index.set([tool('abcd'), tool('wxyz')]);
    const [hit] = index.search('qqqq abcd rrrr');
    expect(hit?.coverage).toBeCloseTo(1, 6);
    expect(hit?.score).toBeLessThan(0.7);
    expect(index.search('qqqq')).toEqual([]);
    expect(index.search('')).toEqual([]);
  });

  it('keeps nothing from one search to the next', () => {
    const index = createNgramIndex();
    index.set([tool('abcd'), tool('abce'), tool('wxyz')]);
    const first = index.search('abcd');
    index.search('wxyz abce');
    expect(index.search('abcd')).toEqual(first);
    expect(first.map(({ name }) => name)).toEqual(['abcd', 'abce']);
  });
});
