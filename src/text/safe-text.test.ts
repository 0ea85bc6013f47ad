import { expect, test } from 'vitest';
import { originalOf } from './safe-segments.ts';
import { foldedSegments, safeText } from './safe-text.ts';

const parts = (text: string, maxLength: number): string[] => {
  const safe = safeText(text, { maxLength });
  return [originalOf(safe.head), originalOf(foldedSegments(safe)), originalOf(safe.tail)];
};

test('what fits is whole', () => {
  expect(safeText('abcdef', { maxLength: 6 })).toEqual({
    length: 6,
    head: [{ kind: 'text', text: 'abcdef' }],
    fold: null,
    tail: [],
  });
});

test('the first two thirds and the last third stay in sight', () => {
  expect(parts('0123456789', 6)).toEqual(['0123', '4567', '89']);
});

test('no pair of surrogates is split', () => {
  expect(parts('abc😀😀😀xyz', 6)).toEqual(['abc', '😀😀😀x', 'yz']);
  expect(parts('abc😀😀😀😀', 6)).toEqual(['abc', '😀😀😀', '😀']);
});

test('a cut falls between words when one is near', () => {
  expect(parts('one two three four five six seven', 18)).toEqual(['one two', ' three four five six ', 'seven']);
});

test.each([
  [`iVBORw0KGgo${'Ab1+'.repeat(100)}`, 'PNG image, base64, about 308 bytes'],
  [`data:image/webp;base64,${'Ab1+'.repeat(100)}`, 'image/webp, base64, about 300 bytes'],
  [`${'Ab1+'.repeat(100)}Ab==`, 'data, base64, about 301 bytes'],
  ['a'.repeat(400), null],
  ['word '.repeat(100), null],
  [`${'Ab1+'.repeat(100)}; rm -rf /`, null],
])('says what long data seems to be: %#', (text, kind) => {
  expect(safeText(text, { maxLength: 100 }).fold?.kind).toBe(kind);
});
