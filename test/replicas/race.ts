import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { forEachPause } from '../../src/confirm/for-each-pause.ts';
import { verifyAudit } from '../../src/confirm/verify-audit.ts';
import { openStore } from './open-store.ts';

/** What came of many processes on one store. */
export interface RaceReport {
  readonly runs: number;
  readonly doubleExecutions: number;
  /** Replies that no process ran. */
  readonly lost: number;
  readonly pauses: number;
  readonly settled: number;
  readonly auditProblems: number;
}

const child = join(fileURLToPath(new URL('.', import.meta.url)), 'race-child.ts');

/** Starts the processes, lets `disturb` do its worst until they have ended, and counts. */
export async function raceTest(
  address: string,
  journal: string,
  options: {
    readonly processes: number;
    readonly pauses: number;
    readonly disturb?: (running: () => boolean) => Promise<void>;
  },
): Promise<RaceReport> {
  const store = openStore(address);
  await store.list({ limit: 1 });
  let running = options.processes;
  const children = Array.from({ length: options.processes }, (_, index) =>
    runChild([address, journal, String(options.pauses), String(index), String(options.processes)]).finally(() => {
      running -= 1;
    }),
  );
  await Promise.all([...children, options.disturb?.(() => running > 0)]);
  const counts = new Map<string, number>();
  if (existsSync(journal)) {
    for (const name of readFileSync(journal, 'utf8').split('\n'))
      if (name !== '') counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  let settled = 0;
  const pauses = await forEachPause(store, {}, (pause) => {
    if (pause.state === 'settled') settled += 1;
  });
  const report = {
    runs: [...counts.values()].reduce((sum, count) => sum + count, 0),
    doubleExecutions: [...counts.values()].filter((count) => count > 1).length,
    lost: options.pauses - counts.size,
    pauses,
    settled,
    auditProblems: (await verifyAudit(store)).problems.length,
  };
  await store.close();
  return report;
}

function runChild(args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const process_ = spawn(process.execPath, [child, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
    let errors = '';
    process_.stderr.on('data', (data: Buffer) => (errors += data.toString()));
    process_.once('error', reject);
    process_.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`A process ended with code ${code}: ${errors}`)),
    );
  });
}
