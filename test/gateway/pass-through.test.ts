import { z } from 'zod';
import type { Client } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, test } from 'vitest';
import type { Gateway } from '../../src/gateway/index.ts';
import { fakeServer, keepingLogger, readingTool, startTestGateway } from './fake-gateway.ts';
import { connectClient, httpOf, textOf, until } from './gateway-client.ts';

const open: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close().catch(() => undefined);
});

async function gatewayWith(
  servers: Parameters<typeof startTestGateway>[0]['mcpServers'],
  more: Parameters<typeof startTestGateway>[0] = {},
): Promise<Gateway> {
  const gateway = await startTestGateway({ mcpServers: servers, mode: 'all', ...more });
  open.push(gateway);
  await gateway.settled();
  return gateway;
}

async function clientOf(gateway: Gateway, options: Parameters<typeof connectClient>[1] = {}): Promise<Client> {
  const client = await connectClient(gateway, options);
  open.push(client);
  return client;
}

/** A call whose result is taken from the wire as it stands there: the client's own idea of results would refuse some. */
async function rawCall(
  gateway: Gateway,
  era: 'modern' | 'legacy',
  name: string,
  args: object = {},
): Promise<Record<string, unknown>> {
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const response = await fetch(gateway.mcpUrl, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${gateway.tokens?.caller ?? ''}`,
      ...(era === 'modern'
        ? { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name }
        : {}),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: args, ...(era === 'modern' ? { _meta: envelope } : {}) },
    }),
  });
  const text = await response.text();
  const data = text.startsWith('{') ? text : (/^data: (\{.*\})$/m.exec(text)?.[1] ?? '{}');
  const { result } = JSON.parse(data) as { result: Record<string, unknown> };
  const { _meta: meta, resultType: _type, ...rest } = result;
  const { 'io.modelcontextprotocol/serverInfo': _server, ...own } = (meta ?? {}) as Record<string, unknown>;
  return { ...rest, ...(Object.keys(own).length === 0 ? {} : { _meta: own }) };
}

const blocks = [
  { type: 'text', text: 'shot' },
  { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png', annotations: { audience: ['user'] } },
  { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
  { type: 'resource_link', uri: 'file:///a.pdf', name: 'a', mimeType: 'application/pdf' },
  { type: 'resource', resource: { uri: 'x://1', mimeType: 'application/pdf', blob: 'JVBERi0=' } },
  { type: 'future_type', x: 1 },
];

describe.each(['modern', 'legacy'] as const)('results pass through as they came, to a client of the %s era', (era) => {
  test('GW-08 structured parts with and without a fitting output schema', async () => {
    const outputSchema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
    const results = {
      good: { content: [{ type: 'text', text: '2 sets' }], structuredContent: { n: 2 }, _meta: { k: 1 } },
      failed: { content: [{ type: 'text', text: 'boom' }], isError: true },
      wrong: { content: [], structuredContent: { n: 'x' } },
    };
    const gateway = await gatewayWith({
      s: fakeServer({ tools: Object.keys(results).map((name) => readingTool(name, { outputSchema })), results }),
    });
    const client = await clientOf(gateway, { era });
    expect((await client.listTools()).tools.map((tool) => tool.outputSchema)).toEqual([
      outputSchema,
      outputSchema,
      outputSchema,
      undefined,
    ]);
    for (const [name, result] of Object.entries(results)) expect(await rawCall(gateway, era, name)).toEqual(result);
  });

  test('GW-09 structured parts without any output schema', async () => {
    const results = {
      items: {
        content: [{ type: 'text', text: 'returned 6 item(s)' }],
        structuredContent: { items: [1, 2, 3, 4, 5, 6] },
      },
      bare: { content: [], structuredContent: { a: 1 } },
      list: { content: [{ type: 'text', text: 'a list' }], structuredContent: [1, 2] },
    };
    const gateway = await gatewayWith({
      s: fakeServer({ tools: Object.keys(results).map((name) => readingTool(name)), results }),
    });
    expect(await rawCall(gateway, era, 'items')).toEqual(results.items);
    expect(await rawCall(gateway, era, 'bare')).toEqual(results.bare);
    // Before 2026-07-28 the structured part must be an object, so a list is wrapped for older clients.
    const expected = era === 'modern' ? results.list : { ...results.list, structuredContent: { result: [1, 2] } };
    expect(await rawCall(gateway, era, 'list')).toEqual(expected);
  });

  test('GW-10 blocks of every kind, in order and unchanged, also through an approval', async () => {
    const gateway = await gatewayWith(
      {
        s: fakeServer({
          tools: [readingTool('shoot'), { name: 'wait', inputSchema: { type: 'object' } }],
          results: { shoot: { content: blocks }, wait: { content: blocks, _meta: { m: 1 } } },
        }),
      },
      { mode: 'search' },
    );
    const client = await clientOf(gateway, { era });
    expect(await rawCall(gateway, era, 'call_read_tool', { name: 'shoot' })).toEqual({ content: blocks });
    const waiting = await client.callTool({ name: 'call_destructive_tool', arguments: { name: 'wait' } });
    const { id } = waiting.structuredContent as { id: string };
    await httpOf(gateway, 'approver').post(`/api/confirmations/${id}/decisions`, { decision: 'approve' });
    expect(await rawCall(gateway, era, 'get_confirmation', { id })).toEqual({ content: blocks, _meta: { m: 1 } });
  });

  test('GW-24 careless definitions are listed, unknown fields pass, and hints of a stranger only raise caution', async () => {
    const tools = [
      { name: 'a', inputSchema: { type: 'object' } },
      { name: 'b', description: null, inputSchema: { type: 'object' } },
      { name: 'c', description: '', title: 'Nice title', inputSchema: { type: 'object' } },
      {
        name: 'd',
        description: 'ok',
        inputSchema: { type: 'object' },
        annotations: { title: 'D', destructiveHint: true },
        _meta: { x: 1 },
        icons: [{ src: 'data:,' }],
      },
      { name: 'e', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true, destructiveHint: false } },
    ];
    const gateway = await gatewayWith({ s: fakeServer({ tools }, { trust: 'none' }) });
    const client = await clientOf(gateway, { era });
    const listed = (
      await client.request(
        { method: 'tools/list', params: {} },
        z.looseObject({ tools: z.array(z.looseObject({ name: z.string() })) }),
      )
    ).tools;
    expect(listed.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd', 'e', 'get_confirmation']);
    expect(listed[2]).toMatchObject({ title: 'Nice title' });
    expect(listed[3]).toMatchObject({
      description: 'ok',
      annotations: { title: 'D', destructiveHint: true },
      _meta: { x: 1 },
      icons: [{ src: 'data:,' }],
    });
    expect(listed[4]?.['annotations']).toEqual({});
    const called = await client.callTool({ name: 'e', arguments: {} });
    expect((called.structuredContent as { status: string }).status).toBe('waiting');
  });

  test('GW-14 progress and metadata reach whoever asked for them', async () => {
    const gateway = await gatewayWith({ s: fakeServer({ tools: [readingTool('work')] }) });
    const client = await clientOf(gateway, { era });
    const seen: unknown[] = [];
    const result = await client.callTool(
      { name: 'work', arguments: {}, _meta: { trace: 't1' } },
      { onprogress: (update) => seen.push(update) },
    );
    expect(seen).toEqual([1, 2, 3].map((progress) => ({ progress, total: 3, message: `step ${progress}` })));
    const meta = JSON.parse(textOf(result)) as Record<string, unknown>;
    expect(meta['trace']).toBe('t1');
    // The gateway asks for progress itself, also for a client that did not: it keeps the call alive.
    const without = JSON.parse(textOf(await client.callTool({ name: 'work', arguments: {} }))) as Record<
      string,
      unknown
    >;
    expect(without).toHaveProperty('progressToken');
  });

  test('GW-12 a cancel reaches the server with its own number, once', async () => {
    const gateway = await gatewayWith({ s: fakeServer({ tools: [readingTool('slow'), readingTool('stats')] }) });
    const client = await clientOf(gateway, { era });
    const controller = new AbortController();
    const call = client.callTool({ name: 'slow', arguments: {} }, { signal: controller.signal });
    const stats = async (): Promise<{ calls: string[]; cancelled: number[] }> =>
      JSON.parse(textOf(await client.callTool({ name: 'stats', arguments: {} }))) as never;
    await until('the call to arrive', async () => (await stats()).calls.includes('slow'));
    controller.abort('enough');
    await expect(call).rejects.toThrow();
    await until('the cancel to arrive', async () => (await stats()).cancelled.length > 0);
    expect((await stats()).cancelled).toHaveLength(1);
  });
});

test.each(['modern', 'legacy'] as const)(
  'GW-15 a question in the middle of a call goes to the %s client whose call it is, and nobody is asked who cannot answer',
  async (era) => {
    const gateway = await gatewayWith({ s: fakeServer({ tools: [readingTool('book'), readingTool('stats')] }) });
    const questions: unknown[] = [];
    const able = await clientOf(gateway, {
      era,
      capabilities: { elicitation: {} },
      prepare: (client) =>
        client.setRequestHandler('elicitation/create', (request) => {
          questions.push(request.params.message);
          return { action: 'accept', content: { day: 'Monday' } };
        }),
    });
    const unable = await clientOf(gateway, { era });
    expect(JSON.parse(textOf(await able.callTool({ name: 'book', arguments: {} })))).toEqual({
      elicited: { action: 'accept', content: { day: 'Monday' } },
      sampled: -32601,
    });
    expect(questions).toEqual(['Which day?']);
    expect(JSON.parse(textOf(await unable.callTool({ name: 'book', arguments: {} })))).toEqual({
      elicited: { action: 'cancel' },
      sampled: -32601,
    });
    // Asked and answered within one call of the tool: the repetition of the request did not run it again.
    if (era === 'legacy') return;
    const { calls } = JSON.parse(textOf(await able.callTool({ name: 'stats', arguments: {} }))) as { calls: string[] };
    expect(calls).toEqual(['book', 'book', 'stats']);
  },
);

test('GW-15 two sessions at once are not mixed up: each is asked about its own call', async () => {
  const gateway = await gatewayWith({ s: fakeServer({ tools: [readingTool('book'), readingTool('stats')] }) });
  let both = 0;
  let release: () => void = () => undefined;
  const together = new Promise<void>((resolve) => {
    release = resolve;
  });
  const asking = (day: string): Promise<Client> =>
    clientOf(gateway, {
      era: 'legacy',
      capabilities: { elicitation: {} },
      prepare: (client) =>
        client.setRequestHandler('elicitation/create', async () => {
          both += 1;
          if (both === 2) release();
          // Both questions are open at the same time before either is answered.
          await together;
          return { action: 'accept', content: { day } };
        }),
    });
  const [monday, friday] = [await asking('Monday'), await asking('Friday')];
  const results = await Promise.all([monday, friday].map((client) => client.callTool({ name: 'book', arguments: {} })));
  const days = results.map(
    (result) => (JSON.parse(textOf(result)) as { elicited: { content: { day: string } } }).elicited.content.day,
  );
  expect(days).toEqual(['Monday', 'Friday']);
  // What one has called, the other's server does not know of.
  const seen = JSON.parse(textOf(await friday.callTool({ name: 'stats', arguments: {} }))) as { calls: string[] };
  expect(seen.calls).toEqual(['book', 'stats']);
});

test('a tool that may wait is listed without its output schema, so that "waiting" is not refused by the client', async () => {
  const outputSchema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
  const tools = [
    {
      name: 'wipe',
      inputSchema: { type: 'object' },
      outputSchema,
      annotations: { destructiveHint: true },
      execution: { taskSupport: 'required' },
    },
  ];
  const gateway = await gatewayWith({
    s: fakeServer({ tools, results: { wipe: { content: [], structuredContent: { n: 1 } } } }),
  });
  for (const era of ['modern', 'legacy'] as const) {
    const client = await clientOf(gateway, { era });
    const [wipe] = (await client.listTools()).tools;
    expect(wipe).not.toHaveProperty('outputSchema');
    expect(wipe).not.toHaveProperty('execution');
    const first = (await client.callTool({ name: 'wipe', arguments: {}, _meta: { 'toolgate/new': true } }))
      .structuredContent as { id: string; status: string };
    expect(first.status).toBe('waiting');
    const second = (await client.callTool({ name: 'wipe', arguments: {}, _meta: { 'toolgate/new': true } }))
      .structuredContent as { id: string };
    expect(second.id).not.toBe(first.id);
    await httpOf(gateway, 'approver').post(`/api/confirmations/${first.id}/decisions`, { decision: 'approve' });
    const result = await client.callTool({ name: 'get_confirmation', arguments: { id: first.id } });
    expect(result.structuredContent).toEqual({ n: 1 });
  }
});

test('a server that is said to be shared has one connection for all', async () => {
  const gateway = await gatewayWith({ s: fakeServer({ tools: [readingTool('stats')] }, { shared: true }) });
  const clients = [await clientOf(gateway, { era: 'legacy' }), await clientOf(gateway, { era: 'legacy' })];
  for (const client of clients) await client.callTool({ name: 'stats', arguments: {} });
  const seen = JSON.parse(textOf(await (clients[0] as Client).callTool({ name: 'stats', arguments: {} }))) as {
    calls: string[];
  };
  expect(seen.calls).toEqual(['stats', 'stats', 'stats']);
});

test('GW-20 lines on standard output that are no messages are logged once and ignored', async () => {
  const logger = keepingLogger();
  const preamble = [
    'Starting server v1.2\n',
    'Starting server v1.2\n',
    '{"level":"info","msg":"Jenkins client initialized"}\n',
    '[]\n',
    'null\n',
    '42\n',
    { text: 'x', times: 10 * 1024 * 1024 },
    '\n',
    '{"half":'.concat('\n'),
  ];
  const gateway = await startTestGateway(
    { mode: 'all', mcpServers: { jenkins: fakeServer({ tools: [readingTool('greet')], preamble, noisy: true }) } },
    { logger },
  );
  open.push(gateway);
  await gateway.settled();
  const client = await clientOf(gateway);
  expect(textOf(await client.callTool({ name: 'greet', arguments: {} }))).toBe('grüße');
  const noise = logger.lines
    .filter(({ message }) => message.includes('no message'))
    .map(({ details }) => details?.['line']);
  expect(noise).toEqual([
    'Starting server v1.2',
    '{"level":"info","msg":"Jenkins client initialized"}',
    '[]',
    'null',
    '42',
    'x'.repeat(300),
    '{"half":',
  ]);
  for (const { details, message } of logger.lines)
    if (message.includes('no message')) expect(details?.['server']).toBe('jenkins');
});
