import { describe, it } from 'vitest';
import { memoryStore } from '../../src/stores/memory.ts';
import { postgresStore } from '../../src/stores/postgres/index.ts';
import { sqliteStore } from '../../src/stores/sqlite/index.ts';
import { manualClock } from '../../src/testing/manual-clock.ts';
import { startPostgres } from '../services/postgres-server.ts';
import { modelTest } from './model.ts';

const sequences = process.env['TOOLGATE_LONG'] === '1' ? 5_000 : 1_000;

describe(`${sequences} random sequences behave like the pure state machine`, { timeout: 1_200_000 }, () => {
  it('in memory', async () => {
    const clock = manualClock();
    await modelTest(memoryStore({ clock }), clock, sequences);
  });

  it('in SQLite', async () => {
    const clock = manualClock();
    const store = sqliteStore({ path: ':memory:', clock, synchronous: 'off' });
    await modelTest(store, clock, sequences);
    await store.close();
  });

  it('in Postgres', async () => {
    const server = await startPostgres({ fsync: false });
    try {
      const connectionString = await server.createDatabase();
      // Four at once, since most of the time goes by between the two processes.
      const part = async (seed: number): Promise<void> => {
        const clock = manualClock();
        const store = postgresStore({ connectionString, clock, listen: false, maxConnections: 1 });
        await modelTest(store, clock, sequences / 4, seed);
        await store.close();
      };
      await Promise.all([1, 2, 3, 4].map(part));
    } finally {
      await server.stop();
    }
  });
});
