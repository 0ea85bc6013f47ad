import { join } from 'node:path';
import { request as httpRequest } from 'node:http';
import type { OutgoingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Gateway } from '../../src/gateway/index.ts';
import { fakeServer, readingTool, startTestGateway } from './fake-gateway.ts';
import { connectClient, httpOf, textOf } from './gateway-client.ts';

/** A request with headers that `fetch` would not send. */
function rawRequest(
  url: string,
  headers: OutgoingHttpHeaders,
  method: string = 'GET',
  body?: string,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    request.on('error', reject);
    request.end(body);
  });
}

const wipe = {
  name: 'wipe',
  description: 'Removes everything.',
  inputSchema: { type: 'object', properties: { what: { type: 'string' } } },
  annotations: { destructiveHint: true },
};

describe('the HTTP interface', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startTestGateway({
      mcpServers: {
        weather: fakeServer({
          tools: [
            readingTool('get_forecast', { description: 'The weather forecast for a city.' }),
            readingTool('get_tides', { description: 'Tides of a harbour.' }),
          ],
        }),
        disk: fakeServer({ tools: [wipe] }),
        off: { command: 'x', disabled: true },
      },
    });
    await gateway.settled();
  });
  afterAll(async () => {
    await gateway.close();
  });

  test('health and readiness need no token; a server that is switched off is not missing', async () => {
    const health = await httpOf(gateway, 'nobody').get('/healthz');
    expect(health).toMatchObject({ status: 200, body: { status: 'ok' } });
    const ready = await httpOf(gateway, 'nobody').get('/readyz');
    expect(ready).toEqual({
      status: 200,
      body: { ready: true, missing: [], upstreams: { weather: 'ready', disk: 'ready', off: 'disabled' } },
    });
  });

  test.each([
    ['/api/tools', 'nobody', 401],
    ['/api/tools', 'caller', 200],
    ['/api/tools', 'approver', 200],
    ['/api/search?query=weather', 'nobody', 401],
    ['/api/search?query=weather', 'caller', 200],
    ['/api/confirmations', 'nobody', 401],
    ['/api/confirmations', 'caller', 403],
    ['/api/confirmations', 'approver', 200],
    ['/api/audit?confirmation=x', 'caller', 403],
    ['/api/audit?confirmation=x', 'approver', 404],
    ['/api/upstreams', 'caller', 403],
    ['/api/upstreams', 'approver', 200],
    ['/events', 'caller', 403],
    ['/api/nothing', 'approver', 404],
    ['/api/openapi.json', 'nobody', 200],
  ] as const)('GET %s as %s is answered with %i', async (path, role, status) => {
    const answer = await httpOf(gateway, role).get(path);
    expect(answer.status).toBe(status);
    if (status >= 400)
      expect((answer.body as { error: { code: string; message: string } }).error.message).toMatch(/\.$/);
  });

  test('every path of the description is there', async () => {
    const { body } = await httpOf(gateway, 'nobody').get('/api/openapi.json');
    const { paths } = body as { paths: Record<string, Record<string, unknown>> };
    for (const [path, methods] of Object.entries(paths)) {
      if (path === '/events' || !Object.hasOwn(methods, 'get')) continue;
      const url = path.replace('{name}', 'get_tides').replace('{id}', 'pause_x');
      const response = await fetch(`${gateway.url}${url}`, {
        headers: { authorization: `Bearer ${gateway.tokens?.approver ?? ''}` },
      });
      const text = await response.text();
      expect([path, text.includes('There is nothing at')]).toEqual([path, false]);
    }
  });

  test('the protocol wants the caller’s token and no other', async () => {
    const initialize = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    };
    expect((await httpOf(gateway, 'nobody').post('/mcp', initialize)).status).toBe(401);
    const approver = await httpOf(gateway, 'approver').post('/mcp', initialize);
    expect(approver.status).toBe(403);
    expect((approver.body as { error: { message: string } }).error.message).toContain(
      'so that it cannot decide its own calls',
    );
    expect((await rawRequest(gateway.mcpUrl, { authorization: 'Bearer tg_caller_wrong' }, 'POST', '{}')).status).toBe(
      401,
    );
  });

  test('requests to another name and from other pages are refused, also with the right token', async () => {
    const authorization = `Bearer ${gateway.tokens?.approver ?? ''}`;
    const { port } = new URL(gateway.url);
    const list = `${gateway.url}/api/confirmations`;
    expect((await rawRequest(list, { authorization })).status).toBe(200);
    expect((await rawRequest(list, { authorization, host: `localhost:${port}` })).status).toBe(200);
    const rebound = await rawRequest(list, { authorization, host: `evil.example:${port}` });
    expect(rebound.status).toBe(403);
    expect(rebound.text).toContain('Add the name to allowedHosts if that is meant.');
    expect((await rawRequest(list, { authorization, origin: 'https://evil.example' })).status).toBe(403);
    expect((await rawRequest(list, { authorization, origin: gateway.url })).status).toBe(200);
    expect((await rawRequest(`${gateway.url}/healthz`, { host: 'evil.example' })).status).toBe(403);
  });

  test('tools are listed with class, entry, schema and fingerprint', async () => {
    const { body } = await httpOf(gateway, 'caller').get('/api/tools?server=disk');
    expect(body).toMatchObject({
      tools: [
        {
          name: 'wipe',
          server: 'disk',
          class: 'destructive',
          callWith: 'call_destructive_tool',
          inputSchema: wipe.inputSchema,
          annotations: { destructiveHint: true },
        },
      ],
    });
    const one = await httpOf(gateway, 'caller').get('/api/tools/wipe');
    expect((one.body as { fingerprint: string }).fingerprint).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(await httpOf(gateway, 'caller').get('/api/tools/nothing')).toMatchObject({
      status: 404,
      body: { error: { code: 'unknown-tool' } },
    });
  });

  test('a search finds by words, within one server, up to a limit', async () => {
    const caller = httpOf(gateway, 'caller');
    const found = await caller.post('/api/search', { query: 'weather forecast', limit: 1 });
    expect((found.body as { tools: { name: string }[] }).tools.map(({ name }) => name)).toEqual(['get_forecast']);
    const other = await caller.post('/api/search', { query: 'weather forecast', server: 'disk' });
    expect((other.body as { tools: { name: string }[] }).tools.map(({ name }) => name)).not.toContain('get_forecast');
  });

  test.each([
    ['/api/search', {}, 'query must be a text that is not empty.'],
    ['/api/search', { query: 'x', limit: 0 }, 'limit must be a whole number from 1 to 50.'],
    ['/api/search', { query: 'x', server: 7 }, 'server must be the name of a server.'],
    ['/api/search', '{', 'The body is not JSON'],
    ['/api/select', {}, 'messages must be a list of messages.'],
    ['/api/select', { messages: [{ role: 'user' }] }, 'messages[0] must have a role and a content'],
  ])('%s with %j says what is wrong', async (path, body, message) => {
    const answer = await httpOf(gateway, 'caller').post(path, body);
    expect(answer.status).toBe(400);
    expect((answer.body as { error: { message: string } }).error.message).toContain(message);
  });

  test('a selection for a conversation names tools and says why', async () => {
    const { status, body } = await httpOf(gateway, 'caller').post('/api/select', {
      messages: [{ role: 'user', content: 'What is the weather forecast for Paris?' }],
    });
    expect(status).toBe(200);
    const { tools, report } = body as {
      tools: { name: string }[];
      report: { entries: { name: string; kept: boolean; reason: string }[] };
    };
    expect(tools.map(({ name }) => name)).toContain('get_forecast');
    expect(report.entries.map(({ name }) => name)).toEqual(['get_forecast', 'get_tides', 'wipe']);
  });

  test('events tell of a call that waits and of its decision, without arguments', async () => {
    const controller = new AbortController();
    const response = await fetch(`${gateway.url}/events`, {
      headers: { authorization: `Bearer ${gateway.tokens?.approver ?? ''}` },
      signal: controller.signal,
    });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const reader = (response.body as ReadableStream<Uint8Array>)
      .pipeThrough(new TextDecoderStream() as never)
      .getReader() as ReadableStreamDefaultReader<string>;
    let seen = '';
    const readUntil = async (part: string): Promise<void> => {
      while (!seen.includes(part)) seen += (await reader.read()).value ?? '';
    };
    await readUntil('event: ready');
    const client = await connectClient(gateway);
    const result = await client.callTool({
      name: 'call_destructive_tool',
      arguments: { name: 'wipe', arguments: { what: 'top-secret-folder' } },
    });
    const { id } = result.structuredContent as { id: string };
    await readUntil(`{"type":"confirmation","id":"${id}","what":"waiting"}`);
    await httpOf(gateway, 'approver').post(`/api/confirmations/${id}/decisions`, { decision: 'deny' });
    await readUntil(`{"type":"confirmation","id":"${id}","what":"decided"}`);
    expect(seen).not.toContain('top-secret-folder');
    controller.abort();
    await client.close();
  });

  test('metrics count, and name nothing from outside', async () => {
    const response = await fetch(`${gateway.url}/metrics`, {
      headers: { authorization: `Bearer ${gateway.tokens?.caller ?? ''}` },
    });
    const text = await response.text();
    expect(text).toMatch(/^toolgate_tools 3$/m);
    expect(text).toMatch(/^toolgate_upstreams\{state="ready"\} 2$/m);
    expect(text).not.toContain('weather');
    expect((await fetch(`${gateway.url}/metrics`)).status).toBe(401);
  });

  test('the page asks for a sign-in, and a start link works once', async () => {
    const page = await fetch(gateway.pageUrl);
    expect(await page.text()).not.toContain(gateway.tokens?.approver ?? '-');
    const link = gateway.startLink();
    const first = await fetch(link, { redirect: 'manual' });
    const html = await first.text();
    expect(first.status).toBeLessThan(400);
    expect(html).not.toContain(gateway.tokens?.approver ?? '-');
  });

  test('mistakes in calls of the surface are results that say what to do, never protocol errors', async () => {
    const client = await connectClient(gateway);
    const textOfCall = async (name: string, args: Record<string, unknown>): Promise<string> => {
      const result = await client.callTool({ name, arguments: args });
      expect(result.isError).toBe(true);
      return textOf(result);
    };
    expect(await textOfCall('search_tools', {})).toBe(
      'The argument query is missing or wrong: expected a few words on what you want to do. Nothing was run.',
    );
    expect(await textOfCall('search_tools', { qurey: 'x' })).toContain('did you mean query?');
    expect(await textOfCall('search_tools', { query: 'x', limit: 99 })).toContain('a whole number from 1 to 50');
    expect(await textOfCall('describe_tool', { name: 'get_tide' })).toContain('Did you mean get_tides?');
    expect(await textOfCall('call_read_tool', { name: 'nothing_like_it' })).toContain(
      'There is no tool "nothing_like_it"; nothing was run.',
    );
    expect(await textOfCall('call_write_tool', { name: 'wipe' })).toContain('Call it through call_destructive_tool.');
    expect(await textOfCall('call_destructive_tool', { name: 'wipe', arguments: { what: 7 } })).toContain('what');
    expect(await textOfCall('get_confirmation', {})).toContain('the id that the waiting call gave');
    expect(await textOfCall('get_tides', {})).toContain('Find tools with search_tools.');
    await client.close();
  });
});

