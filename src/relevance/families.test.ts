import { expect, test } from 'vitest';
import type { ToolDefinition } from '../core/tool.ts';
import { createToolIndex } from '../index/tool-index.ts';
import { familyShares, findFamilies } from './families.ts';

function families(tools: readonly ToolDefinition[]): number[] {
  const index = createToolIndex();
  index.set(tools);
  return [...findFamilies(tools, index)];
}

const tool = (name: string, server?: string): ToolDefinition => ({
  name,
  inputSchema: { type: 'object' },
  ...(server === undefined ? {} : { server: { name: server, identity: server } }),
});

test('tools of one server belong together', () => {
  expect(families([tool('a', 'x'), tool('b', 'y'), tool('c', 'x'), tool('d')])).toEqual([0, -1, 0, -1]);
});

test('without a server a rare first word binds, a frequent one does not', () => {
  expect(
    families([
      tool('calendar_add'),
      tool('calendar_list'),
      tool('get_mail'),
      tool('get_page'),
      tool('get_file'),
      tool('get_image'),
    ]),
  ).toEqual([0, 0, -1, -1, -1, -1]);
});

test('one server for all says nothing', () => {
  expect(families([tool('a', 'x'), tool('b', 'x')])).toEqual([-1, -1]);
});

test('a share is the mean of the best three others over the best of all', () => {
  const shares = familyShares(Int32Array.of(0, 0, 0, 0, 1, -1), Float64Array.of(6, 3, 3, 0, 4, 8));
  // Others of the first tool: 3, 3, 0. Of the fourth: 6, 3, 3. The best of all is 8.
  expect([...shares]).toEqual([6 / 3 / 8, 9 / 3 / 8, 9 / 3 / 8, 12 / 3 / 8, 0, 0]);
});

test('nothing matches, nothing is shared', () => {
  expect([...familyShares(Int32Array.of(0, 0), Float64Array.of(0, 0))]).toEqual([0, 0]);
});
