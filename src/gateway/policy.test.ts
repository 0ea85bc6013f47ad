import { expect, test } from 'vitest';
import { catalogueOf } from '../catalog/catalogue-of.ts';
import type { RegisteredTool } from '../catalog/types.ts';
import type { ToolAnnotations } from '../core/tool.ts';
import { policyRules, verdictOf } from './policy.ts';

function toolOf(name: string, annotations?: ToolAnnotations): RegisteredTool {
  const server = { name: 's', identity: 's', trust: 'annotations' } as const;
  const [tool] = catalogueOf([
    {
      name,
      inputSchema: { type: 'object' },
      execute: () => '',
      server,
      ...(annotations === undefined ? {} : { annotations }),
    },
  ]).tools;
  return tool as RegisteredTool;
}

const reading = toolOf('get_it', { readOnlyHint: true });
const wiping = toolOf('wipe_it', { destructiveHint: true });

test.each([
  [reading, {}, 'allow'],
  [wiping, {}, 'confirm'],
  [toolOf('quiet'), {}, 'confirm'],
  [reading, { 'get_*': 'confirm' }, 'confirm'],
  [wiping, { wipe_it: 'allow' }, 'allow'],
  [wiping, { '*': 'allow', 'wipe_*': 'confirm' }, 'confirm'],
  [wiping, { '*': 'confirm', wipe_it: 'deny' }, 'deny'],
  [wiping, { wipe_it: { deny: 'never' } }, 'deny'],
  [wiping, { other: 'allow' }, 'confirm'],
] as const)('%# what happens to a call', (tool, rules, expected) => {
  expect(verdictOf(tool, rules)).toBe(expected);
});

test('a refusal names its rule', () => {
  expect(policyRules({ a: 'allow', b: 'confirm', 'c_*': 'deny', d: { deny: 'never' } })).toEqual({
    a: 'allow',
    b: 'confirm',
    'c_*': { deny: 'The configuration forbids it (rule "c_*").' },
    d: { deny: 'never' },
  });
});
