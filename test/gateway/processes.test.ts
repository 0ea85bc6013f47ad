import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PauseView } from '../../src/confirm/types.ts';
import { connectClient, httpOf, textOf, until } from './gateway-client.ts';
import { descendantsOf, isAlive, isBuilt, program, startGatewayProcess } from './gateway-process.ts';
import type { GatewayProcess } from './gateway-process.ts';
import { referenceServer } from './reference-servers.ts';

// A tree without a build has no program to start; the test command builds first.
describe.skipIf(!isBuilt)('the gateway as a process', () => {
  let directory = '';
  let state = '';
  const running: GatewayProcess[] = [];

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'toolgate-process-'));
    state = join(directory, 'state');
  });

  afterAll(async () => {
    await Promise.all(running.map((gateway) => gateway.kill('SIGKILL')));
    await rm(directory, { recursive: true, force: true });
  });

  async function writeConfig(name: string, more: object = {}): Promise<string> {
    const file = join(directory, name);
    const mcpServers = { files: { ...referenceServer('filesystem', directory), trust: 'annotations' } };
    await writeFile(
      file,
      JSON.stringify({
        port: 0,
        holdMs: 0,
        stateDirectory: 'state',
        store: { path: 'state/toolgate.db' },
        mcpServers,
        ...more,
      }),
    );
    return file;
  }

  async function start(file: string, more: readonly string[] = []): Promise<GatewayProcess> {
    const gateway = await startGatewayProcess(file, state, more);
    running.push(gateway);
    return gateway;
  }

  test('killed while a call waits and started again, it still has the call, and runs it once', async () => {
    const file = await writeConfig('kill.json');
    const path = join(directory, 'survivor.txt');
    const call = {
      name: 'call_destructive_tool',
      arguments: { name: 'write_file', arguments: { path, content: 'survived' } },
    };

    const first = await start(file);
    const client = await connectClient(first);
    const waiting = (await client.callTool(call)).structuredContent as { id: string; status: string };
    expect(waiting.status).toBe('waiting');
    expect(await first.kill('SIGKILL')).toBe('SIGKILL');
    await client.close().catch(() => undefined);

    const second = await start(file);
    expect(second.tokens).toEqual(first.tokens);
    const approver = httpOf(second, 'approver');
    const list = (await approver.get('/api/confirmations?state=open')).body as { items: PauseView[] };
    expect(list.items.map(({ id, calls }) => [id, calls[0]?.state])).toEqual([[waiting.id, 'awaiting']]);
    expect(existsSync(path)).toBe(false);

    const again = await connectClient(second);
    expect(((await again.callTool(call)).structuredContent as { id: string }).id).toBe(waiting.id);
    await approver.post(`/api/confirmations/${waiting.id}/decisions`, { decision: 'approve' });
    expect(await readFile(path, 'utf8')).toBe('survived');
    await writeFile(path, 'not written again');

    await second.kill('SIGKILL');
    await again.close().catch(() => undefined);
    const third = await start(file);
    const last = await connectClient(third);
    expect(textOf(await last.callTool({ name: 'get_confirmation', arguments: { id: waiting.id } }))).toBe(
      `Successfully wrote to ${path}`,
    );
    expect(await readFile(path, 'utf8')).toBe('not written again');
    await last.close();
    expect(await third.kill('SIGTERM')).toBe(0);
  });

  test('GW-22 nothing that was started lives on: servers behind two shells, after SIGTERM and SIGINT', async () => {
    const server = referenceServer('memory');
    const inner = `"${server.command}" "${server.args[0] ?? ''}"`;
    const stubborn = "process.on('SIGTERM', () => {}); process.stdin.on('data', () => {}); setInterval(() => {}, 1000)";
    const file = await writeConfig('shells.json', {
      mcpServers: {
        nested: { command: 'sh', args: ['-c', `sh -c '${inner}; true'; true`] },
        stubborn: { command: process.execPath, args: ['-e', stubborn], connectTimeoutMs: 500 },
      },
    });
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const gateway = await start(file);
      const started = await descendantsOf(gateway.process.pid ?? -1);
      // Two shells and the server itself; the stubborn one may be between two attempts.
      expect(started.length).toBeGreaterThanOrEqual(3);
      expect(gateway.output()).toMatch(/"name":"nested","state":"ready"/);
      expect(await gateway.kill(signal)).toBe(0);
      await until(
        'the end of every process',
        async () => !(await Promise.all(started.map(isAlive))).includes(true),
        10_000,
      );
    }
  });

  test('GW-22 after SIGKILL of the gateway its servers see the end of their input', async () => {
    const gateway = await start(await writeConfig('input.json'));
    const started = await descendantsOf(gateway.process.pid ?? -1);
    expect(started).toHaveLength(1);
    await gateway.kill('SIGKILL');
    await until('the end of the server', async () => !(await isAlive(started[0] ?? -1)), 10_000);
  });

  test('a port in use is told in one sentence, and nothing stays behind', async () => {
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
    const { port } = blocker.address() as AddressInfo;
    const file = await writeConfig('port.json', { port });
    const child = spawn(process.execPath, [program, 'serve', '--config', file], { stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
    blocker.close();
    expect(code).not.toBe(0);
    expect(text).toContain(`Port ${port} on 127.0.0.1 is in use by another program. Choose another with --port`);
  });

  test('a client over standard input is served, and a second process shares the store and the page of the first', async () => {
    const file = await writeConfig('stdio.json');
    const connect = async (): Promise<Client> => {
      const client = new Client({ name: 'stdio-client', version: '1' }, { versionNegotiation: { mode: 'legacy' } });
      await client.connect(
        new StdioClientTransport({
          command: process.execPath,
          args: [program, 'serve', '--config', file, '--stdio'],
          stderr: 'ignore',
        }),
      );
      return client;
    };
    const first = await connect();
    expect((await first.listTools()).tools.map(({ name }) => name)).toContain('search_tools');
    const second = await connect();
    const path = join(directory, 'shared.txt');
    const call = {
      name: 'call_destructive_tool',
      arguments: { name: 'write_file', arguments: { path, content: 'shared' } },
    };
    const waiting = (await second.callTool(call)).structuredContent as { id: string; link: string };
    // The link leads to the first process, which has the page; it sees the call of the second.
    const url = new URL(waiting.link).origin;
    const tokens = JSON.parse(await readFile(join(state, 'tokens.json'), 'utf8')) as {
      caller: string;
      approver: string;
    };
    const decided = await httpOf({ url, tokens }, 'approver').post(`/api/confirmations/${waiting.id}/decisions`, {
      decision: 'approve',
    });
    expect(decided.status).toBe(200);
    const result = await second.callTool({ name: 'get_confirmation', arguments: { id: waiting.id, waitSeconds: 20 } });
    expect(textOf(result)).toBe(`Successfully wrote to ${path}`);
    await second.close();
    await first.close();
  });
});
