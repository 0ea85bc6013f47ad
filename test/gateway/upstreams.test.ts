import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import type { ConfigInput } from '../../src/gateway/index.ts';
import { memoryStore } from '../../src/stores/memory.ts';
import { fakeServer, keepingLogger, readingTool, startTestGateway } from './fake-gateway.ts';
import { connectClient, httpOf, textOf, until } from './gateway-client.ts';
import { clientOf, closeAfterEach, gatewayWith, namesOf, open, stateOf, textOfCall } from './rig.ts';

closeAfterEach();

test('GW-01 every page of a list is read, filters apply after all pages, and clients get everything', async () => {
  const page = (from: number, to: number): object[] =>
    Array.from({ length: to - from + 1 }, (_value, index) => readingTool(`a${from + index}`));
  const gateway = await gatewayWith({
    mcpServers: {
      big: fakeServer({ pages: [page(1, 50), page(51, 100), page(101, 101)] }, { excludeTools: ['a1?0', 'a2*'] }),
    },
  });
  await gateway.settled();
  const client = await clientOf(gateway);
  const names = await namesOf(client);
  const expected = Array.from({ length: 101 }, (_value, index) => `a${index + 1}`).filter(
    (name) => !name.startsWith('a2'),
  );
  expect(names).toEqual(expected);
  expect(new Set(names).size).toBe(90);
});

test('GW-03 a server that comes up late joins without a restart, and clients are told', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'toolgate-late-'));
  open.push({ close: () => rm(directory, { recursive: true, force: true }) });
  const started = join(directory, 'may-start');
  const args = fakeServer({ tools: [readingTool('late_tool')] }).args ?? [];
  // Waits for a file, then is the fake server.
  const lateCode = `const wait = () => require('fs').existsSync(${JSON.stringify(started)}) ? (process.argv[2] = process.argv[1], import(${JSON.stringify(`file://${args[0] ?? ''}`)})) : setTimeout(wait, 10); wait();`;
  const gateway = await gatewayWith({
    startWaitMs: 200,
    mcpServers: {
      fast: fakeServer({ tools: [readingTool('fast_tool')] }),
      late: { command: execPath, args: ['-e', lateCode, args[1] ?? ''], trust: 'annotations' },
      dead: { url: 'http://127.0.0.1:9/mcp' },
      crash: { command: execPath, args: ['-e', "console.error('cannot read the settings'); process.exit(1)"] },
    },
  });
  const told: string[] = [];
  const client = await clientOf(gateway, {
    era: 'legacy',
    prepare: (each) => each.setNotificationHandler('notifications/tools/list_changed', () => void told.push('changed')),
  });
  await until('the fast server', () => stateOf(gateway, 'fast') === 'ready');
  expect(await namesOf(client)).toEqual(['fast_tool']);
  await until('the crash to be seen', () => stateOf(gateway, 'crash') === 'failed');
  expect(stateOf(gateway, 'late')).toBe('connecting');
  const crash = gateway.upstreams().find(({ name }) => name === 'crash');
  expect(crash?.reason).toBe('the process ended with code 1; its last words: cannot read the settings');
  await writeFile(started, '');
  await until('the late tool', async () => (await namesOf(client)).includes('late_tool'));
  await until('the notice', () => told.length > 0);
  expect(await textOfCall(client, 'late_tool')).toBe('late_tool');
});

