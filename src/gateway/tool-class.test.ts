import { expect, test } from 'vitest';
import type { Tool, ToolAnnotations } from '../core/tool.ts';
import { entryCovers, toolClass } from './tool-class.ts';

function toolOf(trust: 'none' | 'annotations' | 'own', annotations?: ToolAnnotations): Tool {
  return {
    name: 't',
    inputSchema: { type: 'object' },
    execute: () => '',
    ...(annotations === undefined ? {} : { annotations }),
    ...(trust === 'own' ? {} : { server: { name: 's', identity: 's', trust } }),
  };
}

test.each([
  ['annotations', { readOnlyHint: true }, 'read'],
  ['annotations', { readOnlyHint: false, destructiveHint: false }, 'write'],
  ['annotations', { destructiveHint: false }, 'write'],
  ['annotations', { readOnlyHint: false }, 'destructive'],
  ['annotations', {}, 'destructive'],
  ['annotations', undefined, 'destructive'],
  ['annotations', { readOnlyHint: true, destructiveHint: true }, 'destructive'],
  ['none', { readOnlyHint: true }, 'destructive'],
  ['none', { readOnlyHint: false, destructiveHint: false }, 'destructive'],
  ['none', undefined, 'destructive'],
  ['own', { readOnlyHint: true }, 'read'],
  ['own', undefined, 'write'],
] as const)('a tool of a server with trust %s that says %j is %s', (trust, annotations, expected) => {
  expect(toolClass(toolOf(trust, annotations))).toBe(expected);
});

test('a stronger entry covers a weaker class, never the other way round', () => {
  expect(entryCovers('read', 'read')).toBe(true);
  expect(entryCovers('destructive', 'read')).toBe(true);
  expect(entryCovers('write', 'destructive')).toBe(false);
  expect(entryCovers('read', 'write')).toBe(false);
});
