import { errorMessage, ToolgateError } from '../../core/errors.ts';

/** What the store needs of a pool. `Pool` of `pg` fits, and so does any object with a `query` of this shape. */
export interface PostgresPool {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly Readonly<Record<string, unknown>>[] }>;
  /** Optional: a connection of its own, on which hints are heard. Without it the store is only polled. */
  connect?(): Promise<PostgresClient>;
  on?(event: 'error', listener: (error: Error) => void): unknown;
  end?(): Promise<void>;
}

/** One connection. */
export interface PostgresClient {
  query(text: string): Promise<unknown>;
  on(event: 'notification', listener: (message: { readonly payload?: string | undefined }) => void): unknown;
  on(event: 'error' | 'end', listener: () => void): unknown;
  release(destroy?: boolean): void;
}

/** A pool of `pg`, which is an optional peer. Throws `peer-missing` with what to install. */
export async function openPool(connectionString: string, maxConnections: number): Promise<PostgresPool> {
  const pg = await import('pg').catch((error: unknown) => {
    throw new ToolgateError(
      'peer-missing',
      'postgresStore with a connectionString needs the package pg: npm install pg',
      {
        data: { package: 'pg', range: '>=8.11' },
        cause: error,
      },
    );
  });
  const { Pool } = pg.default ?? pg;
  // A broken idle connection must not end the process; the next query opens a new one.
  const pool = new Pool({ connectionString, max: maxConnections, connectionTimeoutMillis: 10_000 });
  pool.on('error', () => {});
  return pool as unknown as PostgresPool;
}

const connectionCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOENT',
  '57P01',
  '57P02',
  '57P03',
  '53300',
]);

/** True for failures of the connection, after which the same statement may be tried again: every write is a compare-and-set. */
export function isConnectionFailure(error: unknown): boolean {
  const code = codeOf(error);
  if (code !== undefined && (connectionCodes.has(code) || code.startsWith('08'))) return true;
  return /connection terminated|client has encountered a connection error|not queryable|connection ended|timeout exceeded when trying to connect/i.test(
    errorMessage(error),
  );
}

/** True when two transactions met and one should try again. */
export function isSerializationFailure(error: unknown): boolean {
  return codeOf(error) === '40001' || codeOf(error) === '40P01';
}

/** True for a row or an object that exists already. */
export function isDuplicate(error: unknown): boolean {
  const code = codeOf(error);
  return code === '23505' || code === '42P07' || code === '42710';
}

function codeOf(error: unknown): string | undefined {
  const code = (error as { readonly code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}
