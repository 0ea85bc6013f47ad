/**
 * Full confirmation cycles (pause, decide, claim, record) per second, beside the very statements that write them, on the same
 * database in the same run; memory over many cycles; and lists of 50 among 50 and among 100,000 waiting calls.
 * Run: node --expose-gc bench/confirmation.ts [--long]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { ToolCallingManager } from '../src/confirm/manager.ts';
import type { ConfirmationStore, PauseWrite } from '../src/confirm/store-port.ts';
import { memoryStore } from '../src/stores/memory.ts';
import { postgresStore } from '../src/stores/postgres/index.ts';
import { sqliteStore } from '../src/stores/sqlite/index.ts';
import { contractPause } from '../src/testing/store-contract.ts';
import { startPostgres } from '../test/services/postgres-server.ts';

const long = process.argv.includes('--long');
const folder = mkdtempSync(join(tmpdir(), 'toolgate-bench-'));
const print = (line: string): void => void process.stdout.write(`${line}\n`);

const tool = {
  name: 'pay',
  description: 'Pays somebody.',
  inputSchema: { type: 'object', properties: { to: { type: 'string' }, eur: { type: 'number' } } },
  requiresConfirmation: true,
  execute: () => 'paid',
};

function cycler(store: ConfirmationStore): (index: number) => Promise<void> {
  const tools = [tool];
  const manager = new ToolCallingManager({ store, tools });
  const by = { principal: { id: 'bob' } };
  return async (index) => {
    const conversation = { id: `c${index}`, messages: [], tools, principal: { id: 'alice' } };
    const reply = {
      role: 'assistant' as const,
      id: `r${index}`,
      content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'pay', input: { to: 'x', eur: index } }],
    };
    const error = (await manager.executeToolCalls(conversation, reply).catch((thrown: unknown) => thrown)) as {
      pause: { id: string };
    };
    await manager.confirmations.decide(error.pause.id, { '0.a': { type: 'approve' } }, by);
    const { outcomes } = await manager.resume(error.pause.id);
    if (outcomes[0]?.status !== 'succeeded') throw new Error(`Cycle ${index} ended as ${outcomes[0]?.status}.`);
  };
}

/** The writes of a cycle as a list, by running one against a store that notes them. */
async function writesOfACycle(): Promise<
  readonly { readonly kind: 'create' | 'change'; readonly write: PauseWrite }[]
> {
  const writes: { kind: 'create' | 'change'; write: PauseWrite }[] = [];
  const store = memoryStore();
  const noting: ConfirmationStore = Object.assign(Object.create(store) as ConfirmationStore, {
    create: (write: PauseWrite) => (writes.push({ kind: 'create', write }), store.create(write)),
    change: (write: PauseWrite) => (writes.push({ kind: 'change', write }), store.change(write)),
  });
  await cycler(noting)(0);
  return writes;
}

async function perSecond(count: number, work: (index: number) => Promise<void> | void, from: number): Promise<number> {
  const start = performance.now();
  for (let index = 0; index < count; index += 1) await work(from + index);
  return (count / (performance.now() - start)) * 1_000;
}

/** Both in turns, so that a busy machine is busy for both. */
async function compare(
  name: string,
  rounds: number,
  size: number,
  cycle: (index: number) => Promise<void>,
  bare: (index: number) => Promise<void> | void,
): Promise<void> {
  const cycles: number[] = [];
  const bares: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    bares.push(await perSecond(size, bare, round * size));
    cycles.push(await perSecond(size, cycle, 1_000_000 + round * size));
  }
  const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
  const share = median(cycles.map((value, index) => value / (bares[index] ?? 1)));
  print(
    `${name}: ${median(cycles).toFixed(0)} cycles/s, bare statements ${median(bares).toFixed(0)}/s, ${(share * 100).toFixed(0)} %`,
  );
}

async function lists(name: string, store: ConfirmationStore): Promise<void> {
  const add = (index: number): Promise<boolean> => {
    const pause = contractPause(`pause_${String(index).padStart(7, '0')}`, { createdAt: index });
    return store.create({ pause, changed: [0], audit: [], outbox: [] });
  };
  const fill = async (from: number, to: number): Promise<void> => {
    for (let index = from; index < to; index += 50) {
      await Promise.all(Array.from({ length: Math.min(50, to - index) }, (_, offset) => add(index + offset)));
    }
  };
  const time = async (): Promise<number> => {
    const times: number[] = [];
    for (let round = 0; round < 30; round += 1) {
      const start = performance.now();
      const { value } = await store.list({ state: 'open', callStates: ['awaiting'], limit: 50 });
      if (value.length !== 50) throw new Error('Not 50.');
      times.push(performance.now() - start);
    }
    return times.toSorted((a, b) => a - b)[15] ?? 0;
  };
  await fill(0, 50);
  const few = await time();
  const count = long ? 100_000 : 10_000;
  await fill(50, count);
  const many = await time();
  print(
    `${name}: 50 of 50 in ${few.toFixed(2)} ms, 50 of ${count} in ${many.toFixed(2)} ms, ${(many / few).toFixed(2)} times`,
  );
}

