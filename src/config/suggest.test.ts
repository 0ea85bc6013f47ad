import { expect, test } from 'vitest';
import { editDistance, suggestWord } from './suggest.ts';

test.each([
  ['', '', 0],
  ['abc', '', 3],
  ['kitten', 'sitting', 3],
  ['prot', 'port', 1],
  ['mode', 'mode', 0],
])('%j to %j takes %i steps', (a, b, steps) => {
  expect(editDistance(a, b)).toBe(steps);
});

test('suggests only what is near', () => {
  expect(suggestWord('mcpServer', ['mcpServers', 'servers'])).toBe('mcpServers');
  expect(suggestWord('prot', ['port', 'mode'])).toBe('port');
  expect(suggestWord('zebra', ['port', 'mode'])).toBeUndefined();
});
