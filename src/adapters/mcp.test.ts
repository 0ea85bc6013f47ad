import { createRequire } from 'node:module';
import { execPath } from 'node:process';
import { pathToFileURL } from 'node:url';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Server } from '@modelcontextprotocol/server';
import { afterEach, describe, expect, test } from 'vitest';
import { silentLogger } from '../core/logger.ts';
import type { ToolProvider, ToolProviderRequest } from '../core/provider.ts';
import type { Tool, ToolContext, ToolResult } from '../core/tool.ts';
import { mcpResultToToolResult, mcpToolDefinition, mcpTools, toolResultToMcp } from './mcp.ts';
import type { McpClient } from './mcp.ts';

const open: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

const require = createRequire(import.meta.url);
const everything = require.resolve('@modelcontextprotocol/server-everything/dist/index.js');

function request(): ToolProviderRequest {
  return {
    userMessage: { role: 'user', content: '' },
    messages: [],
    invocation: { id: 'i', attributes: {} },
    signal: new AbortController().signal,
  };
}

async function toolsOf(provider: ToolProvider): Promise<readonly Tool[]> {
  return provider.provideTools(request());
}

function contextOf(more: Partial<ToolContext> = {}): ToolContext {
  return {
    key: '0.c',
    toolCallId: 'c',
    idempotencyKey: 'k',
    fence: 1,
    messages: [],
    attributes: {},
    signal: new AbortController().signal,
    logger: silentLogger,
    progress: () => undefined,
    ...more,
  };
}

async function run(
  tools: readonly Tool[],
  name: string,
  args: object,
  context: ToolContext = contextOf(),
): Promise<ToolResult> {
  const tool = tools.find((each) => each.name === name);
  return (await tool?.execute(args as never, context)) as ToolResult;
}

/** The client of the first generation, as the reference servers bring it; loaded from where they find it. */
async function firstGeneration(): Promise<McpClient & { close(): Promise<void> }> {
  const from = createRequire(everything);
  const load = async (path: string): Promise<Record<string, new (...args: unknown[]) => unknown>> =>
    (await import(pathToFileURL(from.resolve(path)).href)) as never;
  const { Client: OldClient } = await load('@modelcontextprotocol/sdk/client/index.js');
  const { StdioClientTransport: OldTransport } = await load('@modelcontextprotocol/sdk/client/stdio.js');
  if (OldClient === undefined || OldTransport === undefined)
    throw new Error('The first generation of the SDK is not there.');
  const client = new OldClient({ name: 'old', version: '1' }) as McpClient & {
    connect(transport: unknown): Promise<void>;
    close(): Promise<void>;
  };
  await client.connect(new OldTransport({ command: execPath, args: [everything], stderr: 'ignore' }));
  open.push(client);
  return client;
}

async function secondGeneration(): Promise<Client> {
  const client = new Client({ name: 'new', version: '1' });
  await client.connect(new StdioClientTransport({ command: execPath, args: [everything], stderr: 'ignore' }));
  open.push(client);
  return client;
}

describe.each([
  ['first', firstGeneration],
  ['second', secondGeneration],
] as const)('a client of the %s generation in front of a real server', (_title, connect) => {
  test('gives its tools, runs them, and reports progress', async () => {
    const tools = await toolsOf(
      mcpTools(await connect(), { name: 'every', identity: 'stdio:everything', trust: 'annotations' }),
    );
    const echo = tools.find(({ name }) => name === 'echo');
    expect(echo?.server).toEqual({ name: 'every', identity: 'stdio:everything', trust: 'annotations' });
    expect(await run(tools, 'echo', { message: 'hi' })).toEqual({ content: [{ type: 'text', text: 'Echo: hi' }] });
    const seen: number[] = [];
    await run(
      tools,
      'trigger-long-running-operation',
      { duration: 0.2, steps: 2 },
      contextOf({ progress: ({ progress }) => void seen.push(progress) }),
    );
    expect(seen.length).toBeGreaterThan(0);
  });

  test('is stopped by the caller', async () => {
    const tools = await toolsOf(mcpTools(await connect()));
    const controller = new AbortController();
    const running = run(
      tools,
      'trigger-long-running-operation',
      { duration: 60, steps: 2 },
      contextOf({ signal: controller.signal }),
    );
    controller.abort(new Error('enough'));
    await expect(running).rejects.toMatchObject({ code: 'upstream-failed' });
  });
});

