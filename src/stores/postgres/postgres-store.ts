import type { AuditRow, OutboxRow, PauseRecord, StandingRule } from '../../confirm/records.ts';
import type { ConfirmationStore, PauseWrite, Stamped } from '../../confirm/store-port.ts';
import type { Clock } from '../../core/clock.ts';
import { errorMessage, ToolgateError } from '../../core/errors.ts';
import { listConditions } from '../sql-list.ts';
import {
  auditEntryText,
  auditFromRow,
  callColumns,
  columnText,
  identityText,
  number,
  outboxFromRow,
  pauseFacts,
  pauseColumns,
  pauseFromRow,
  ruleFromRow,
  standingColumns,
  text,
} from '../sql-rows.ts';
import type { Row } from '../sql-rows.ts';
import { migrate } from './migrate.ts';
import { Notifier } from './notifier.ts';
import { isConnectionFailure, isDuplicate, isSerializationFailure, openPool } from './postgres-pool.ts';
import type { PostgresPool } from './postgres-pool.ts';
import * as sql from './statements.ts';

export interface PostgresStoreOptions {
  /** Where the database is. Needs the package `pg`. */
  readonly connectionString?: string;
  /** A pool of the host's own, in place of `connectionString`; it is not closed by the store. */
  readonly pool?: PostgresPool;
  /** Connections of the store's own pool. Default 10. */
  readonly maxConnections?: number;
  /** False: no connection is kept for hints (PgBouncer in transaction mode, engines without LISTEN). Default true. */
  readonly listen?: boolean;
  /** For tests: time comes from here. Default: the database's own `clock_timestamp()`, the same for every process. */
  readonly clock?: Clock;
}

/**
 * Keeps what waits in Postgres, for any number of processes on any number of machines: single statements with compare-and-set,
 * no locks, no SKIP LOCKED, no triggers. Connects and migrates at the first use. Failures of the connection are tried again
 * for about three seconds; that is safe because a write that did happen is recognised.
 */
export function postgresStore(options: PostgresStoreOptions): ConfirmationStore {
  if ((options.pool === undefined) === (options.connectionString === undefined)) {
    throw new ToolgateError('invalid-option', 'postgresStore needs either a connectionString or a pool.', {
      data: { option: 'connectionString' },
    });
  }
  return new PostgresStore(options);
}

class PostgresStore implements ConfirmationStore {
  readonly durable = true;
  readonly onChange?: (listener: (pauseId: string) => void) => () => void;
  readonly #options: PostgresStoreOptions;
  readonly #notifier: Notifier;
  #pool: Promise<PostgresPool> | undefined;
  #ready: Promise<void> | undefined;
  #closed = false;

  constructor(options: PostgresStoreOptions) {
    this.#options = options;
    this.#notifier = new Notifier(() => this.#open());
    if (options.listen !== false) this.onChange = (listener) => this.#notifier.listen(listener);
  }

  async get(id: string): Promise<Stamped<PauseRecord | undefined>> {
    const rows = await this.#run('get', sql.selectPauses(this.#now(), 'p.id = $1', ''), [id]);
    return { value: pausesFromRows(rows)[0], now: nowOf(rows) };
  }

  async find(identity: Parameters<ConfirmationStore['find']>[0]): Promise<Stamped<readonly PauseRecord[]>> {
    const statement = sql.selectPauses(this.#now(), 'p.identity = $1', 'order by p.generation');
    const rows = await this.#run('find', statement, [identityText(identity)]);
    return { value: pausesFromRows(rows), now: nowOf(rows) };
  }

  async list(query: Parameters<ConfirmationStore['list']>[0]): Promise<Stamped<readonly PauseRecord[]>> {
    const { where, values } = listConditions(query, this.#now(), (index) => `$${index}`);
    const rows = await this.#run('list', sql.listPauses(this.#now(), where, `$${values.length + 1}`), [
      ...values,
      query.limit,
    ]);
    return { value: pausesFromRows(rows), now: nowOf(rows) };
  }

