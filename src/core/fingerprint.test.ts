import { describe, expect, it } from 'vitest';
import { fingerprintTool } from './fingerprint.ts';
import type { ToolDefinition } from './tool.ts';

const tool: ToolDefinition = {
  name: 'send',
  description: 'Sends mail',
  inputSchema: { type: 'object', properties: { to: { type: 'string' }, text: { type: 'string' } } },
  server: { name: 'mail', identity: 'stdio:mail-server' },
};

describe('fingerprintTool', () => {
  it('does not depend on the order of keys, on unknown hints, or on how the host shows the tool', () => {
    const same: ToolDefinition = {
      server: { identity: 'stdio:mail-server', name: 'renamed here', trust: 'annotations' },
      inputSchema: { properties: { text: { type: 'string' }, to: { type: 'string' } }, type: 'object' },
      annotations: { custom: true } as never,
      aliases: ['mail'],
      visibility: 'always',
      description: 'Sends mail',
      name: 'send',
    };
    expect(fingerprintTool(same)).toBe(fingerprintTool(tool));
  });

  it('changes with everything that changes what the tool means or whose it is', () => {
    const others: ToolDefinition[] = [
      { ...tool, name: 'send_all' },
      { ...tool, description: 'Sends mail to everybody' },
      { ...tool, inputSchema: { ...tool.inputSchema, required: ['to'] } },
      { ...tool, annotations: { destructiveHint: true } },
      { ...tool, server: { name: 'mail', identity: 'https://elsewhere.example' } },
      { ...tool, outputSchema: { type: 'object' } },
    ];
    const prints = new Set([tool, ...others].map(fingerprintTool));
    expect(prints.size).toBe(7);
  });

  it('tells every field from every other, also when the same text moves from one to the next', () => {
    const bare: ToolDefinition = { name: 'x', inputSchema: {} };
    const moved: ToolDefinition[] = [
      bare,
      { ...bare, title: 'y' },
      { ...bare, description: 'y' },
      { ...bare, outputSchema: {} },
      { ...bare, annotations: { title: 'y' } },
      { ...bare, annotations: { readOnlyHint: true } },
      { ...bare, annotations: { readOnlyHint: false } },
      { ...bare, annotations: { destructiveHint: true } },
      { ...bare, annotations: { destructiveHint: false } },
      { ...bare, annotations: { idempotentHint: true } },
      { ...bare, annotations: { openWorldHint: true } },
      { ...bare, annotations: { openWorldHint: false } },
      { ...bare, server: { name: 'y', identity: 'y' } },
      { ...bare, name: 'y' },
      { ...bare, inputSchema: { type: 'object' } },
    ];
    expect(new Set(moved.map(fingerprintTool)).size).toBe(moved.length);
    expect(fingerprintTool({ ...bare, annotations: {} })).toBe(fingerprintTool(bare));
    expect(fingerprintTool({ ...bare, title: undefined, description: undefined })).toBe(fingerprintTool(bare));
  });

  it('is a digest that stays: stored approvals and rules rest on it', () => {
    expect(fingerprintTool({ name: 'x', inputSchema: {} })).toBe(
      'sha256:f1c01fec65e576898355d3268679a64be03ae800312de795b08fa1bb747aa7e4',
    );
  });
});