async function memory(name: string, count: number, store: ConfirmationStore): Promise<void> {
  const cycle = cycler(store);
  const used = (): number => {
    globalThis.gc?.();
    return process.memoryUsage().heapUsed / 1_048_576;
  };
  await perSecond(Math.ceil(count / 10), cycle, 0);
  const before = used();
  await perSecond(count, cycle, count);
  print(
    `${name}: heap ${before.toFixed(1)} MB after ${Math.ceil(count / 10)} cycles, ${used().toFixed(1)} MB after ${count} more`,
  );
}

const writes = await writesOfACycle();

async function sqlite(): Promise<void> {
  const path = join(folder, 'cycles.db');
  const store = sqliteStore({ path });
  const database = new DatabaseSync(path);
  database.exec('pragma synchronous = full');
  database.exec('pragma busy_timeout = 10000');
  const pause = database.prepare('insert into toolgate_pauses values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const call = database.prepare('insert into toolgate_calls values (?, ?, ?, ?, ?)');
  const audit = database.prepare('insert into toolgate_audit values (?, ?, ?, ?, ?)');
  const change = database.prepare(
    'update toolgate_pauses set version = ?, state = ?, settled_at = ?, due_at = ?, audit_sequence = ?, audit_head = ?, erased = ? where id = ? and version = ?',
  );
  const step = database.prepare('update toolgate_calls set state = ?, progress = ? where pause_id = ? and ordinal = ?');
  const bare = (index: number): void => {
    const id = `bare_${index}`;
    for (const { kind, write } of writes) {
      const { pause: record } = write;
      const progress = JSON.stringify(record.calls[0]);
      database.exec('begin immediate');
      if (kind === 'create') {
        pause.run(
          id,
          1,
          id,
          0,
          '',
          'alice',
          id,
          'open',
          1,
          null,
          null,
          2,
          record.auditHead,
          0,
          JSON.stringify(record.reply),
        );
        call.run(id, 0, 'awaiting', progress, progress);
      } else {
        change.run(
          record.version,
          record.state,
          null,
          null,
          record.auditSequence,
          record.auditHead,
          0,
          id,
          record.version - 1,
        );
        step.run(record.calls[0]?.state ?? '', progress, id, 0);
      }
      for (const row of write.audit) audit.run(id, row.sequence, row.at, JSON.stringify(row.body), row.hash);
      database.exec('commit');
    }
  };
  await compare('SQLite', 9, 60, cycler(store), bare);
  database.close();
  await store.close();
}

async function postgres(): Promise<void> {
  const server = await startPostgres();
  const connectionString = await server.createDatabase();
  const pool = new pg.Pool({ connectionString, max: 4 });
  const texts: { text: string; values: unknown[] }[] = [];
  const noting = postgresStore({
    listen: false,
    pool: {
      query: (text, values) => {
        if (text.startsWith('with p as')) texts.push({ text, values: [...(values ?? [])] });
        return pool.query(text, values);
      },
    },
  });
  await cycler(noting)(-1);
  const id = texts[0]?.values[0] as string;
  const bare = async (index: number): Promise<void> => {
    const own = `bare_${index}`;
    for (const { text, values } of texts) {
      const mine = values.map((value, at) =>
        value === id
          ? own
          : Array.isArray(value)
            ? value.map((part: unknown) => (part === id ? own : part))
            : text.includes('insert into toolgate_pauses') && at === 2
              ? own
              : value,
      );
      await pool.query(text, mine);
    }
  };
  const store = postgresStore({ pool: { query: (text, values) => pool.query(text, values) }, listen: false });
  await compare('Postgres', 9, 60, cycler(store), bare);
  // Durability has no part in a list, and 100,000 commits would take most of the time.
  const quick = await startPostgres({ fsync: false });
  await lists('Postgres list', postgresStore({ connectionString: await quick.createDatabase(), listen: false }));
  await quick.stop();
  await pool.end();
  await server.stop();
}

try {
  await sqlite();
  await lists('Memory list', memoryStore());
  await lists('SQLite list', sqliteStore({ path: join(folder, 'list.db'), synchronous: 'off' }));
  await memory('Memory store', long ? 100_000 : 10_000, memoryStore());
  await memory(
    'SQLite store',
    long ? 5_000 : 1_000,
    sqliteStore({ path: join(folder, 'memory.db'), synchronous: 'off' }),
  );
  await postgres();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
