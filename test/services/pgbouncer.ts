import { spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort, serverUser } from './postgres-server.ts';

/** PgBouncer in transaction mode in front of a server, where the machine has it. */
export interface Pooler {
  /** The same database, through the pooler. */
  through(connectionString: string): string;
  stop(): Promise<void>;
}

/** Where PgBouncer is installed, or undefined. */
export const pgbouncer: string | undefined = [
  '/usr/sbin/pgbouncer',
  '/usr/bin/pgbouncer',
  '/opt/homebrew/bin/pgbouncer',
].find((path) => existsSync(path));

/** Two server connections for any number of clients, so that statements of one client do meet different sessions. */
export async function startPgbouncer(binary: string, serverPort: number): Promise<Pooler> {
  const user = process.getuid?.() === 0 ? await serverUser() : undefined;
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-pgbouncer-'));
  const port = await freePort();
  const configuration = join(folder, 'pgbouncer.ini');
  writeFileSync(
    configuration,
    [
      '[databases]',
      `* = host=127.0.0.1 port=${serverPort} user=toolgate`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = any',
      'pool_mode = transaction',
      'default_pool_size = 2',
      'max_client_conn = 200',
      'ignore_startup_parameters = extra_float_digits',
    ].join('\n'),
  );
  if (user !== undefined) for (const path of [folder, configuration]) chownSync(path, user.uid, user.gid);
  const child = spawn(binary, ['-q', configuration], { ...user, cwd: folder, stdio: 'ignore' });
  const through = (connectionString: string): string => connectionString.replace(`:${serverPort}/`, `:${port}/`);
  await untilReady(through(`postgresql://toolgate@127.0.0.1:${serverPort}/postgres`));
  return {
    through,
    async stop() {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function untilReady(connectionString: string): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const client = new pg.Client({ connectionString });
    try {
      await client.connect();
      await client.query('select 1');
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 30));
    } finally {
      await client.end().catch(() => {});
    }
  }
  throw new Error('PgBouncer did not become ready.');
}
