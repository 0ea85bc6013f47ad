import { describe, expect, it } from 'vitest';
import { inOrder, isInOrder, namesOf } from './mastra-shown.ts';

describe('the order of shown tools', () => {
  it('is that of the record when what is shown comes in it one after the other', () => {
    expect(isInOrder(['a', 'c'], ['a', 'b', 'c'])).toBe(true);
    expect(isInOrder([], ['a'])).toBe(true);
    expect(isInOrder(['c', 'a'], ['a', 'b', 'c'])).toBe(false);
    expect(isInOrder(['search', 'a'], ['a'])).toBe(false);
  });

  it('puts what is shown first, with what the gate adds, and keeps all that was given', () => {
    const [a, b, search] = [{}, {}, {}];
    const all = inOrder(['search', 'b'], ['a', 'b'], { a, b }, { search });
    expect(Object.keys(all)).toEqual(['search', 'b', 'a']);
    expect(all['search']).toBe(search);
    expect(all['b']).toBe(b);
  });

  it('gives the names of a list', () => {
    const list = [{ name: 'a', inputSchema: {} }];
    expect([...namesOf(list)]).toEqual(['a']);
    expect(namesOf(list)).toBe(namesOf(list));
  });
});
