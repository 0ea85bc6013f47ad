import { errorMessage, ToolgateError } from '../core/errors.ts';
import { isPlainObject } from '../core/json.ts';
import type { JsonObject, JsonValue } from '../core/json.ts';
import type { ToolProvider } from '../core/provider.ts';
import type {
  ContentBlock,
  Tool,
  ToolAnnotations,
  ToolContext,
  ToolDefinition,
  ToolResult,
  ToolServer,
} from '../core/tool.ts';

/**
 * `toolgate/mcp`: tools of a server that an MCP client of the host is connected to. Typed by shape, so that the client of
 * `@modelcontextprotocol/sdk` (v1) and the one of `@modelcontextprotocol/client` (v2) both fit and neither is imported.
 */

/** What is used of a client. Both generations of the SDK have it. */
export interface McpClient {
  listTools(params?: { cursor?: string }, options?: { signal?: AbortSignal }): Promise<unknown>;
  callTool(params: { name: string; arguments?: Record<string, unknown> }, ...rest: never[]): Promise<unknown>;
  getServerVersion?(): { name: string; version: string } | undefined;
  /** Present in v2 only; tells the generations apart. */
  getProtocolEra?(): unknown;
  fallbackNotificationHandler?: ((notification: never) => Promise<void>) | undefined;
}

/** How the tools of a client are taken over. */
export interface McpToolsOptions {
  /** For people, and the default of the identity. Default: what the server calls itself. */
  readonly name?: string;
  /**
   * What identifies the server for fingerprints and rules: its command and arguments, or its URL's origin. Give it where
   * decisions outlive this process. Default: `mcp:` and the name.
   */
  readonly identity?: string;
  /** `annotations`: the server is believed when its hints lower caution. Default `none`. */
  readonly trust?: 'none' | 'annotations';
  /** For a call without a sign of life, in milliseconds. Default 60,000. */
  readonly callTimeoutMs?: number;
  /** For a call altogether, in milliseconds. Default 600,000. */
  readonly callTotalTimeoutMs?: number;
  /** Most pages of a tool list that are read. Default 1,000; more is an error, because tools would silently be missing. */
  readonly maxPages?: number;
}

/**
 * The tools of one connected client, as a provider: every page is read, and the list is read again after the server said that
 * it changed. Pass it to `createToolGate({ providers: [mcpTools(client)] })`.
 */
export function mcpTools(client: McpClient, options?: McpToolsOptions): ToolProvider {
  const version = client.getServerVersion?.();
  const name = options?.name ?? version?.name ?? 'mcp';
  const server: ToolServer = { name, identity: options?.identity ?? `mcp:${name}`, trust: options?.trust ?? 'none' };
  let generation = 0;
  let held: { readonly generation: number; readonly tools: Promise<readonly Tool[]> } | undefined;
  watchListChanges(client, () => {
    generation += 1;
  });
  return {
    id: name,
    dynamic: true,
    provideTools(request) {
      if (held?.generation !== generation) {
        const mine = { generation, tools: listAll(client, server, options, request.signal) };
        held = mine;
        mine.tools.catch(() => {
          if (held === mine) held = undefined;
        });
      }
      return held.tools;
    },
  };
}

async function listAll(
  client: McpClient,
  server: ToolServer,
  options: McpToolsOptions | undefined,
  signal: AbortSignal,
): Promise<readonly Tool[]> {
  const tools: Tool[] = [];
  const maximum = options?.maxPages ?? 1_000;
  let cursor: string | undefined;
  const cursors = new Set<string>();
  for (let page = 0; page < maximum; page += 1) {
    const answer = await client.listTools(cursor === undefined ? undefined : { cursor }, { signal });
    const list = isPlainObject(answer) && Array.isArray(answer['tools']) ? (answer['tools'] as unknown[]) : [];
    for (const entry of list) {
      const definition = mcpToolDefinition(entry, server);
      if (definition !== undefined)
        tools.push({ ...definition, execute: (args, context) => callTool(client, definition, args, context, options) });
    }
    const next = isPlainObject(answer) ? answer['nextCursor'] : undefined;
    if (typeof next !== 'string') return tools;
    if (cursors.has(next))
      throw new ToolgateError(
        'upstream-failed',
        `The server ${server.name} gives the same page of its tool list again.`,
        { data: { server: server.name } },
      );
    cursors.add(next);
    cursor = next;
  }
  throw new ToolgateError('upstream-failed', `The server ${server.name} has more than ${maximum} pages of tools.`, {
    data: { server: server.name },
  });
}