describe('without authentication', () => {
  test('everything is open on this machine, but not to other pages', async () => {
    const gateway = await startTestGateway({ auth: false, mcpServers: { disk: fakeServer({ tools: [wipe] }) } });
    await gateway.settled();
    expect(gateway.tokens).toBeUndefined();
    const client = await connectClient(gateway);
    const { id } = (await client.callTool({ name: 'call_destructive_tool', arguments: { name: 'wipe' } }))
      .structuredContent as { id: string };
    const url = `${gateway.url}/api/confirmations/${id}/decisions`;
    const foreign = await rawRequest(
      url,
      { origin: 'http://localhost:1234', 'content-type': 'application/json' },
      'POST',
      '{"decision":"approve"}',
    );
    expect(foreign.status).toBe(403);
    const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
    const headers = {
      origin: 'http://localhost:1234',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    expect((await rawRequest(gateway.mcpUrl, headers, 'POST', call)).status).toBe(403);
    const own = await rawRequest(url, { 'content-type': 'application/json' }, 'POST', '{"decision":"approve"}');
    expect(own.status).toBe(200);
    expect(textOf(await client.callTool({ name: 'get_confirmation', arguments: { id } }))).toBe('wipe');
    await client.close();
    await gateway.close();
  });
});

test('behind a proxy links carry the public address, and its name may be asked for', async () => {
  const gateway = await startTestGateway({
    publicUrl: 'https://gate.example.com/',
    allowedHosts: ['inner.example'],
    mcpServers: { disk: fakeServer({ tools: [wipe] }) },
  });
  await gateway.settled();
  expect(gateway.pageUrl).toBe('https://gate.example.com/');
  for (const host of ['gate.example.com', 'inner.example:8080'])
    expect((await rawRequest(`${gateway.url}/healthz`, { host })).status).toBe(200);
  const client = await connectClient(gateway);
  const { id, link } = (await client.callTool({ name: 'call_destructive_tool', arguments: { name: 'wipe' } }))
    .structuredContent as { id: string; link: string };
  expect(link).toBe(`https://gate.example.com/pauses/${id}`);
  await client.close();
  await gateway.close();
});

describe('refusals at the start', () => {
  test('without authentication on an address that others reach', async () => {
    await expect(startTestGateway({ auth: false, host: '0.0.0.0' })).rejects.toThrow(
      'Without authentication the gateway listens on loopback only, not on 0.0.0.0',
    );
  });

  test('a second gateway of the same configuration is told where the first one is', async () => {
    const first = await startTestGateway({});
    const config = { port: Number(new URL(first.url).port), stateDirectory: join(first.directory, 'state') };
    await expect(startTestGateway(config)).rejects.toThrow(
      `A gateway of this configuration runs already, at ${first.url}.`,
    );
    await first.close();
  });
});

describe('modes', () => {
  const servers = { s: fakeServer({ tools: [readingTool('one'), readingTool('two')] }) };
  test.each([
    [{ mode: 'all' }, ['one', 'two', 'get_confirmation']],
    [
      { mode: 'search', pinned: ['two'] },
      [
        'search_tools',
        'describe_tool',
        'call_read_tool',
        'call_write_tool',
        'call_destructive_tool',
        'get_confirmation',
        'two',
      ],
    ],
    [{ mode: 'auto' }, ['one', 'two', 'get_confirmation']],
    [
      { mode: 'auto', autoTokens: 1 },
      [
        'search_tools',
        'describe_tool',
        'call_read_tool',
        'call_write_tool',
        'call_destructive_tool',
        'get_confirmation',
      ],
    ],
  ] as const)('%j lists %j', async (input, names) => {
    const gateway = await startTestGateway({ ...input, mcpServers: servers } as never);
    const client = await connectClient(gateway);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(names);
    if (names.includes('two' as never))
      expect(textOf(await client.callTool({ name: 'two', arguments: {} }))).toBe('two');
    await client.close();
    await gateway.close();
  });

  test('a tool that has the name of the surface is renamed, not the surface', async () => {
    const gateway = await startTestGateway({
      mode: 'search',
      mcpServers: { s: fakeServer({ tools: [readingTool('search_tools'), readingTool('call_read_tool')] }) },
    });
    await gateway.settled();
    const client = await connectClient(gateway);
    const result = await client.callTool({ name: 'search_tools', arguments: { query: 'reads search tools' } });
    const names = (result.structuredContent as { tools: { name: string }[] }).tools.map(({ name }) => name);
    expect(names).toContain('s__search_tools');
    expect(textOf(await client.callTool({ name: 'call_read_tool', arguments: { name: 's__search_tools' } }))).toBe(
      'search_tools',
    );
    await client.close();
    await gateway.close();
  });
});
