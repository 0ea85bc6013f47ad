import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { cycleFaultPoints } from '../../src/testing/fault-points.ts';
import { startPostgres } from '../services/postgres-server.ts';
import { crashTest } from './crash.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolgate-crash-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const perPoint = process.env['TOOLGATE_LONG'] === '1' ? 46 : 3;
const kills = perPoint * cycleFaultPoints.length;
const clean = {
  kills,
  doubleExecutions: 0,
  lostDecisions: 0,
  lostPauses: 0,
  illegalStates: 0,
  wronglyUnknown: 0,
  auditProblems: 0,
};
const unknown = perPoint * 5;

describe(`${kills} processes killed at every fault point`, () => {
  it('run nothing twice and lose nothing, with SQLite', { timeout: 1_800_000 }, async () => {
    const report = await crashTest(`sqlite:${join(folder, 'store.db')}`, join(folder, 'sqlite-journal'), perPoint);
    expect(report).toEqual({ ...clean, unknown });
  });

  it('run nothing twice and lose nothing, with Postgres', { timeout: 1_800_000 }, async () => {
    const server = await startPostgres();
    try {
      const report = await crashTest(await server.createDatabase(), join(folder, 'postgres-journal'), perPoint);
      expect(report).toEqual({ ...clean, unknown });
    } finally {
      await server.stop();
    }
  });
});