test('GW-05 a program that is not found is tried again with growing pauses and disturbs nobody', async () => {
  const logger = keepingLogger();
  const gateway = await gatewayWith(
    { mcpServers: { broken: { command: 'no-such-program' }, ok: fakeServer({ tools: [readingTool('ping')] }) } },
    { logger },
  );
  await gateway.settled();
  const told: string[] = [];
  const client = await clientOf(gateway, {
    era: 'legacy',
    prepare: (each) => each.setNotificationHandler('notifications/tools/list_changed', () => void told.push('changed')),
  });
  // Past the second attempt of the broken one.
  await until('a second attempt', async () => {
    expect(await textOfCall(client, 'ping')).toBe('ping');
    return (gateway.upstreams().find(({ name }) => name === 'broken')?.attempts ?? 0) >= 2;
  });
  const broken = gateway.upstreams().find(({ name }) => name === 'broken');
  expect(broken?.reason).toMatch(/^the program "no-such-program" was not found \(searched in PATH=/);
  const pauses = logger.lines
    .filter(({ message }) => message === 'upstream is not available')
    .map(({ details }) => details?.['retryInMs']);
  expect(pauses.slice(0, 2)).toEqual([1_000, 2_000]);
  expect(told).toEqual([]);
});

describe('GW-06 notices of change', () => {
  async function listsOf(client: Client): Promise<number> {
    return (JSON.parse(await textOfCall(client, 'stats')) as { lists: number }).lists;
  }

  test('a burst of two hundred is answered by at most two lists', async () => {
    const gateway = await gatewayWith({
      mcpServers: { s: fakeServer({ tools: [readingTool('burst'), readingTool('stats')] }) },
    });
    await gateway.settled();
    const client = await clientOf(gateway);
    const before = await listsOf(client);
    await textOfCall(client, 'burst');
    await until('one refresh', async () => (await listsOf(client)) > before);
    await textOfCall(client, 'burst');
    await until('another refresh', async () => (await listsOf(client)) > before + 1);
    expect(await listsOf(client)).toBeLessThanOrEqual(before + 4);
  });

  test('a server that sends one after every list is not asked for ever, and clients hear nothing', async () => {
    const gateway = await gatewayWith({ mcpServers: { s: fakeServer({ tools: [readingTool('stats')], loop: true }) } });
    await gateway.settled();
    const told: string[] = [];
    const client = await clientOf(gateway, {
      era: 'legacy',
      prepare: (each) =>
        each.setNotificationHandler('notifications/tools/list_changed', () => void told.push('changed')),
    });
    await until('the second list', async () => (await listsOf(client)) >= 2);
    expect(await listsOf(client)).toBeLessThanOrEqual(3);
    expect(told).toEqual([]);
  });
});

describe('GW-07 a list that changes', () => {
  const after = [readingTool('set-tools'), readingTool('b'), readingTool('c', { description: 'Reads c anew.' })];

  test.each([
    ['that announces it', true],
    ['that notifies without having announced it', false],
  ])('of a process %s', async (_title, listChanged) => {
    const gateway = await gatewayWith({
      mcpServers: {
        s: fakeServer({ tools: [readingTool('set-tools'), readingTool('a'), readingTool('c')], listChanged }),
      },
    });
    await gateway.settled();
    const client = await clientOf(gateway);
    expect(await namesOf(client)).toEqual(['set-tools', 'a', 'c']);
    await textOfCall(client, 'set-tools', { tools: after });
    await until('the new list', async () => (await namesOf(client)).includes('b'));
    const listed = (await client.listTools(undefined, { cacheMode: 'bypass' })).tools.slice(0, -1);
    expect(listed.map(({ name, description }) => [name, description])).toEqual([
      ['set-tools', 'Reads set-tools.'],
      ['b', 'Reads b.'],
      ['c', 'Reads c anew.'],
    ]);
    expect(await textOfCall(client, 'a')).toContain('There is no tool "a"; nothing was run.');
  });

  test('a call that waits for a tool that changed or went is asked again or ended, never run', async () => {
    const waitingTool = (more: object = {}): object => ({
      name: 'wipe',
      description: 'Wipes.',
      inputSchema: { type: 'object' },
      annotations: { destructiveHint: true },
      ...more,
    });
    const gateway = await gatewayWith({
      mode: 'search',
      mcpServers: { s: fakeServer({ tools: [readingTool('set-tools'), readingTool('stats'), waitingTool()] }) },
    });
    await gateway.settled();
    const client = await clientOf(gateway);
    const waiting = (await client.callTool({ name: 'call_destructive_tool', arguments: { name: 'wipe' } }))
      .structuredContent as { id: string };
    await client.callTool({
      name: 'call_read_tool',
      arguments: {
        name: 'set-tools',
        arguments: { tools: [readingTool('stats'), waitingTool({ description: 'Wipes everything.' })] },
      },
    });
    await until('the new description', async () =>
      textOf(await client.callTool({ name: 'describe_tool', arguments: { name: 'wipe' } })).includes(
        'Wipes everything.',
      ),
    );
    await httpOf(gateway, 'approver').post(`/api/confirmations/${waiting.id}/decisions`, { decision: 'approve' });
    const { calls } = JSON.parse(
      textOf(await client.callTool({ name: 'call_read_tool', arguments: { name: 'stats' } })),
    ) as { calls: string[] };
    expect(calls).not.toContain('wipe');
    const list = (await httpOf(gateway, 'approver').get('/api/confirmations?callState=awaiting')).body as {
      items: { calls: { description: string }[] }[];
    };
    expect(list.items.map(({ calls: [call] }) => call?.description)).toEqual(['Wipes everything.']);
  });
});

test('the last good list is kept, served as stale after a restart, and a call says that nothing was run', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'toolgate-stale-'));
  open.push({ close: () => rm(directory, { recursive: true, force: true }) });
  const flag = join(directory, 'broken');
  const args = fakeServer({ tools: [readingTool('greet')] }).args ?? [];
  const code = `require('fs').existsSync(${JSON.stringify(flag)}) ? process.exit(3) : (process.argv[2] = process.argv[1], import(${JSON.stringify(`file://${args[0] ?? ''}`)}))`;
  const input: ConfigInput = {
    mode: 'all',
    stateDirectory: join(directory, 'state'),
    mcpServers: {
      s: { command: execPath, args: ['-e', code, args[1] ?? ''], trust: 'annotations', connectTimeoutMs: 1_000 },
    },
  };
  const first = await startTestGateway(input);
  await first.settled();
  expect(stateOf(first, 's')).toBe('ready');
  await first.close();
  await writeFile(flag, '');
  const second = await startTestGateway(input, { store: memoryStore() });
  open.push(second);
  await second.settled();
  expect(second.upstreams()[0]).toMatchObject({ state: 'stale', tools: 1, reason: 'the process ended with code 3' });
  const client = await clientOf(second);
  expect(await namesOf(client)).toEqual(['greet']);
  const called = await client.callTool({ name: 'greet', arguments: {} });
  expect(called.isError).toBe(true);
  expect(textOf(called)).toBe(
    'The tool greet failed: The server s is not available, nothing was run: the process ended with code 3',
  );
  // One attempt for the call, not one after the other.
  expect(second.upstreams()[0]?.attempts).toBeLessThanOrEqual(3);
});

