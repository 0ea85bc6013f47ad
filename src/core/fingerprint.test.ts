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
});
