import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { AuditRow, OutboxRow, PauseRecord } from '../../confirm/records.ts';
import type { ConfirmationStore, PauseWrite, Stamped } from '../../confirm/store-port.ts';
import type { Clock } from '../../core/clock.ts';
import { errorMessage, ToolgateError } from '../../core/errors.ts';
import { systemClock } from '../../core/system.ts';
import { listConditions } from '../sql-list.ts';
import {
  auditEntryText,
  auditFromRow,
  callColumns,
  columnText,
  identityText,
  outboxFromRow,
  pauseFacts,
  pauseColumns,
  pauseColumnNames,
  pauseFromRow,
  ruleFromRow,
  standingColumns,
  text,
} from '../sql-rows.ts';
import type { Row } from '../sql-rows.ts';
import { isBusy, openDatabase } from './open-database.ts';

export interface SqliteStoreOptions {
  /** The database file; `:memory:` for one that is gone with the process. Its folder must exist. */
  readonly path: string;
  readonly clock?: Clock;
  /** How long to wait for another process that writes, in milliseconds. Default 10,000. */
  readonly busyTimeoutMs?: number;
  /** `full` (default): a commit is on the disk before anybody hears of it. `off` is for tests. */
  readonly synchronous?: 'full' | 'off';
}

/**
 * Keeps what waits in one SQLite file (WAL, synchronous FULL), through Node's own `node:sqlite`. Any number of processes on
 * one machine may share it; not for network file systems. Throws `store-failed` and `store-newer`.
 */
export function sqliteStore(options: SqliteStoreOptions): ConfirmationStore {
  const clock = options.clock ?? systemClock;
  const database = openDatabase({
    path: options.path,
    busyTimeoutMs: options.busyTimeoutMs ?? 10_000,
    synchronous: options.synchronous ?? 'full',
  });
  return new SqliteStore(database, clock, options.path !== ':memory:');
}

class SqliteStore implements ConfirmationStore {
  readonly durable: boolean;
  readonly #database: DatabaseSync;
  readonly #clock: Clock;
  readonly #statements = new Map<string, StatementSync>();
  readonly #listeners = new Set<(pauseId: string) => void>();
  #open = true;

  constructor(database: DatabaseSync, clock: Clock, durable: boolean) {
    this.#database = database;
    this.#clock = clock;
    this.durable = durable;
  }

  async get(id: string): Promise<Stamped<PauseRecord | undefined>> {
    return this.#stamped('get', () => this.#pauses(this.#all('select * from toolgate_pauses where id = ?', id))[0]);
  }

  async find(identity: Parameters<ConfirmationStore['find']>[0]): Promise<Stamped<readonly PauseRecord[]>> {
    const sql = 'select * from toolgate_pauses where identity = ? order by generation';
    return this.#stamped('find', () => this.#pauses(this.#all(sql, identityText(identity))));
  }

