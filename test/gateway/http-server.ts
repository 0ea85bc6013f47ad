import type { Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { createMcpHandler, Server, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import type { JSONRPCRequest, Result, ServerContext } from '@modelcontextprotocol/server';
import { randomUUID } from 'node:crypto';

type Tools = Readonly<Record<string, () => string | object>>;

/** A server over HTTP for tests, made with the SDK. */
export interface TestHttpServer {
  readonly url: string;
  setTools(tools: Tools): void;
  /** As after a restart: sessions are not known any more. */
  forgetSessions(): void;
  /** Calls that ran. */
  calls(): number;
  /** Sessions that were opened. */
  sessions(): number;
  /** Values of the `x-key` and `mcp-param-region` headers that came in. */
  headers(): readonly string[];
  close(): Promise<void>;
}

/** Sends what it is given, as servers in other languages do. */
class UncheckedServer extends Server {
  protected override _wrapHandler(_method: string, handler: Handler): Handler {
    return handler;
  }
}

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

/** Serves tools in one era: `modern` (2026-07-28), `legacy` (sessions) or `sse` (the older two-channel transport). */
export async function startHttpServer(options: {
  readonly era: 'modern' | 'legacy' | 'sse';
  readonly tools: Tools;
  readonly inputSchema?: object;
  /** Answers a listening client with 405. */
  readonly noStream?: boolean;
  readonly port?: number;
}): Promise<TestHttpServer> {
  let tools = options.tools;
  let calls = 0;
  let opened = 0;
  const keys: string[] = [];
  const servers = new Set<Server>();
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();

  function createMcpServer(): Server {
    const server = new UncheckedServer(
      { name: 'test', version: '1' },
      { capabilities: { tools: { listChanged: true } } },
    );
    server.setRequestHandler('tools/list', () => ({
      tools: Object.keys(tools).map((name) => ({
        name,
        inputSchema: (options.inputSchema ?? { type: 'object' }) as { type: 'object' },
        annotations: { readOnlyHint: true },
      })),
    }));
    server.setRequestHandler('tools/call', (request) => {
      calls += 1;
      const given = tools[request.params.name]?.() ?? 'unknown';
      return typeof given === 'string' ? { content: [{ type: 'text', text: given }] } : (given as never);
    });
    servers.add(server);
    return server;
  }

  const modern = createMcpHandler(createMcpServer, { legacy: 'reject' });
  async function legacy(request: Request): Promise<Response> {
    if (options.noStream === true && request.method === 'GET') return new Response('', { status: 405 });
    const id = request.headers.get('mcp-session-id');
    if (id !== null) {
      const known = sessions.get(id);
      return known === undefined
        ? new Response('{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}', {
            status: 404,
          })
        : known.handleRequest(request);
    }
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (session) => {
        opened += 1;
        sessions.set(session, transport);
      },
    });
    await createMcpServer().connect(transport);
    return transport.handleRequest(request);
  }

  const http =
    options.era === 'sse'
      ? startSse(createMcpServer)
      : (createAdaptorServer({
          fetch: (request: Request) => {
            const key = request.headers.get('x-key') ?? request.headers.get('mcp-param-region');
            if (key !== null) keys.push(key);
            return options.era === 'modern' ? modern.fetch(request) : legacy(request);
          },
        }) as HttpServer);
  await new Promise<void>((resolve) => http.listen(options.port ?? 0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    setTools(next) {
      tools = next;
      for (const server of servers) server.sendToolListChanged().catch(() => undefined);
    },
    forgetSessions: () => sessions.clear(),
    calls: () => calls,
    sessions: () => opened,
    headers: () => keys,
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
}

/** The transport of 2024-11-05: one stream down, posts up. The SDK of today has only the client for it. */
function startSse(createMcpServer: () => Server): HttpServer {
  const sessions = new Map<string, (message: never) => void>();
  return createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (request.method === 'GET') {
      const id = randomUUID();
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`event: endpoint\ndata: /post?session=${id}\n\n`);
      const transport = {
        onmessage: undefined as ((message: never) => void) | undefined,
        start: async (): Promise<void> => undefined,
        send: async (message: unknown): Promise<void> => {
          response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
        },
        close: async (): Promise<void> => {
          response.end();
        },
      };
      void createMcpServer().connect(transport as never);
      sessions.set(id, (message) => transport.onmessage?.(message));
      return;
    }
    const take = sessions.get(url.searchParams.get('session') ?? '');
    if (request.method !== 'POST' || take === undefined) {
      response.writeHead(405).end();
      return;
    }
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      response.writeHead(202).end();
      take(JSON.parse(body) as never);
    });
  });
}
