import { expect, test } from 'vitest';
import { matchesAny, matchesPattern } from './name-pattern.ts';

test.each([
  ['delete_file', 'delete_file', true],
  ['delete_files', 'delete_file', false],
  ['delete_file', 'delete_*', true],
  ['delete_', 'delete_*', true],
  ['delete', 'delete_*', false],
  ['anything', '*', true],
  ['', '*', true],
  ['abc', 'a*c', true],
  ['ac', 'a*c', true],
  ['a', 'a*a', false],
  ['abXcdYef', 'ab*cd*ef', true],
  ['abXdcYef', 'ab*cd*ef', false],
  ['a.b', 'a.b', true],
  ['axb', 'a.b', false],
  ['abab', '*ab*ab', true],
  ['ab', '*ab*ab', false],
])('%j against %j is %s', (name, pattern, expected) => {
  expect(matchesPattern(name, pattern)).toBe(expected);
});

test('a hostile pattern takes no time', () => {
  expect(matchesPattern('a'.repeat(10_000), `${'*a'.repeat(2_000)}b`)).toBe(false);
  expect(matchesAny('x', [])).toBe(false);
});