interface Served {
  readonly client: Client;
  readonly server: Server;
  lists: number;
}

async function served(pages: () => readonly (readonly object[])[], repeat = false): Promise<Served> {
  const server = new Server({ name: 'paged', version: '1' }, { capabilities: { tools: { listChanged: true } } });
  const client = new Client({ name: 'new', version: '1' });
  const result: Served = { client, server, lists: 0 };
  server.setRequestHandler('tools/list', (message) => {
    result.lists += 1;
    const page = Number(message.params?.cursor ?? 0);
    const all = pages();
    const next = repeat ? '1' : page + 1 < all.length ? String(page + 1) : undefined;
    return { tools: all[page % all.length] as never, ...(next === undefined ? {} : { nextCursor: next }) };
  });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  await client.connect(near);
  open.push(client);
  return result;
}

const entry = (name: string): object => ({ name, inputSchema: { type: 'object' } });

test('GW-01 every page is read, once, until the server says that the list changed', async () => {
  let names = ['a', 'b', 'c'];
  const rig = await served(() => names.map((name) => [entry(name)]));
  const provider = mcpTools(rig.client);
  expect(provider.dynamic).toBe(true);
  expect((await toolsOf(provider)).map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  expect(await toolsOf(provider)).toBe(await toolsOf(provider));
  expect(rig.lists).toBe(3);
  names = ['a', 'd'];
  await rig.server.sendToolListChanged();
  await new Promise((resolve) => setImmediate(resolve));
  expect((await toolsOf(provider)).map(({ name }) => name)).toEqual(['a', 'd']);
});

test('a list that does not end is an error, and the next request asks again', async () => {
  const client: McpClient = {
    listTools: (params) => Promise.resolve({ tools: [entry('a')], nextCursor: params?.cursor ?? 'again' }),
    callTool: () => Promise.resolve({}),
  };
  const provider = mcpTools(client, { name: 'endless' });
  await expect(toolsOf(provider)).rejects.toThrow('The server endless gives the same page of its tool list again.');
  await expect(toolsOf(provider)).rejects.toThrow('gives the same page');
});

test('a client of the first generation keeps its own fallback for notices', async () => {
  const heard: unknown[] = [];
  let lists = 0;
  const client: McpClient = {
    listTools: () => Promise.resolve({ tools: [entry(`t${(lists += 1)}`)] }),
    callTool: () => Promise.resolve({}),
    fallbackNotificationHandler: (notification: { method: string }) =>
      Promise.resolve(void heard.push(notification.method)),
  };
  const provider = mcpTools(client);
  expect((await toolsOf(provider)).map(({ name }) => name)).toEqual(['t1']);
  await client.fallbackNotificationHandler?.({ method: 'notifications/other' } as never);
  expect((await toolsOf(provider)).map(({ name }) => name)).toEqual(['t1']);
  await client.fallbackNotificationHandler?.({ method: 'notifications/tools/list_changed' } as never);
  expect((await toolsOf(provider)).map(({ name }) => name)).toEqual(['t2']);
  expect(heard).toEqual(['notifications/other', 'notifications/tools/list_changed']);
});

test('GW-24 careless entries are kept as far as they can be', () => {
  const server = { name: 's', identity: 's' };
  expect(
    mcpToolDefinition(
      {
        name: 'a',
        description: null,
        inputSchema: 'x',
        annotations: { title: 'A', readOnlyHint: 'yes', destructiveHint: true },
      },
      server,
    ),
  ).toEqual({
    name: 'a',
    inputSchema: { type: 'object' },
    annotations: { title: 'A', destructiveHint: true },
    server,
  });
  for (const entryOf of [null, 7, {}, { name: '' }, { name: 7 }])
    expect(mcpToolDefinition(entryOf, server)).toBeUndefined();
});

test('GW-09 GW-10 results go both ways unchanged', () => {
  const results = [
    { content: [{ type: 'text', text: 'x' }], structuredContent: [1], isError: true, _meta: { k: 1 } },
    { content: [{ type: 'future_type', x: 1 }], structuredContent: null },
    { content: [] },
  ];
  for (const result of results) expect(toolResultToMcp(mcpResultToToolResult(result))).toEqual(result);
  expect(mcpResultToToolResult('nonsense')).toEqual({ content: [] });
  expect(mcpResultToToolResult({ content: [null, 7, { type: 'text', text: 'x' }] })).toEqual({
    content: [{ type: 'text', text: 'x' }],
  });
});
