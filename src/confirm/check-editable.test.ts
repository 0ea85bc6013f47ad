import { expect, it } from 'vitest';
import { checkEditable } from './check-editable.ts';

it.each([
  [undefined, { a: 1 }, { a: 2 }, undefined],
  [['a'], { a: 1, b: 1 }, { a: 2, b: 1 }, undefined],
  [['a'], { a: 1 }, {}, undefined],
  [['a'], {}, { a: 1 }, undefined],
  [['b', 'c'], { a: 1 }, { a: 2 }, '"a" may not be edited; only b, c may.'],
  [['a'], { a: 1 }, { a: 1, b: null }, '"b" may not be edited; only a may.'],
  [['a'], { a: 1, b: 2 }, { a: 1 }, '"b" may not be edited; only a may.'],
  [[], { a: 1, b: 1 }, { a: 2, b: 2 }, '"a", "b" may not be edited; only nothing may.'],
  [[], { a: { x: 1, y: [2] } }, { a: { y: [2], x: 1 } }, undefined],
  [[], {}, { toString: 1 }, '"toString" may not be edited; only nothing may.'],
  [['a'], [1], [1], undefined],
  [['a'], [1], [2], 'these arguments may not be edited.'],
  [['a'], { a: 1 }, [1], 'these arguments may not be edited.'],
  [['a'], 'text', { a: 1 }, 'these arguments may not be edited.'],
])('editable %j, from %j to %j: %s', (editable, proposed, edited, expected) => {
  expect(checkEditable(editable === undefined ? {} : { editable }, proposed, edited)).toBe(expected);
});

it('knows the difference between an argument that is not there and one of another kind', () => {
  expect(checkEditable(null, { a: 1 }, {})).toBeUndefined();
  expect(checkEditable({ editable: [] }, { at: new Date(5) }, { at: new Date(5) })).toBeUndefined();
  expect(checkEditable({ editable: [] }, { at: new Date(5) }, { at: new Date(6) })).toBe(
    '"at" may not be edited; only nothing may.',
  );
});