  async list(query: Parameters<ConfirmationStore['list']>[0]): Promise<Stamped<readonly PauseRecord[]>> {
    return this.#stamped('list', (now) => {
      const { where, values } = listConditions(query, now, () => '?');
      const sql = `select p.* from toolgate_pauses p ${where} order by p.created_at desc, p.id desc limit ?`;
      return this.#pauses(this.#all(sql, ...values, query.limit));
    });
  }

  async create(write: PauseWrite): Promise<boolean> {
    const { pause } = write;
    const done = this.#write('create', () => {
      const { changes } = this.#run(
        `insert into toolgate_pauses (${pauseColumnNames})
         values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing`,
        ...pauseColumns(pause),
      );
      if (changes === 0) return false;
      for (const [ordinal, call] of pause.calls.entries()) {
        const { state, facts, progress } = callColumns(call);
        this.#run(
          'insert into toolgate_calls (pause_id, ordinal, state, facts, progress) values (?, ?, ?, ?, ?)',
          pause.id,
          ordinal,
          state,
          facts,
          progress,
        );
      }
      this.#insertAudit(write.audit);
      this.#insertOutbox(write.outbox);
      return true;
    });
    if (done) this.#tell(pause.id);
    return done;
  }

  async change(write: PauseWrite): Promise<boolean> {
    const { pause } = write;
    const done = this.#write('change', () => {
      const { changes } = this.#run(
        `update toolgate_pauses set version = ?, state = ?, settled_at = ?, due_at = ?, audit_sequence = ?, audit_head = ?,
           erased = ? where id = ? and version = ?`,
        pause.version,
        ...standingColumns(pause),
        pause.id,
        pause.version - 1,
      );
      if (changes === 0) return false;
      if (pause.erased) this.#run('update toolgate_pauses set facts = ? where id = ?', pauseFacts(pause), pause.id);
      for (const ordinal of write.changed) {
        const { state, facts, progress } = callColumns(pause.calls[ordinal] as PauseRecord['calls'][number]);
        this.#run(
          'update toolgate_calls set state = ?, progress = ? where pause_id = ? and ordinal = ?',
          state,
          progress,
          pause.id,
          ordinal,
        );
        if (pause.erased)
          this.#run('update toolgate_calls set facts = ? where pause_id = ? and ordinal = ?', facts, pause.id, ordinal);
      }
      this.#insertAudit(write.audit);
      this.#insertOutbox(write.outbox);
      return true;
    });
    if (done) this.#tell(pause.id);
    return done;
  }

  async readAudit(chain: string, from: number): Promise<readonly AuditRow[]> {
    const sql = 'select * from toolgate_audit where chain = ? and sequence >= ? order by sequence limit 1000';
    return this.#read('readAudit', () => this.#all(sql, chain, from).map(auditFromRow));
  }

  async listChains(after: string): Promise<readonly string[]> {
    const sql = 'select chain from toolgate_audit where chain > ? and sequence = 1 order by chain limit 1000';
    return this.#read('listChains', () => this.#all(sql, after).map((row) => text(row, 'chain')));
  }

  async appendAudit(rows: readonly AuditRow[]): Promise<boolean> {
    return this.#write('appendAudit', () => this.#insertAudit(rows));
  }

  async rules(tenant: string, all?: boolean): Promise<Stamped<ReturnType<typeof ruleFromRow>[]>> {
    return this.#stamped('rules', (now) =>
      (all === true
        ? this.#all('select body from toolgate_rules where tenant = ? order by id', columnText(tenant))
        : this.#all(
            'select body from toolgate_rules where tenant = ? and expires_at > ? and revoked_at is null order by id',
            columnText(tenant),
            now,
          )
      ).map(ruleFromRow),
    );
  }

  async writeRule(rule: ReturnType<typeof ruleFromRow>, audit: readonly AuditRow[]): Promise<boolean> {
    return this.#write('writeRule', () => {
      const columns = [
        rule.version,
        columnText(rule.tenant),
        rule.expiresAt,
        rule.revokedAt,
        JSON.stringify(rule),
        rule.id,
      ];
      const { changes } =
        rule.version === 1
          ? this.#run(
              'insert into toolgate_rules (version, tenant, expires_at, revoked_at, body, id) values (?, ?, ?, ?, ?, ?) on conflict do nothing',
              ...columns,
            )
          : this.#run(
              'update toolgate_rules set version = ?, tenant = ?, expires_at = ?, revoked_at = ?, body = ? where id = ? and version = ?',
              ...columns,
              rule.version - 1,
            );
      return changes === 1 && this.#insertAudit(audit);
    });
  }

  async dueOutbox(limit: number): Promise<Stamped<readonly OutboxRow[]>> {
    const sql = "select body from toolgate_outbox where state = 'due' and due_at <= ? order by due_at, id limit ?";
    return this.#stamped('dueOutbox', (now) => this.#all(sql, now, limit).map(outboxFromRow));
  }

  async writeOutbox(row: OutboxRow): Promise<boolean> {
    return this.#write('writeOutbox', () => {
      const { changes } = this.#run(
        'update toolgate_outbox set state = ?, due_at = ?, attempts = ?, body = ? where id = ? and attempts = ?',
        row.state,
        row.dueAt,
        row.attempts,
        JSON.stringify(row),
        row.id,
        row.attempts - 1,
      );
      return changes === 1;
    });
  }

  async purge(settledBefore: number): Promise<number> {
    let count = 0;
    this.#write('purge', () => {
      const ids = 'select id from toolgate_pauses where settled_at < ?';
      this.#run(`delete from toolgate_calls where pause_id in (${ids})`, settledBefore);
      this.#run(`delete from toolgate_audit where chain in (${ids})`, settledBefore);
      count = Number(this.#run('delete from toolgate_pauses where settled_at < ?', settledBefore).changes);
      this.#run("delete from toolgate_outbox where state <> 'due' and due_at < ?", settledBefore);
      // The range is what the index of the chains finds; a name that begins so lies in it.
      const free =
        "select chain from toolgate_audit where chain >= 'free_' and chain < 'freea' group by chain having max(at) < ?";
      this.#run(`delete from toolgate_audit where chain in (${free})`, settledBefore);
      return true;
    });
    return count;
  }

  onChange(listener: (pauseId: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    this.#statements.clear();
    this.#database.close();
  }

  #pauses(rows: readonly Row[]): PauseRecord[] {
    const sql = 'select state, facts, progress from toolgate_calls where pause_id = ? order by ordinal';
    return rows.map((row) => pauseFromRow(row, this.#all(sql, text(row, 'id'))));
  }

  /** False when a sequence is taken; the transaction is then rolled back. */
  #insertAudit(rows: readonly AuditRow[]): boolean {
    const sql =
      'insert into toolgate_audit (chain, sequence, at, entry, hash) values (?, ?, ?, ?, ?) on conflict do nothing';
    return rows.every(
      (row) => this.#run(sql, row.chain, row.sequence, row.at, auditEntryText(row), row.hash).changes === 1,
    );
  }

  #insertOutbox(rows: readonly OutboxRow[]): void {
    const sql = 'insert into toolgate_outbox (id, state, due_at, attempts, body) values (?, ?, ?, ?, ?)';
    for (const row of rows) this.#run(sql, row.id, row.state, row.dueAt, row.attempts, JSON.stringify(row));
  }

  #tell(pauseId: string): void {
    for (const listener of this.#listeners) queueMicrotask(() => listener(pauseId));
  }

  /** One transaction: committed when `work` gives true, else rolled back. */
  #write(operation: string, work: () => boolean): boolean {
    return this.#read(operation, () => {
      this.#database.exec('begin immediate');
      let done = false;
      try {
        done = work();
        this.#database.exec(done ? 'commit' : 'rollback');
      } catch (error) {
        // A commit can fail too (a full disk); a transaction left open would fail every later one.
        try {
          this.#database.exec('rollback');
        } catch {
          // SQLite has rolled back by itself.
        }
        throw error;
      }
      return done;
    });
  }

  #stamped<T>(operation: string, work: (now: number) => T): Stamped<T> {
    const now = this.#clock.now();
    return { value: this.#read(operation, () => work(now)), now };
  }

  #read<T>(operation: string, work: () => T): T {
    if (!this.#open) throw new ToolgateError('store-closed', 'The SQLite store has been closed.');
    try {
      return work();
    } catch (error) {
      const why = isBusy(error) ? 'another process kept it locked' : errorMessage(error);
      throw new ToolgateError('store-failed', `The SQLite store could not ${operation}: ${why}`, {
        data: { operation },
        cause: error,
      });
    }
  }

  #all(sql: string, ...values: readonly SQLInputValue[]): Row[] {
    return this.#prepare(sql).all(...values) as Row[];
  }

  #run(sql: string, ...values: readonly SQLInputValue[]): { readonly changes: number | bigint } {
    return this.#prepare(sql).run(...values);
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}
