// A durable DBOS workflow waits for a person's decision, is woken by toolgate's signed outbox, and the tool runs once: although the
// workflow's process is killed while it waits, every message comes twice, and the next process is killed right after the tool ran.
// Postgres is real and belongs to this run alone; where none can be started, the example says why and ends.
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
// @ts-ignore: the types are there once this folder's packages are installed, and the rest of the repository does not need them.
import { DBOSClient } from '@dbos-inc/dbos-sdk';
import pg from 'pg';
// In a project of yours: from 'toolgate' and 'toolgate/postgres'.
import { deliverWebhooks, signWebhook, ToolCallingManager } from '../../dist/index.js';
import { postgresStore } from '../../dist/stores/postgres/index.js';
import { startPostgres } from '../../test/services/postgres-server.ts';
import type { PostgresServer } from '../../test/services/postgres-server.ts';

const secret = 'shared with the receiver, 24 bytes or more';
const order = 'order-17';

const server = await startPostgres().catch((error: unknown) => {
  console.log(
    `Skipped: no Postgres could be started here (${error instanceof Error ? error.message : String(error)}).`,
  );
});
if (server !== undefined) {
  try {
    await story(server);
  } finally {
    await server.stop();
  }
}

async function story(server: PostgresServer): Promise<void> {
  const database = await server.createDatabase();
  const tables = new pg.Pool({ connectionString: database });
  tables.on('error', () => {}); // the server ends before the last idle connection does
  await tables.query('create table payments (order_id text not null, eur numeric not null)');
  const store = postgresStore({ connectionString: database });
  const people = new ToolCallingManager({ store, outbox: true });
  const workers: ChildProcess[] = [];
  const client = await DBOSClient.create({ systemDatabaseUrl: database, systemDatabasePool: tables });
  try {
    // 1. The workflow asks, and sleeps. Nobody has decided, so nothing is paid.
    const first = await startWorker(workers, database);
    await until(async () => ((await client.listWorkflowSteps(order)) ?? []).length >= 2);
    first.process.kill('SIGKILL');
    await until(() => first.process.signalCode === 'SIGKILL');
    assert.equal((await client.getWorkflow(order))?.status, 'PENDING');
    console.log('The workflow waits for a person; its process has been killed.');

    // 2. A person decides while no process holds the workflow.
    const waiting = await people.confirmations.list({ callStates: ['awaiting'] });
    assert.equal(waiting.items.length, 1);
    const pause = waiting.items[0]?.id ?? '';
    await people.confirmations.decide(pause, { '0.call-1': { type: 'approve' } }, { principal: { id: 'ann' } });
    assert.deepEqual(await paid(tables), []);

    // 3. A second process takes the workflow up. Unsigned messages do not wake it; the outbox does, and each of its messages comes twice.
    const second = await startWorker(workers, database, 'hang-after-resume');
    let resumed = false;
    second.process.once('message', () => (resumed = true));
    const forged = signWebhook(new TextEncoder().encode('a secret that somebody guessed'), 'event', now(), '{}');
    const headers = { 'webhook-id': 'event', 'webhook-timestamp': String(now()), 'webhook-signature': forged };
    assert.equal((await fetch(second.url, { method: 'POST', headers, body: '{}' })).status, 401);
    const sent: RequestInit[] = [];
    const twice: typeof fetch = async (url, init = {}) => {
      sent.push(init);
      assert.equal((await fetch(url, init)).status, 204);
      return fetch(url, init);
    };
    const report = await deliverWebhooks(store, { url: second.url, secret, fetch: twice });
    assert.deepEqual(report, { delivered: 2, failed: 0, givenUp: 0 });
    await until(() => resumed);
    second.process.kill('SIGKILL');
    await until(() => second.process.signalCode === 'SIGKILL');
    assert.deepEqual(await paid(tables), [{ order_id: order, eur: '40' }]);
    assert.equal((await client.getWorkflow(order))?.status, 'PENDING');
    console.log('Woken by a signed message, it paid; its process was killed before DBOS knew.');

    // 4. A third process repeats the step. The call has its outcome already, and the workflow ends with it.
    const third = await startWorker(workers, database);
    await until(async () => (await client.getWorkflow(order))?.status === 'SUCCESS');
    assert.equal(await client.retrieveWorkflow(order).getResult(), 'paid 40');
    for (const { signal: _over, ...late } of sent) assert.equal((await fetch(third.url, late)).status, 204);
    const ends = await deliverWebhooks(store, { url: third.url, secret, fetch: twice });
    assert.deepEqual(ends, { delivered: 2, failed: 0, givenUp: 0 });
    assert.deepEqual(await paid(tables), [{ order_id: order, eur: '40' }]);
    const steps = ((await client.listWorkflowSteps(order)) ?? []) as { readonly name: string }[];
    console.log(
      `The workflow ended with "paid 40", paid once. Its steps: ${steps.map(({ name }) => name).join(', ')}.`,
    );
  } finally {
    for (const worker of workers) worker.kill('SIGKILL');
    await client.destroy();
    await people.close();
    await store.close();
    await tables.end();
  }
}

interface Worker {
  readonly process: ChildProcess;
  readonly url: string;
}

async function startWorker(workers: ChildProcess[], database: string, ...options: string[]): Promise<Worker> {
  const worker = fork(join(import.meta.dirname, 'worker.ts'), [database, ...options], {
    env: { ...process.env, WEBHOOK_SECRET: secret },
  });
  workers.push(worker);
  const url = await Promise.race([
    once(worker, 'message', { signal: AbortSignal.timeout(20_000) }).then(([message]) => String(message)),
    once(worker, 'exit').then(([code]) =>
      Promise.reject(new Error(`The worker ended with code ${String(code)} at its start.`)),
    ),
  ]);
  return { process: worker, url };
}

async function paid(tables: pg.Pool): Promise<readonly unknown[]> {
  return (await tables.query('select order_id, eur from payments')).rows;
}

function now(): number {
  return Math.floor(Date.now() / 1000);
}

async function until(reached: () => boolean | Promise<boolean>): Promise<void> {
  for (let attempt = 0; !(await reached()); attempt += 1) {
    if (attempt === 200) throw new Error('What was waited for did not come in 20 s.');
    await sleep(100);
  }
}
