import { expect, test } from 'vitest';
import { catalogueOf } from '../catalog/catalogue-of.ts';
import type { RegisteredTool } from '../catalog/types.ts';
import type { ToolAnnotations } from '../core/tool.ts';
import { mayWait, policyRules } from './policy.ts';

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
  [reading, {}, false],
  [wiping, {}, true],
  [toolOf('quiet'), {}, true],
  [reading, { 'get_*': 'confirm' }, true],
  [wiping, { wipe_it: 'allow' }, false],
  [wiping, { '*': 'allow', 'wipe_*': 'confirm' }, true],
  [wiping, { '*': 'confirm', wipe_it: 'deny' }, false],
  [wiping, { wipe_it: { deny: 'never' } }, false],
  [wiping, { other: 'allow' }, true],
] as const)('%# whether a call may wait', (tool, rules, expected) => {
  expect(mayWait(tool, rules)).toBe(expected);
});

test('a refusal names its rule', () => {
  expect(policyRules({ a: 'allow', b: 'confirm', 'c_*': 'deny', d: { deny: 'never' } })).toEqual({
    a: 'allow',
    b: 'confirm',
    'c_*': { deny: 'The configuration forbids it (rule "c_*").' },
    d: { deny: 'never' },
  });
});
