// `npm run demo`: installs, builds, and plays a whole conversation against real servers in the terminal. Needs no key.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, install, projectNode, root, run, script } from './setup.mjs';

script(async () => {
  install();
  build();
  const { referenceServers } = await import('./reference-servers.mjs');
  mkdirSync(join(root, '.toolgate'), { recursive: true });
  const files = mkdtempSync(join(root, '.toolgate', 'demo-'));
  try {
    const mcpServers = referenceServers(realpathSync(projectNode()), files);
    const config = join(files, 'toolgate.config.json');
    writeFileSync(config, JSON.stringify({ mcpServers }));
    return run(projectNode(), [join(root, 'bin', 'toolgate.js'), 'demo', '--config', config, '--files', files]);
  } finally {
    rmSync(files, { recursive: true, force: true });
  }
});
