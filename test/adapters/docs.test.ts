import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it('the table of adapters says what the stored results say', async () => {
  const script = fileURLToPath(new URL('write-table.mjs', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script, '--check']);
  expect(stdout).toMatch(/ 0 failed, table up to date/);
});
