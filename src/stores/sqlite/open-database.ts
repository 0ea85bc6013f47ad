import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { errorMessage, ToolgateError } from '../../core/errors.ts';
import { sqliteMigrations } from '../../generated/sql.ts';
import { checkVersion } from '../check-version.ts';

export interface OpenOptions {
  readonly path: string;
  readonly busyTimeoutMs: number;
  /** `full` (default): every commit is on the disk before it is told. `off`: for tests that never lose power. */
  readonly synchronous: 'full' | 'off';
}

/**
 * Opens a database and brings it up to date; any number of processes may do so at once. Throws `store-newer` for a file of a
 * newer version, and `store-failed` for one that is no database or cannot be opened.
 */
export function openDatabase(options: OpenOptions): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    createPrivately(options.path);
    database = new DatabaseSync(options.path);
    database.exec(`pragma busy_timeout = ${options.busyTimeoutMs}`);
    enterWal(database);
    // WAL's default would lose the last commits with the power; decisions must not be lost.
    database.exec(`pragma synchronous = ${options.synchronous}`);
    migrate(database);
    return database;
  } catch (error) {
    database?.close();
    if (error instanceof ToolgateError) throw error;
    throw new ToolgateError(
      'store-failed',
      `The SQLite store ${options.path} cannot be opened: ${errorMessage(error)}`,
      {
        data: { operation: 'open' },
        cause: error,
      },
    );
  }
}

/**
 * SQLite makes its files readable for everybody, as far as the process allows, and its WAL files like the database file; what
 * waits there is for its owner only. A file that is there is not opened: closing it would drop SQLite's locks on it.
 */
function createPrivately(path: string): void {
  if (path === '' || path === ':memory:' || path.startsWith('file:')) return;
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== 'EEXIST') throw error;
  }
}

/** The change to WAL needs the file alone for a moment and does not wait by itself, so it is tried until it is WAL. */
function enterWal(database: DatabaseSync): void {
  for (let attempt = 0; ; attempt += 1) {
    try {
      database.exec('pragma journal_mode = wal');
      return;
    } catch (error) {
      if (attempt >= 200 || !isBusy(error)) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5 + attempt);
    }
  }
}

/** True when another process holds the file. */
export function isBusy(error: unknown): boolean {
  const code = (error as { readonly errcode?: unknown } | null)?.errcode;
  return typeof code === 'number' && ((code & 0xff) === 5 || (code & 0xff) === 6);
}

function migrate(database: DatabaseSync): void {
  const newest = sqliteMigrations.length;
  if (versionOf(database) === newest) return;
  database.exec('begin immediate');
  try {
    const found = versionOf(database);
    checkVersion(found, newest);
    for (const { version, sql } of sqliteMigrations.slice(found)) {
      database.exec(sql);
      database.exec(`pragma user_version = ${version}`);
    }
    database.exec('commit');
  } catch (error) {
    database.exec('rollback');
    throw error;
  }
}

function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('pragma user_version').get()?.['user_version']);
}
