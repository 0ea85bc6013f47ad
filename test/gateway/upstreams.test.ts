import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import type { Client } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, test } from 'vitest';
import type { ConfigInput, Gateway, GatewayOptions } from '../../src/gateway/index.ts';
import { parseConfig } from '../../src/config/load-config.ts';
import type { ServerConfig } from '../../src/config/types.ts';
import { Upstream } from '../../src/gateway/upstream.ts';
import { manualClock } from '../../src/testing/manual-clock.ts';
import { memoryStore } from '../../src/stores/memory.ts';
import { fakeServer, keepingLogger, readingTool, startTestGateway } from './fake-gateway.ts';
import { connectClient, httpOf, textOf, until } from './gateway-client.ts';
import { startHttpServer } from './http-server.ts';

const open: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close().catch(() => undefined);
});

async function gatewayWith(
  input: ConfigInput,
  options: GatewayOptions = {},
): Promise<Gateway & { readonly directory: string }> {
  const gateway = await startTestGateway({ mode: 'all', ...input }, options);
  open.push(gateway);
  return gateway;
}

async function clientOf(gateway: Gateway, options: Parameters<typeof connectClient>[1] = {}): Promise<Client> {
  const client = await connectClient(gateway, options);
  open.push(client);
  return client;
}

async function namesOf(client: Client): Promise<readonly string[]> {
  const names = (await client.listTools(undefined, { cacheMode: 'bypass' })).tools.map(({ name }) => name);
  // It is there in every mode.
  expect(names.at(-1)).toBe('get_confirmation');
  return names.slice(0, -1);
}

async function textOfCall(client: Client, name: string, args: Record<string, unknown> = {}): Promise<string> {
  return textOf(await client.callTool({ name, arguments: args }));
}

const stateOf = (gateway: Gateway, name: string): string | undefined =>
  gateway.upstreams().find((status) => status.name === name)?.state;

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

