import type { Clock } from '../core/clock.ts';
import type { UpstreamConnection } from './upstream-connection.ts';

const idleMs = 600_000;
const most = 50;

interface Held {
  readonly connection: Promise<UpstreamConnection>;
  usedAt: number;
}

/**
 * Connections to one server beside the main one, each for one client's session: what a client opened in a server with a memory,
 * and what the server asks back, stays with that client. Opened at the first call, closed with the session or after ten idle minutes.
 */
export class SessionConnections {
  readonly #open: (onClosed: () => void) => Promise<UpstreamConnection>;
  readonly #clock: Clock;
  readonly #held = new Map<string, Held>();
  /** The session that the main connection belongs to. */
  #owner: string | undefined;

  constructor(open: (onClosed: () => void) => Promise<UpstreamConnection>, clock: Clock) {
    this.#open = open;
    this.#clock = clock;
  }

  /** True when calls of this session go over the main connection: the first session that comes has it, for as long as it lasts. */
  usesMain(session: string): boolean {
    if (this.#held.has(session)) return false;
    this.#owner ??= session;
    return this.#owner === session;
  }

  /** The session's own connection, opened when there is none. */
  get(session: string): Promise<UpstreamConnection> {
    const now = this.#clock.now();
    for (const [id, { usedAt }] of this.#held)
      if (id !== session && (now - usedAt > idleMs || this.#held.size >= most)) this.end(id);
    const held = this.#held.get(session) ?? { connection: this.#open(() => this.#held.delete(session)), usedAt: now };
    held.usedAt = now;
    this.#held.set(session, held);
    held.connection.catch(() => {
      if (this.#held.get(session) === held) this.#held.delete(session);
    });
    return held.connection;
  }

  /** The session is over, or its connection is of no use any more. */
  end(session: string): void {
    if (this.#owner === session) this.#owner = undefined;
    const held = this.#held.get(session);
    this.#held.delete(session);
    void held?.connection.then((connection) => connection.close()).catch(() => undefined);
  }

  async close(): Promise<void> {
    const all = [...this.#held.values()];
    this.#held.clear();
    await Promise.allSettled(all.map(async ({ connection }) => (await connection).close()));
  }
}
