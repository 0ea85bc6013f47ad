import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request that the server received. */
export interface ReceivedCall {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: unknown;
  /** Counted from 0. */
  readonly attempt: number;
}

/** What the server sends back: JSON, a text as it is, or nothing ever. */
export type ServerReply =
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly json?: unknown;
      readonly text?: string;
    }
  | 'hang'
  | 'drop';

export interface DecisionServer {
  readonly url: string;
  readonly calls: readonly ReceivedCall[];
  close(): Promise<void>;
}

/** A real HTTP server on the loopback address and a free port. */
export async function startDecisionServer(reply: (call: ReceivedCall) => ServerReply): Promise<DecisionServer> {
  const calls: ReceivedCall[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const call: ReceivedCall = {
        path: request.url ?? '',
        headers: request.headers,
        text,
        body: JSON.parse(text) as unknown,
        attempt: calls.length,
      };
      calls.push(call);
      const made = reply(call);
      if (made === 'hang') return;
      if (made === 'drop') {
        request.socket.destroy();
        return;
      }
      response.writeHead(made.status ?? 200, { 'content-type': 'application/json', ...made.headers });
      response.end(made.text ?? JSON.stringify(made.json));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

const started: DecisionServer[] = [];

/** The same, closed after the test by {@link closeDecisionServers}. */
export async function serverThat(reply: (call: ReceivedCall) => ServerReply): Promise<DecisionServer> {
  const server = await startDecisionServer(reply);
  started.push(server);
  return server;
}

/** For `afterEach`. */
export async function closeDecisionServers(): Promise<void> {
  await Promise.all(started.splice(0).map((server) => server.close()));
}