  async create(write: PauseWrite): Promise<boolean> {
    const { pause } = write;
    const calls = pause.calls.map(callColumns);
    return this.#change('create', pause.id, sql.createPause, [
      ...pauseColumns(pause),
      calls.map((_, ordinal) => ordinal),
      calls.map((call) => call.state),
      calls.map((call) => call.facts),
      calls.map((call) => call.progress),
      ...auditColumns(write.audit),
      ...outboxColumns(write.outbox),
    ]);
  }

  async change(write: PauseWrite): Promise<boolean> {
    const { pause } = write;
    const calls = write.changed.map((ordinal) => callColumns(pause.calls[ordinal] as PauseRecord['calls'][number]));
    return this.#change('change', pause.id, sql.changePause, [
      pause.id,
      pause.version,
      ...standingColumns(pause),
      pause.erased ? pauseFacts(pause) : null,
      [...write.changed],
      calls.map((call) => call.state),
      calls.map((call) => (pause.erased ? call.facts : null)),
      calls.map((call) => call.progress),
      ...auditColumns(write.audit),
      ...outboxColumns(write.outbox),
    ]);
  }

  async readAudit(chain: string, from: number): Promise<readonly AuditRow[]> {
    const statement = 'select * from toolgate_audit where chain = $1 and sequence >= $2 order by sequence limit 1000';
    return (await this.#run('readAudit', statement, [chain, from])).map(auditFromRow);
  }

  async listChains(after: string): Promise<readonly string[]> {
    const statement = 'select chain from toolgate_audit where chain > $1 and sequence = 1 order by chain limit 1000';
    return (await this.#run('listChains', statement, [after])).map((row) => text(row, 'chain'));
  }

  async appendAudit(rows: readonly AuditRow[]): Promise<boolean> {
    return this.#unlessDuplicate(async () => {
      await this.#run('appendAudit', sql.appendAudit, auditColumns(rows));
      return true;
    });
  }

  async rules(tenant: string, all?: boolean): Promise<Stamped<readonly StandingRule[]>> {
    const live = all === true ? '' : 'and r.revoked_at is null and r.expires_at > n.now';
    const statement = `select n.now, r.body from (select ${this.#now()} as now) n left join toolgate_rules r on r.tenant = $1 ${live} order by r.id`;
    const rows = await this.#run('rules', statement, [columnText(tenant)]);
    return { value: rows.filter((row) => row['body'] !== null).map(ruleFromRow), now: nowOf(rows) };
  }

  async writeRule(rule: StandingRule, audit: readonly AuditRow[]): Promise<boolean> {
    const columns = [
      rule.version,
      columnText(rule.tenant),
      rule.expiresAt,
      rule.revokedAt,
      JSON.stringify(rule),
      rule.id,
    ];
    const statement = rule.version === 1 ? sql.insertRule : sql.updateRule;
    return this.#unlessDuplicate(async () =>
      isDone(await this.#run('writeRule', statement, [...columns, ...auditColumns(audit)])),
    );
  }

  async dueOutbox(limit: number): Promise<Stamped<readonly OutboxRow[]>> {
    const statement = `select n.now, o.body from (select ${this.#now()} as now) n
      left join toolgate_outbox o on o.state = 'due' and o.due_at <= n.now order by o.due_at, o.id limit $1`;
    const rows = await this.#run('dueOutbox', statement, [limit]);
    return { value: rows.filter((row) => row['body'] !== null).map(outboxFromRow), now: nowOf(rows) };
  }

  async writeOutbox(row: OutboxRow): Promise<boolean> {
    return isDone(
      await this.#run('writeOutbox', sql.updateOutbox, [
        row.id,
        row.state,
        row.dueAt,
        row.attempts,
        JSON.stringify(row),
      ]),
    );
  }

  async purge(settledBefore: number): Promise<number> {
    return number((await this.#run('purge', sql.purgeSettled, [settledBefore]))[0] ?? {}, 'done');
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#notifier.close();
    if (this.#options.pool === undefined) await (await this.#pool?.catch(() => undefined))?.end?.();
  }

  #now(): string {
    const { clock } = this.#options;
    return clock === undefined ? sql.databaseNow : `${Math.floor(clock.now())}::bigint`;
  }

  async #change(operation: string, pauseId: string, statement: string, values: readonly unknown[]): Promise<boolean> {
    const done = isDone(await this.#run(operation, statement, values));
    if (done && this.#options.listen !== false) this.#notifier.tell(pauseId);
    return done;
  }

  /** A taken sequence fails the whole statement, which is what is wanted; here it becomes an answer. */
  async #unlessDuplicate(work: () => Promise<boolean>): Promise<boolean> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ToolgateError && isDuplicate(error.cause)) return false;
      throw error;
    }
  }

  #open(): Promise<PostgresPool> {
    if (this.#options.pool !== undefined) return Promise.resolve(this.#options.pool);
    this.#pool ??= openPool(this.#options.connectionString ?? '', this.#options.maxConnections ?? 10);
    return this.#pool;
  }

  async #run(operation: string, statement: string, values: readonly unknown[]): Promise<readonly Row[]> {
    for (let attempt = 0; ; attempt += 1) {
      if (this.#closed) throw new ToolgateError('store-closed', 'The Postgres store has been closed.');
      try {
        const pool = await this.#open();
        this.#ready ??= migrate((query, parameters) => pool.query(query, parameters));
        await this.#ready;
        return (await pool.query(statement, [...values])).rows;
      } catch (error) {
        if (error instanceof ToolgateError) {
          this.#ready = undefined;
          throw error;
        }
        const lost = isConnectionFailure(error);
        if (lost) this.#ready = undefined;
        if (attempt < 6 && (lost || isSerializationFailure(error))) {
          // Not the clock's timer, which lets a process end: whoever called is waiting.
          await new Promise((resolve) => setTimeout(resolve, 50 * 2 ** attempt));
          continue;
        }
        throw new ToolgateError('store-failed', `The Postgres store could not ${operation}: ${errorMessage(error)}`, {
          data: { operation },
          cause: error,
        });
      }
    }
  }
}

function pausesFromRows(rows: readonly Row[]): PauseRecord[] {
  return rows
    .filter((row) => row['id'] !== null)
    .map((row) => {
      const calls = row['calls'];
      return pauseFromRow(
        row,
        (typeof calls === 'string' ? (JSON.parse(calls) as Row[]) : (calls as Row[] | null)) ?? [],
      );
    });
}

function nowOf(rows: readonly Row[]): number {
  return number(rows[0] ?? {}, 'now');
}

function isDone(rows: readonly Row[]): boolean {
  return number(rows[0] ?? {}, 'done') === 1;
}

function auditColumns(rows: readonly AuditRow[]): unknown[] {
  return [
    rows.map((row) => row.chain),
    rows.map((row) => row.sequence),
    rows.map((row) => row.at),
    rows.map(auditEntryText),
    rows.map((row) => row.hash),
  ];
}

function outboxColumns(rows: readonly OutboxRow[]): unknown[] {
  return [
    rows.map((row) => row.id),
    rows.map((row) => row.state),
    rows.map((row) => row.dueAt),
    rows.map((row) => row.attempts),
    rows.map((row) => JSON.stringify(row)),
  ];
}
