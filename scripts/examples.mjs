// Runs every example that checks itself. One that needs packages of its own has a package.json beside it; without a lock its
// packages are those of test/adapters, whose tests run it.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { install, projectNode, root, run, script } from './setup.mjs';

script(() => {
  const folder = join(root, 'examples');
  let failed = 0;
  for (const name of readdirSync(folder).toSorted()) {
    const main = ['main.ts', 'main.mjs'].map((file) => join(folder, name, file)).find((file) => existsSync(file));
    if (main === undefined) continue;
    const hasOwnPackages = existsSync(join(folder, name, 'package.json'));
    if (hasOwnPackages && !existsSync(join(folder, name, 'package-lock.json'))) continue;
    if (hasOwnPackages) install(join(folder, name), console.log);
    const code = run(projectNode(), [main], { cwd: join(folder, name) });
    console.log(`${code === 0 ? '✓' : '✗'} examples/${name}`);
    if (code !== 0) failed += 1;
  }
  return failed === 0 ? 0 : 1;
});
