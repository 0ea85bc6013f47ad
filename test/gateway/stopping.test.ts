import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createConfig, startGateway } from '../../src/gateway/index.ts';
import { connectClient, httpOf, textOf, until } from './gateway-client.ts';
import { referenceServer } from './reference-servers.ts';

let directory = '';

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'toolgate-stopping-'));
});

afterAll(() => rm(directory, { recursive: true, force: true }));

test('a gateway that stops answers the calls it holds: they wait on, and nothing is lost', async () => {
  const config = createConfig({
    port: 0,
    holdMs: 60_000,
    mode: 'all',
    stateDirectory: join(directory, 'state'),
    mcpServers: { files: referenceServer('filesystem', directory) },
  });
  const gateway = await startGateway(config);
  const client = await connectClient(gateway);
  try {
    await until('the server', () => gateway.upstreams().every(({ state }) => state === 'ready'));
    const heard: string[] = [];
    const held = client.callTool(
      { name: 'write_file', arguments: { path: join(directory, 'a.txt'), content: 'a' } },
      { onprogress: ({ message }) => heard.push(message ?? '') },
    );
    await until('the call to wait', () => heard.length > 0);
    await gateway.close();
    const result = await held;
    expect(result.isError ?? false).toBe(false);
    expect(textOf(result)).toContain('pause_');
  } finally {
    await client.close().catch(() => undefined);
    await gateway.close();
  }
  const again = await startGateway(config);
  try {
    await until('the server again', () => again.upstreams().every(({ state }) => state === 'ready'));
    const { body } = await httpOf(again, 'approver').get('/api/confirmations?state=open');
    expect(JSON.stringify(body)).toContain('"state":"awaiting"');
  } finally {
    await again.close();
  }
});
