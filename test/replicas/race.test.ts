import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { startPostgres } from '../services/postgres-server.ts';
import { raceTest } from './race.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolgate-race-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const long = process.env['TOOLGATE_LONG'] === '1';
const pauses = long ? 2_000 : 60;
const clean = { runs: pauses, doubleExecutions: 0, lost: 0, pauses, settled: pauses, auditProblems: 0 };

function runsIn(journal: string): number {
  return existsSync(journal) ? readFileSync(journal, 'utf8').split('\n').length - 1 : 0;
}

describe(`${pauses} pauses, every decision delivered three times by different processes`, () => {
  it('run once each, with SQLite and four processes on one file', { timeout: 1_800_000 }, async () => {
    const report = await raceTest(`sqlite:${join(folder, 'store.db')}`, join(folder, 'sqlite-journal'), {
      processes: 4,
      pauses,
    });
    expect(report).toEqual(clean);
  });

  it(
    'run once each, with Postgres and a server that is killed and started again meanwhile',
    { timeout: 1_800_000 },
    async () => {
      const server = await startPostgres();
      try {
        let restarts = 0;
        const journal = join(folder, 'postgres-journal');
        const report = await raceTest(await server.createDatabase(), journal, {
          processes: long ? 8 : 4,
          pauses,
          async disturb(running) {
            // In the middle of the work, however fast the machine is.
            while (running() && runsIn(journal) < 5) await wait(5);
            while (running() && restarts < (long ? 20 : 1)) {
              await server.restartImmediately();
              restarts += 1;
              await wait(4_000);
            }
          },
        });
        expect(report).toEqual(clean);
        expect(restarts).toBeGreaterThan(0);
      } finally {
        await server.stop();
      }
    },
  );
});