describe('servers over HTTP', () => {
  test.each(['modern', 'legacy'] as const)('of the %s era are listed and called', async (era) => {
    const server = await startHttpServer({ era, tools: { greet: () => 'hello' } });
    open.push(server);
    const gateway = await gatewayWith({
      trust: 'annotations',
      mcpServers: { remote: { url: server.url, headers: { 'x-key': 'sesame-sesame' } } },
    });
    await gateway.settled();
    expect(gateway.upstreams()[0]).toMatchObject({ state: 'ready', tools: 1, era });
    const client = await clientOf(gateway);
    expect(await textOfCall(client, 'greet')).toBe('hello');
    expect(server.headers()).toContain('sesame-sesame');
  });

  test.each(['modern', 'legacy'] as const)(
    'GW-10 blocks that nobody knows come through from a server of the %s era',
    async (era) => {
      const result = {
        content: [
          { type: 'future_type', x: 1 },
          { type: 'text', text: 't' },
        ],
        structuredContent: { n: 1 },
        _meta: { k: 'v' },
      };
      const server = await startHttpServer({ era, tools: { odd: () => result } });
      open.push(server);
      const gateway = await gatewayWith({
        trust: 'annotations',
        policy: { odd: 'confirm' },
        mcpServers: { remote: { url: server.url } },
      });
      await gateway.settled();
      const client = await clientOf(gateway);
      const { id } = (await client.callTool({ name: 'odd', arguments: {} })).structuredContent as { id: string };
      const decided = await httpOf(gateway, 'approver').post(`/api/confirmations/${id}/decisions`, {
        decision: 'approve',
      });
      const outcome = (decided.body as { confirmation: { calls: { outcome: { result: object } }[] } }).confirmation
        .calls[0]?.outcome.result as { meta: object };
      expect(outcome).toMatchObject({ content: result.content, structured: { n: 1 } });
      expect(outcome.meta).toMatchObject({ k: 'v' });
    },
  );

  test('that want an argument as a header get it', async () => {
    const inputSchema = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } };
    const server = await startHttpServer({ era: 'modern', tools: { query: () => 'rows' }, inputSchema });
    open.push(server);
    const gateway = await gatewayWith({ trust: 'annotations', mcpServers: { remote: { url: server.url } } });
    await gateway.settled();
    expect(await textOfCall(await clientOf(gateway, { era: 'legacy' }), 'query', { region: 'eu-west' })).toBe('rows');
    expect(server.headers()).toEqual(['eu-west']);
  });

  test('with the older two-channel transport only', async () => {
    const server = await startHttpServer({ era: 'sse', tools: { greet: () => 'hello' } });
    open.push(server);
    const gateway = await gatewayWith({ trust: 'annotations', mcpServers: { old: { url: server.url } } });
    await gateway.settled();
    expect(gateway.upstreams()[0]).toMatchObject({ state: 'ready', tools: 1 });
    expect(await textOfCall(await clientOf(gateway), 'greet')).toBe('hello');
  });

  test('GW-07 a change is heard over the listening stream', async () => {
    const server = await startHttpServer({ era: 'legacy', tools: { a: () => 'a' } });
    open.push(server);
    const gateway = await gatewayWith({ trust: 'annotations', mcpServers: { remote: { url: server.url } } });
    await gateway.settled();
    const client = await clientOf(gateway);
    expect(await namesOf(client)).toEqual(['a']);
    server.setTools({ b: () => 'b' });
    await until('the new list', async () => (await namesOf(client)).includes('b'));
    expect(await namesOf(client)).toEqual(['b']);
  });

  test('GW-07 a server that forbids the listening stream is asked once a minute', async () => {
    const server = await startHttpServer({ era: 'legacy', tools: { a: () => 'a' }, noStream: true });
    open.push(server);
    const clock = manualClock();
    const { config } = parseConfig(
      JSON.stringify({ mcpServers: { quiet: { url: server.url, type: 'http' } } }),
      '/x.json',
      { environment: {} },
    );
    const upstream = new Upstream(config.servers[0] as ServerConfig, {
      clock,
      logger: keepingLogger(),
      environment: {},
      cache: { load: () => Promise.resolve(undefined), save: () => Promise.resolve() },
      onChange: () => undefined,
    });
    open.push(upstream);
    await upstream.start();
    await until('the list', () => upstream.status.state === 'ready');
    const names = async (): Promise<string[]> =>
      (await upstream.provider.provideTools({} as never)).map(({ name }) => name);
    expect(await names()).toEqual(['a']);
    server.setTools({ b: () => 'b' });
    clock.advance(59_999);
    expect(clock.pending).toBe(1);
    clock.advance(1);
    clock.advance(50);
    await until('the new list', async () => (await names()).includes('b'));
    expect(await names()).toEqual(['b']);
  });

  test('GW-18 a session that the server has forgotten is opened again and the call repeated once; others are not disturbed', async () => {
    const forgetful = await startHttpServer({ era: 'legacy', tools: { x: () => 'x' } });
    const steady = await startHttpServer({ era: 'legacy', tools: { y: () => 'y' } });
    open.push(forgetful, steady);
    const gateway = await gatewayWith({
      trust: 'annotations',
      mcpServers: { u1: { url: forgetful.url }, u2: { url: steady.url } },
    });
    await gateway.settled();
    const client = await clientOf(gateway, { era: 'legacy' });
    expect(await textOfCall(client, 'x')).toBe('x');
    forgetful.forgetSessions();
    expect(await textOfCall(client, 'y')).toBe('y');
    expect(await textOfCall(client, 'x')).toBe('x');
    expect(forgetful.calls()).toBe(2);
    expect(forgetful.sessions()).toBe(2);
    expect(steady.sessions()).toBe(1);
  });

  test('GW-18 a server that went away is told, and used again when it is back', async () => {
    const server = await startHttpServer({ era: 'legacy', tools: { x: () => 'x' } });
    const port = Number(new URL(server.url).port);
    const gateway = await gatewayWith({ trust: 'annotations', mcpServers: { u: { url: server.url } } });
    await gateway.settled();
    const client = await clientOf(gateway);
    expect(await textOfCall(client, 'x')).toBe('x');
    await server.close();
    const failed = await client.callTool({ name: 'x', arguments: {} });
    expect(failed.isError).toBe(true);
    await until('the loss to be seen', () => stateOf(gateway, 'u') === 'stale');
    const again = await startHttpServer({ era: 'legacy', tools: { x: () => 'x again' }, port });
    open.push(again);
    expect(await textOfCall(client, 'x')).toBe('x again');
    expect(stateOf(gateway, 'u')).toBe('ready');
  });

  test('an address that refuses, and a body that is no protocol, are told with their reason', async () => {
    const plain = createServer((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>hello</html>'),
    );
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    open.push({ close: () => new Promise((resolve) => plain.close(resolve)) });
    const { port } = plain.address() as AddressInfo;
    const gateway = await gatewayWith({
      mcpServers: {
        html: { url: `http://127.0.0.1:${port}/`, connectTimeoutMs: 5_000 },
        closed: { url: 'http://127.0.0.1:10/mcp' },
      },
    });
    const statuses = await gateway.settled();
    for (const status of statuses) {
      expect(status.state).toBe('failed');
      expect(status.reason).not.toBe('');
    }
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
