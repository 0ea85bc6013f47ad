import { createMCPClient } from '@ai-sdk/mcp';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { memoryStore } from 'toolgate';
import { aiSdk } from 'toolgate/ai-sdk';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { answered, mockModel, newMessages, tenSteps, versions } from './support/ai-sdk-versions.ts';

async function connect(ran: string[]) {
  const server = new McpServer({ name: 'files', version: '1.0.0' });
  server.registerTool('remove', { description: 'Removes a file.', inputSchema: { path: z.string() } }, ({ path }) => {
    ran.push(path);
    return { content: [{ type: 'text', text: `removed ${path}` }] };
  });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  const client = await createMCPClient({ transport: near as never });
  return { client, server };
}

describe.each(versions)("tools of the SDK's MCP client with ai $version", (version) => {
  it('wait when their server says nothing of them, and run once', async () => {
    const ran: string[] = [];
    const { client, server } = await connect(ran);
    try {
      const { ai } = version;
      const g = aiSdk({
        tools: await client.tools(),
        store: memoryStore(),
        serverOf: () => ({ name: 'files', identity: 'stdio:files' }),
      });
      const call = { toolCallId: 'r', toolName: 'remove', input: { path: '/tmp/a' } };
      const { model, requests } = mockModel(version, [{ calls: [call] }, { text: 'done' }, { text: 'done' }]);
      const user = { role: 'user' as const, content: 'Remove it.' };
      const ask = async (messages: unknown) =>
        await ai.generateText({
          model,
          stopWhen: tenSteps(version),
          ...g.forTurn({ conversation: 'c', messages: messages as never }),
        } as never);
      const first = await ask([user]);
      expect(ran).toEqual([]);
      const { items } = await g.gate.confirmations.list();
      expect(items[0]?.calls[0]?.server).toBe('files');
      const history = answered([user, ...newMessages(first)], true);
      await ask(history);
      await ask(history);
      expect(ran).toEqual(['/tmp/a']);
      for (const request of requests.slice(1)) expect(JSON.stringify(request.prompt)).toContain('removed /tmp/a');
    } finally {
      await client.close();
      await server.close();
    }
  });
});
