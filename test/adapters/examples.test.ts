import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const here = fileURLToPath(new URL('.', import.meta.url));
const examples = join(here, '..', '..', 'examples');
/** Examples whose frameworks are installed in this folder and nowhere else. */
const names = readdirSync(examples).filter(
  (name) =>
    existsSync(join(examples, name, 'main.mjs')) &&
    existsSync(join(examples, name, 'package.json')) &&
    !existsSync(join(examples, name, 'package-lock.json')),
);

describe.skipIf(process.env['TOOLGATE_FROM_SOURCE'] === '1')('examples', () => {
  it.each(names)(
    '%s does what it says',
    async (name) => {
      // Beside the installed frameworks, so that the example finds them and the packed package.
      const folder = await mkdtemp(join(here, '.example-'));
      try {
        for (const file of await readdir(join(examples, name)))
          if (file.endsWith('.mjs')) await cp(join(examples, name, file), join(folder, file));
        const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'main.mjs')]);
        expect(stdout).not.toBe('');
        if (name === 'twice') expect(stdout.match(/bare 2 {3}with toolgate 1/g)).toHaveLength(5);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
    60_000,
  );
});
