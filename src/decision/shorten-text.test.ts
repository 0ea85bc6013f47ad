import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shareLength, shortenText } from './shorten-text.ts';

describe('shortenText', () => {
  it('leaves a text that fits as it is', () => {
    expect(shortenText('abc', 3)).toBe('abc');
    expect(shortenText('', 1)).toBe('');
  });

  it('keeps the start and the end and says how much is missing', () => {
    const text = `${'a'.repeat(100)}${'b'.repeat(100)}`;
    // " … [200 characters left out] … " has 31 characters; of the 29 left, 20 go to the start and 9 to the end.
    expect(shortenText(text, 60)).toBe(`${'a'.repeat(20)} … [171 characters left out] … ${'b'.repeat(9)}`);
  });

  it('keeps the start only when there is no room for the mark', () => {
    expect(shortenText('abcdefghij'.repeat(5), 10)).toBe('abcdefghij');
  });

  it('shifts a cut by one only where it would split a pair', () => {
    // Room for 20 and 9 characters as above; only the emoji at the border moves it.
    const cut = (text: string): readonly number[] => {
      const [start = '', end = ''] = shortenText(text, 60).split(/ … \[\d+ characters left out\] … /u);
      return [start.length, end.length];
    };
    expect(cut(`${'a'.repeat(19)}😀${'b'.repeat(179)}`)).toEqual([19, 9]);
    expect(cut(`${'a'.repeat(20)}😀${'b'.repeat(178)}`)).toEqual([20, 9]);
    expect(cut(`${'a'.repeat(190)}😀${'b'.repeat(8)}`)).toEqual([20, 8]);
    for (const unit of ['漢', '\u{d7ff}', '\u{e000}', '\u{d83d}', '\u{de00}'])
      expect(cut(unit.repeat(200))).toEqual([20, 9]);
    expect(cut('\u{d800}\u{dc00}'.repeat(100))).toEqual([20, 8]);
    expect(cut('\u{dbff}\u{dfff}'.repeat(100))).toEqual([20, 8]);
  });

  it('never splits a pair and never grows', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '😀', 'é', '\n'), maxLength: 200 }),
        fc.integer({ min: 1, max: 120 }),
        (text, length) => {
          const short = shortenText(text, length);
          expect(short.length).toBeLessThanOrEqual(Math.max(length, 0));
          expect(short.isWellFormed()).toBe(true);
          expect(text.startsWith(short.split(' … [')[0] as string)).toBe(true);
        },
      ),
    );
  });
});

describe('shareLength', () => {
  it('gives short pieces all they need and long ones an equal part of the rest', () => {
    expect(shareLength([5, 100, 100], 45)).toEqual([5, 20, 20]);
    expect(shareLength([100, 1, 30], 61)).toEqual([30, 1, 30]);
    expect(shareLength([3, 4], 100)).toEqual([3, 4]);
    expect(shareLength([], 10)).toEqual([]);
    expect(shareLength([9, 9], 0)).toEqual([0, 0]);
  });
});
