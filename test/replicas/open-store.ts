import type { ConfirmationStore } from '../../src/confirm/store-port.ts';
import { postgresStore } from '../../src/stores/postgres/index.ts';
import { sqliteStore } from '../../src/stores/sqlite/index.ts';

/** `sqlite:<path>` or a Postgres connection string. */
export function openStore(address: string, options: { readonly maxConnections?: number } = {}): ConfirmationStore {
  if (address.startsWith('sqlite:'))
    return sqliteStore({ path: address.slice('sqlite:'.length), busyTimeoutMs: 30_000 });
  return postgresStore({ connectionString: address, maxConnections: options.maxConnections ?? 4 });
}
