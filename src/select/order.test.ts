import { describe, expect, it } from 'vitest';
import { appendShownTools } from './order.ts';

describe('appendShownTools', () => {
  it('leaves what was shown in place and appends what is new', () => {
    const shown = [
      { name: 'c', tokens: 3, usedAt: 1 },
      { name: 'a', tokens: 1, usedAt: 1 },
    ];
    const wanted = [
      { name: 'a', tokens: 1 },
      { name: 'b', tokens: 2 },
      { name: 'd', tokens: 4 },
    ];
    expect(appendShownTools(shown, wanted, 2)).toEqual([
      { name: 'c', tokens: 3, usedAt: 1 },
      { name: 'a', tokens: 1, usedAt: 2 },
      { name: 'b', tokens: 2, usedAt: 2 },
      { name: 'd', tokens: 4, usedAt: 2 },
    ]);
  });

  it('adds a tool once, also when it is wanted twice', () => {
    const wanted = [
      { name: 'a', tokens: 1 },
      { name: 'a', tokens: 1 },
    ];
    expect(appendShownTools([], wanted, 1)).toEqual([{ name: 'a', tokens: 1, usedAt: 1 }]);
  });

  it('never sets a use back', () => {
    expect(appendShownTools([{ name: 'a', tokens: 1, usedAt: 9 }], [{ name: 'a', tokens: 2 }], 3)).toEqual([
      { name: 'a', tokens: 2, usedAt: 9 },
    ]);
  });

  it('SM-14 keeps one order over turns whose scores change', () => {
    const turns = [['a', 'b', 'c'], ['a', 'b', 'c'], [], ['a']];
    let shown: ReturnType<typeof appendShownTools> = [];
    const orders = turns.map((names, turn) => {
      shown = appendShownTools(
        shown,
        names.map((name) => ({ name, tokens: 1 })),
        turn,
      );
      return shown.map((tool) => tool.name).join('');
    });
    expect(orders).toEqual(['abc', 'abc', 'abc', 'abc']);
  });
});
