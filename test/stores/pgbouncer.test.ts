import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ToolCallingManager } from '../../src/confirm/manager.ts';
import { ToolCallConfirmationRequiredError } from '../../src/core/errors.ts';
import type { ConfirmationStore } from '../../src/confirm/store-port.ts';
import { postgresStore } from '../../src/stores/postgres/index.ts';
import { storeContract } from '../../src/testing/store-contract.ts';
import { countingTool, replyOf } from '../confirm/tools.ts';
import { pgbouncer, startPgbouncer } from '../services/pgbouncer.ts';
import type { Pooler } from '../services/pgbouncer.ts';
import { startPostgres } from '../services/postgres-server.ts';
import type { PostgresServer } from '../services/postgres-server.ts';

describe.skipIf(pgbouncer === undefined)(
  'postgresStore through PgBouncer in transaction mode (skipped where it is not installed)',
  () => {
    let server: PostgresServer;
    let pooler: Pooler;

    beforeAll(async () => {
      server = await startPostgres({ fsync: false });
      pooler = await startPgbouncer(pgbouncer ?? '', server.port);
    });
    afterAll(async () => {
      await pooler?.stop();
      await server?.stop();
    });

    const create = async (): Promise<ConfirmationStore> =>
      postgresStore({ connectionString: pooler.through(await server.createDatabase()), listen: false });
    for (const { name, run } of storeContract({ create })) it(name, run);

    it('is migrated and used by many at once, and runs each call once', async () => {
      const connectionString = pooler.through(await server.createDatabase());
      const stores = Array.from({ length: 8 }, () =>
        postgresStore({ connectionString, listen: false, maxConnections: 2 }),
      );
      const tool = countingTool('pay', { requiresConfirmation: true });
      const managers = stores.map((store) => new ToolCallingManager({ store, tools: [tool], pollMs: 20 }));
      const conversation = { id: 'c', messages: [], tools: [tool] };
      const replies = Array.from({ length: 10 }, (_, index) => ({
        ...replyOf([`a`, 'pay', { index }]),
        id: `r${index}`,
      }));
      await Promise.all(
        managers.map(async (manager) => {
          for (const reply of replies) {
            const error: unknown = await manager
              .executeToolCalls(conversation, reply)
              .catch((thrown: unknown) => thrown);
            const id = error instanceof ToolCallConfirmationRequiredError ? error.pause?.id : undefined;
            if (id !== undefined)
              await manager.confirmations.decide(id, { '0.a': { type: 'approve' } }, { principal: { id: 'bob' } });
            const { outcomes } = await manager.executeToolCalls(conversation, reply);
            expect(outcomes.map(({ status }) => status)).toEqual(['succeeded']);
          }
        }),
      );
      expect(tool.runs).toHaveLength(10);
      await Promise.all(stores.map((store) => store.close()));
    });
  },
);
