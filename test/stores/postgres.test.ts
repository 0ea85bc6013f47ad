import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConfirmationStore } from '../../src/confirm/store-port.ts';
import { postgresStore } from '../../src/stores/postgres/index.ts';
import { contractPause, storeContract } from '../../src/testing/store-contract.ts';
import { startPostgres, systemBinaries } from '../services/postgres-server.ts';
import type { PostgresServer } from '../services/postgres-server.ts';

let server: PostgresServer;

beforeAll(async () => {
  server = await startPostgres({ fsync: false });
});
afterAll(() => server.stop());

async function newStore(): Promise<ConfirmationStore> {
  return postgresStore({ connectionString: await server.createDatabase() });
}

describe('postgresStore', () => {
  for (const { name, run } of storeContract({ create: newStore })) it(name, run);

  it('is migrated by twenty processes at once, once', async () => {
    const connectionString = await server.createDatabase();
    const stores = Array.from({ length: 20 }, () => postgresStore({ connectionString, maxConnections: 1 }));
    await Promise.all(stores.map((store) => store.list({ limit: 1 })));
    await Promise.all(stores.map((store) => store.close()));
    const client = new pg.Client({ connectionString });
    await client.connect();
    const { rows } = await client.query('select version from toolgate_migrations order by version');
    await client.end();
    expect(rows).toEqual([{ version: 1 }]);
  });

  it('refuses a database of a newer version', async () => {
    const connectionString = await server.createDatabase();
    const first = postgresStore({ connectionString });
    await first.list({ limit: 1 });
    await first.close();
    const client = new pg.Client({ connectionString });
    await client.connect();
    await client.query('insert into toolgate_migrations (version) values (99)');
    await client.end();
    const second = postgresStore({ connectionString });
    await expect(second.list({ limit: 1 })).rejects.toMatchObject({
      code: 'store-newer',
      data: { found: 99, supported: 1 },
    });
    await second.close();
  });

  it('tells other processes of a change', async () => {
    const connectionString = await server.createDatabase();
    const [writer, reader] = [postgresStore({ connectionString }), postgresStore({ connectionString })];
    await reader.list({ limit: 1 });
    const told = new Promise<string>((resolve) => {
      reader.onChange?.(resolve);
    });
    // The hint may be lost while the listener connects, so it is given until it arrives.
    let version = 1;
    await writer.create({ pause: contractPause('p'), changed: [0], audit: [], outbox: [] });
    const timer = setInterval(() => {
      version += 1;
      void writer.change({ pause: contractPause('p', { version }), changed: [], audit: [], outbox: [] });
    }, 20);
    expect(await told).toBe('p');
    clearInterval(timer);
    await writer.close();
    await reader.close();
  });

  it('goes on after the server was killed and started again', async () => {
    const store = await newStore();
    await store.create({ pause: contractPause('p'), changed: [0], audit: [], outbox: [] });
    await server.restartImmediately();
    expect((await store.get('p')).value).toEqual(contractPause('p'));
    await store.close();
  });

  it('works on a pool of the host, hears hints on it, and leaves it open', async () => {
    const pool = new pg.Pool({ connectionString: await server.createDatabase() });
    const store = postgresStore({ pool });
    const told = new Promise<string>((resolve) => {
      store.onChange?.(resolve);
    });
    await store.create({ pause: contractPause('p'), changed: [0], audit: [], outbox: [] });
    expect(await told).toBe('p');
    await store.close();
    expect((await pool.query('select id from toolgate_pauses')).rows).toEqual([{ id: 'p' }]);
    await pool.end();
  });

  it('says what is wrong with its options, and with a server that is not there', async () => {
    expect(() => postgresStore({})).toThrow(/either a connectionString or a pool/);
    const store = postgresStore({ pool: { query: () => Promise.reject(new Error('no such server')) } });
    await expect(store.get('p')).rejects.toMatchObject({
      code: 'store-failed',
      message: expect.stringContaining('no such server') as string,
    });
    await store.close();
  });
});

const installed = systemBinaries();

describe.skipIf(installed === undefined)(
  "postgresStore on the system's own server (skipped where none is installed)",
  () => {
    let system: PostgresServer;
    beforeAll(async () => {
      system = await startPostgres({ fsync: false, binaries: installed });
    });
    afterAll(() => system?.stop());

    const create = async (): Promise<ConfirmationStore> =>
      postgresStore({ connectionString: await system.createDatabase() });
    for (const { name, run } of storeContract({ create })) it(name, run);
  },
);
