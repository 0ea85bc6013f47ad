import { expect, test } from 'vitest';
import { catalogueOf } from '../catalog/catalogue-of.ts';
import type { RegisteredTool } from '../catalog/types.ts';
import type { Tool } from '../core/tool.ts';
import { listTool } from './listed-tool.ts';
import { rememberListing } from './raw-listing.ts';

const raw = {
  name: 'own name',
  title: 'T',
  description: 'D.',
  inputSchema: { type: 'object', properties: {} },
  outputSchema: { type: 'object', properties: {} },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false, custom: 5 },
  icons: [{ src: 'data:,' }],
  execution: { taskSupport: 'required' },
  _meta: { x: 1 },
};

function registered(trust: 'none' | 'annotations'): RegisteredTool {
  const tool: Tool = {
    name: 'exposed',
    title: 'T',
    description: 'D.',
    inputSchema: { type: 'object', properties: {} },
    outputSchema: { type: 'object', properties: {} },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    server: { name: 's', identity: 's', trust },
    execute: () => '',
  };
  rememberListing(tool, raw);
  return catalogueOf([tool]).tools[0] as RegisteredTool;
}

test('keeps what it does not know, under the exposed name, without tasks', () => {
  expect(listTool(registered('annotations'))).toEqual({
    name: 'exposed',
    title: 'T',
    description: 'D.',
    inputSchema: { type: 'object', properties: {} },
    outputSchema: { type: 'object', properties: {} },
    annotations: raw.annotations,
    icons: raw.icons,
    _meta: { x: 1 },
  });
});

test('hints of a stranger are passed on only where they raise caution, and a tool that may wait has no output schema', () => {
  const listed = listTool(registered('none'), { mayWait: true });
  expect(listed.annotations).toEqual({ custom: 5 });
  expect(listed).not.toHaveProperty('outputSchema');
});
