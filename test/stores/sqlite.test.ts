import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, describe, expect, it } from 'vitest';
import { sqliteStore } from '../../src/stores/sqlite/index.ts';
import { contractPause, storeContract } from '../../src/testing/store-contract.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolgate-sqlite-'));
let counter = 0;
const newPath = (): string => join(folder, `store-${(counter += 1)}.db`);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('sqliteStore', () => {
  for (const { name, run } of storeContract({ create: () => sqliteStore({ path: newPath() }) })) it(name, run);

  it('is in WAL mode with full synchronisation', async () => {
    const path = newPath();
    const store = sqliteStore({ path });
    const reader = new DatabaseSync(path);
    expect(reader.prepare('pragma journal_mode').get()).toEqual({ journal_mode: 'wal' });
    reader.close();
    await store.close();
    expect(store.durable).toBe(true);
  });

  it.skipIf(process.platform === 'win32')(
    'makes files that only their owner may read, and leaves others as they are',
    async () => {
      const path = newPath();
      const before = process.umask(0o022);
      try {
        const store = sqliteStore({ path });
        await store.create({ pause: contractPause('p'), changed: [0], audit: [], outbox: [] });
        const modes = ['', '-wal', '-shm'].map((end) => statSync(path + end).mode & 0o777);
        expect(modes).toEqual([0o600, 0o600, 0o600]);
        await store.close();
        chmodSync(path, 0o640);
        await sqliteStore({ path }).close();
        expect(statSync(path).mode & 0o777).toBe(0o640);
      } finally {
        process.umask(before);
      }
    },
  );

  it('shows one process what another has written', async () => {
    const path = newPath();
    const [first, second] = [sqliteStore({ path }), sqliteStore({ path })];
    await first.create({ pause: contractPause('p'), changed: [0], audit: [], outbox: [] });
    expect((await second.get('p')).value).toEqual(contractPause('p'));
    await first.close();
    await second.close();
  });

  it('goes on after a write that failed, with nothing of it written', async () => {
    const path = newPath();
    const store = sqliteStore({ path });
    const meddler = new DatabaseSync(path);
    meddler.exec("create trigger full before insert on toolgate_audit begin select raise(abort, 'disk full'); end");
    const audit = [{ chain: 'p', sequence: 1, at: 1, kind: 'k', key: null, body: {}, hash: 'h' }];
    const write = { pause: contractPause('p'), changed: [0], audit, outbox: [] };
    await expect(store.create(write)).rejects.toMatchObject({
      code: 'store-failed',
      message: expect.stringContaining('disk full') as string,
    });
    expect((await store.get('p')).value).toBeUndefined();
    meddler.exec('drop trigger full');
    meddler.close();
    expect(await store.create(write)).toBe(true);
    await store.close();
  });

  it('refuses a file of a newer version, a file that is no database, and use after closing', async () => {
    const path = newPath();
    await sqliteStore({ path }).close();
    const database = new DatabaseSync(path);
    database.exec('pragma user_version = 99');
    database.close();
    expect(() => sqliteStore({ path })).toThrow(expect.objectContaining({ code: 'store-newer' }) as Error);
    const text = newPath();
    writeFileSync(text, 'This is a text file that is no database at all, and long enough to be looked at.'.repeat(20));
    expect(() => sqliteStore({ path: text })).toThrow(expect.objectContaining({ code: 'store-failed' }) as Error);
    expect(() => sqliteStore({ path: join(folder, 'absent', 'x.db') })).toThrow(/cannot be opened/);
    const store = sqliteStore({ path: ':memory:' });
    await store.close();
    await expect(store.get('p')).rejects.toMatchObject({ code: 'store-closed' });
  });
});
