import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'toolgate-migrate-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('a SQLite file is brought up to date by twenty processes at once', { timeout: 180_000 }, async () => {
  const path = join(folder, 'store.db');
  const child = join(fileURLToPath(new URL('.', import.meta.url)), 'migrate-child.ts');
  const run = promisify(execFile);
  const ends = await Promise.all(Array.from({ length: 20 }, () => run(process.execPath, [child, `sqlite:${path}`])));
  expect(ends.map(({ stderr }) => stderr)).toEqual(Array.from({ length: 20 }, () => ''));
  const database = new DatabaseSync(path);
  expect(database.prepare('pragma user_version').get()).toEqual({ user_version: 1 });
  expect(database.prepare("select count(*) as tables from sqlite_schema where type = 'table'").get()).toEqual({
    tables: 5,
  });
  database.close();
});
