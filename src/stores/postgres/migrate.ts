import { postgresMigrations } from '../../generated/sql.ts';
import { checkVersion } from '../check-version.ts';
import { isDuplicate } from './postgres-pool.ts';
import type { PostgresPool } from './postgres-pool.ts';

/**
 * Brings a database up to date; any number of processes may do so at once, without locks: the first row of a version wins, the
 * others wait for its transaction and then find it done. Several statements in one query are one transaction, also
 * through a pooler. Throws `store-newer`.
 */
export async function migrate(query: PostgresPool['query']): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const found = await versionOf(query);
      const newest = postgresMigrations.length;
      checkVersion(found, newest);
      for (const { version, sql } of postgresMigrations.slice(found)) {
        await query(`insert into toolgate_migrations (version) values (${version});\n${sql}`);
      }
      return;
    } catch (error) {
      // Somebody else is doing the same; look again at how far they are.
      if (!isDuplicate(error) || attempt >= 50) throw error;
    }
  }
}

async function versionOf(query: PostgresPool['query']): Promise<number> {
  const { rows: present } = await query("select to_regclass('toolgate_migrations') is not null as there");
  if (present[0]?.['there'] !== true) {
    await query(
      'create table if not exists toolgate_migrations (version integer primary key, applied_at timestamptz not null default now())',
    );
  }
  const { rows } = await query('select coalesce(max(version), 0) as version from toolgate_migrations');
  return Number(rows[0]?.['version'] ?? 0);
}
