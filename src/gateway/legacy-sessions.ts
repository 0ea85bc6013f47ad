import { randomUUID } from 'node:crypto';
import {
  isInitializeRequest,
  legacyStatelessFallback,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Clock } from '../core/clock.ts';
import type { PassThroughServer } from './pass-through-server.ts';

/** How sessions of older clients are kept. */
export interface LegacySessionOptions {
  readonly createServer: () => PassThroughServer;
  readonly clock: Clock;
  /** A session nobody uses for so long is ended; its client simply begins a new one. Default 1 hour. */
  readonly idleMs?: number;
  /** Beyond this many, the one that was idle longest is ended. Default 1,000. */
  readonly most?: number;
  readonly onError: (error: Error) => void;
  /** A session has ended, for whatever reason. */
  readonly onEnded?: (id: string) => void;
}

interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly server: PassThroughServer;
  usedAt: number;
}

/**
 * Clients from before 2026-07-28 hold a session: only so can they be asked something in the middle of a call, and told that the
 * list changed. Requests without one are served on their own.
 */
export class LegacySessions {
  readonly #options: LegacySessionOptions;
  readonly #sessions = new Map<string, Session>();
  readonly #stateless: (request: Request) => Promise<Response>;
  #stopSweeping: () => void;

  constructor(options: LegacySessionOptions) {
    this.#options = options;
    this.#stateless = legacyStatelessFallback(() => options.createServer(), options.onError);
    const sweep = (): void => {
      this.#sweep();
      this.#stopSweeping = options.clock.schedule(60_000, sweep);
    };
    this.#stopSweeping = options.clock.schedule(60_000, sweep);
  }

  get size(): number {
    return this.#sessions.size;
  }

  async fetch(request: Request): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    if (id !== null) {
      const session = this.#sessions.get(id);
      if (session === undefined) return notFound();
      session.usedAt = this.#options.clock.now();
      return session.transport.handleRequest(request);
    }
    if (request.method !== 'POST') return this.#stateless(request);
    let body: unknown;
    try {
      body = await request.clone().json();
    } catch {
      return this.#stateless(request);
    }
    return isInitializeRequest(body) ? this.#open(request) : this.#stateless(request);
  }

  /** Tells every session that the list of tools is another one. */
  async notifyListChanged(): Promise<void> {
    await Promise.allSettled([...this.#sessions.values()].map((session) => session.server.sendToolListChanged()));
  }

  async close(): Promise<void> {
    this.#stopSweeping();
    const all = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.allSettled(all.map((session) => session.server.close()));
  }

  async #open(request: Request): Promise<Response> {
    const { clock, createServer, most = 1_000 } = this.#options;
    const server = createServer();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => {
        this.#sessions.set(id, { transport, server, usedAt: clock.now() });
        if (this.#sessions.size > most) this.#endOldest();
      },
      onsessionclosed: (id) => {
        this.#sessions.delete(id);
        this.#options.onEnded?.(id);
      },
    });
    await server.connect(transport);
    return transport.handleRequest(request);
  }

  #sweep(): void {
    const limit = this.#options.clock.now() - (this.#options.idleMs ?? 3_600_000);
    for (const [id, session] of this.#sessions) if (session.usedAt < limit) this.#end(id, session);
  }

  #endOldest(): void {
    let oldest: [string, Session] | undefined;
    for (const entry of this.#sessions) if (oldest === undefined || entry[1].usedAt < oldest[1].usedAt) oldest = entry;
    if (oldest !== undefined) this.#end(...oldest);
  }

  #end(id: string, session: Session): void {
    this.#sessions.delete(id);
    this.#options.onEnded?.(id);
    session.server.close().catch(this.#options.onError);
  }
}

/** A session that is not known: the protocol's sign for the client to begin a new one. */
function notFound(): Response {
  return Response.json(
    { jsonrpc: '2.0', error: { code: -32001, message: 'Session not found' }, id: null },
    { status: 404 },
  );
}