async function callTool(
  client: McpClient,
  tool: ToolDefinition,
  args: unknown,
  context: ToolContext,
  options: McpToolsOptions | undefined,
): Promise<ToolResult> {
  const request = {
    signal: context.signal,
    timeout: options?.callTimeoutMs ?? 60_000,
    maxTotalTimeout: options?.callTotalTimeoutMs ?? 600_000,
    resetTimeoutOnProgress: true,
    onprogress: (update: { progress: number; total?: number; message?: string }) => context.progress(update),
  };
  const params = { name: tool.name, ...(isPlainObject(args) ? { arguments: args } : {}) };
  // The second parameter is the options in v2 and a result schema in v1.
  const call = client.callTool.bind(client) as (...all: unknown[]) => Promise<unknown>;
  try {
    return mcpResultToToolResult(
      await (client.getProtocolEra === undefined ? call(params, undefined, request) : call(params, request)),
    );
  } catch (error) {
    throw new ToolgateError(
      'upstream-failed',
      `${tool.server?.name ?? 'The server'} could not run ${tool.name}: ${errorMessage(error)}`,
      {
        data: { server: tool.server?.name ?? '' },
        cause: error,
      },
    );
  }
}

function watchListChanges(client: McpClient, changed: () => void): void {
  const registered = (client as { setNotificationHandler?: (method: string, handler: () => void) => void })
    .setNotificationHandler;
  if (client.getProtocolEra !== undefined && registered !== undefined) {
    registered.call(client, 'notifications/tools/list_changed', changed);
    return;
  }
  // v1 wants a schema object for a handler; the fallback handler needs none. One that is there already is still called.
  const earlier = client.fallbackNotificationHandler as ((notification: unknown) => Promise<void>) | undefined;
  client.fallbackNotificationHandler = async (notification: unknown): Promise<void> => {
    if (isPlainObject(notification) && notification['method'] === 'notifications/tools/list_changed') changed();
    await earlier?.(notification);
  };
}

/**
 * One entry of `tools/list` as a definition; undefined when it has no usable name. Careless entries are kept: a missing or null
 * description is no description, a missing schema means no arguments. The schema itself is checked at registration.
 */
export function mcpToolDefinition(entry: unknown, server: ToolServer): ToolDefinition | undefined {
  if (!isPlainObject(entry) || typeof entry['name'] !== 'string' || entry['name'] === '') return undefined;
  const { title, description, inputSchema, outputSchema, annotations } = entry;
  return {
    name: entry['name'],
    ...(typeof title === 'string' && title !== '' ? { title } : {}),
    ...(typeof description === 'string' && description !== '' ? { description } : {}),
    inputSchema: isPlainObject(inputSchema) ? (inputSchema as JsonObject) : { type: 'object' },
    ...(isPlainObject(outputSchema) ? { outputSchema: outputSchema as JsonObject } : {}),
    ...(isPlainObject(annotations) ? { annotations: readAnnotations(annotations) } : {}),
    server,
  };
}

function readAnnotations(given: Record<string, unknown>): ToolAnnotations {
  const result: Record<string, unknown> = {};
  if (typeof given['title'] === 'string') result['title'] = given['title'];
  for (const hint of ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']) {
    if (typeof given[hint] === 'boolean') result[hint] = given[hint];
  }
  return result;
}

/** The result of `tools/call`, unchanged but for its field names: blocks of any kind, structured part, `isError`, `_meta`. */
export function mcpResultToToolResult(value: unknown): ToolResult {
  const given = isPlainObject(value) ? value : {};
  const blocks = Array.isArray(given['content']) ? (given['content'] as unknown[]) : [];
  const structured = given['structuredContent'];
  return {
    content: blocks.filter(
      (block): block is ContentBlock & Record<string, unknown> =>
        isPlainObject(block) && typeof block['type'] === 'string',
    ),
    ...(structured === undefined ? {} : { structured: structured as JsonValue }),
    ...(given['isError'] === true ? { isError: true } : {}),
    ...(isPlainObject(given['_meta']) ? { meta: given['_meta'] as JsonObject } : {}),
  };
}

/** The other way round: what a server answers to `tools/call`. */
export function toolResultToMcp(result: ToolResult): Record<string, unknown> {
  return {
    content: [...result.content],
    ...(result.structured === undefined ? {} : { structuredContent: result.structured }),
    ...(result.isError === true ? { isError: true } : {}),
    ...(result.meta === undefined ? {} : { _meta: result.meta }),
  };
}
