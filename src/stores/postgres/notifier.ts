import { sleep } from '../../core/clock.ts';
import { systemClock } from '../../core/system.ts';
import type { PostgresClient, PostgresPool } from './postgres-pool.ts';

const channel = 'toolgate_changes';
const coalesceMs = 20;
const reconnectMs = 1_000;

/**
 * A notification is only a hint: correctness rests on compare-and-set and on looking again. It is sent after the commit and
 * a little later, several at once, because NOTIFY inside a writing transaction makes all commits wait for each other.
 */
export class Notifier {
  readonly #pool: () => Promise<PostgresPool>;
  readonly #listeners = new Set<(pauseId: string) => void>();
  readonly #changed = new Set<string>();
  #client: PostgresClient | undefined;
  #listening = false;
  #sending = false;
  #closed = false;

  constructor(pool: () => Promise<PostgresPool>) {
    this.#pool = pool;
  }

  listen(listener: (pauseId: string) => void): () => void {
    this.#listeners.add(listener);
    if (!this.#listening && !this.#closed) {
      this.#listening = true;
      void this.#keepListening();
    }
    return () => this.#listeners.delete(listener);
  }

  /** Tells this process now and the others soon. */
  tell(pauseId: string): void {
    for (const listener of this.#listeners) queueMicrotask(() => listener(pauseId));
    this.#changed.add(pauseId);
    if (this.#sending || this.#closed) return;
    this.#sending = true;
    systemClock.schedule(coalesceMs, () => void this.#send());
  }

  close(): void {
    this.#closed = true;
    this.#listeners.clear();
    this.#drop();
  }

  async #send(): Promise<void> {
    this.#sending = false;
    const ids = [...this.#changed].slice(0, 100);
    this.#changed.clear();
    if (ids.length === 0 || this.#closed) return;
    try {
      const pool = await this.#pool();
      await pool.query('select pg_notify($1, $2)', [channel, ids.join(',')]);
    } catch {
      // Others find out by looking.
    }
  }

  async #keepListening(): Promise<void> {
    while (!this.#closed) {
      const lost = await this.#connect().catch(() => Promise.resolve());
      if (lost === 'unsupported') return;
      if (!this.#closed) await sleep(systemClock, reconnectMs);
    }
  }

  /** Resolves when the connection is gone. */
  async #connect(): Promise<'lost' | 'unsupported'> {
    const pool = await this.#pool();
    if (pool.connect === undefined) return 'unsupported';
    const client = await pool.connect();
    if (this.#closed) {
      client.release(true);
      return 'lost';
    }
    this.#client = client;
    const gone = new Promise<'lost'>((resolve) => {
      client.on('end', () => resolve('lost'));
      client.on('error', () => resolve('lost'));
    });
    client.on('notification', ({ payload }) => {
      for (const id of (payload ?? '').split(',')) for (const listener of this.#listeners) listener(id);
    });
    await client.query(`listen ${channel}`);
    const end = await gone;
    this.#drop();
    return end;
  }

  #drop(): void {
    const client = this.#client;
    this.#client = undefined;
    try {
      client?.release(true);
    } catch {
      // Already gone.
    }
  }
}
