import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';

/**
 * Goes through the whole pipeline on a hundredth of the data and checks what comes out. Says nothing about quality: that is for the full run.
 */
const directory = mkdtempSync(`${tmpdir()}/toolgate-training-`);
try {
  const run = spawnSync(
    process.execPath,
    [
      fileURLToPath(new URL('main.ts', import.meta.url)),
      '--share',
      '0.01',
      '--out',
      directory,
      '--results',
      `${directory}/results.json`,
    ],
    {
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  check(run.status === 0, `training ended with ${run.status}`);
  const results = JSON.parse(readFileSync(`${directory}/results.json`, 'utf8')) as {
    mean: { full: Record<string, number> };
    sets: Record<string, unknown>;
  };
  check(Object.keys(results.sets).length === 8, 'eight sets were measured');
  for (const [name, value] of Object.entries(results.mean.full)) check(Number.isFinite(value), `${name} is a number`);
  check((results.mean.full['ndcg10'] ?? 0) > 50, 'even a hundredth of the data ranks better than chance');
  check(statSync(`${directory}/vectors.ts`).size < 4_000_000, 'the vectors are below 4 MB');
  check(
    readFileSync(`${directory}/coefficients.ts`, 'utf8').includes('lateLast'),
    'the coefficients have vector features',
  );
  console.log('smoke: all steps work');
} finally {
  rmSync(directory, { recursive: true, force: true });
}

function check(holds: boolean, what: string): void {
  if (!holds) throw new Error(`smoke: not true that ${what}`);
}