test('GW-27 what is switched off or ruled stays so when another server is added, and comes back with its server', async () => {
  const many = Array.from({ length: 60 }, (_value, index) => readingTool(`t${index}`));
  const atlassian = fakeServer({ tools: many }, { includeTools: ['t1', 't2', 't3', 't4', 't5', 'renamed'] });
  const policy = { t1: 'confirm', t2: 'confirm' } as const;
  const check = async (servers: NonNullable<ConfigInput['mcpServers']>): Promise<void> => {
    const gateway = await startTestGateway({ mode: 'all', policy, mcpServers: servers });
    await gateway.settled();
    const client = await connectClient(gateway);
    expect((await namesOf(client)).filter((name) => name.startsWith('t'))).toEqual(['t1', 't2', 't3', 't4', 't5']);
    expect(
      ((await client.callTool({ name: 't1', arguments: {} })).structuredContent as { status: string }).status,
    ).toBe('waiting');
    expect(await textOfCall(client, 't3')).toBe('t3');
    await client.close();
    await gateway.close();
  };
  await check({ atlassian });
  await check({ atlassian, time: fakeServer({ tools: [readingTool('now')] }) });
  await check({ time: fakeServer({ tools: [readingTool('now')] }), atlassian });
});

test('GW-21 secrets of the configuration never stand in a reason, a result or a log line', async () => {
  const logger = keepingLogger();
  const secret = 'very-secret-value';
  const gateway = await gatewayWith(
    {
      mcpServers: {
        s: {
          command: execPath,
          args: ['-e', 'console.error(`bad key ${process.env.KEY}`); console.log(process.env.KEY); process.exit(1)'],
          env: { KEY: secret },
        },
      },
    },
    { logger },
  );
  const [status] = await gateway.settled();
  expect(status?.reason).toBe('the process ended with code 1; its last words: bad key [hidden]');
  expect(JSON.stringify(logger.lines)).not.toContain(secret);
  expect(JSON.stringify(logger.lines)).toContain('bad key [hidden]');
});

test.skip('GW-19 signing in to a server again: sign-in (OAuth) towards servers is not built; headers and environment carry credentials', () =>
  undefined);
