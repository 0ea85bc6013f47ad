// Puts the packed package where the adapters' tests find it as `toolgate`, with the frameworks of that folder as its
// peers: what is tested is what is published.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root, script } from './setup.mjs';

/** Packs the built package and unpacks it into `folder/node_modules/toolgate`. */
export function linkPackage(folder) {
  const target = join(folder, 'node_modules', 'toolgate');
  const packed = spawnSync(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--pack-destination', join(folder, 'node_modules')],
    {
      cwd: root,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    },
  );
  if (packed.status !== 0) throw new Error(`npm pack failed: ${packed.stderr}`);
  const listing = JSON.parse(packed.stdout);
  const { filename } = Array.isArray(listing) ? listing[0] : Object.values(listing)[0];
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const archive = join(folder, 'node_modules', filename);
  const unpacked = spawnSync('tar', ['-xzf', archive, '-C', target, '--strip-components=1'], { encoding: 'utf8' });
  if (unpacked.status !== 0) throw new Error(`Could not unpack ${archive}: ${unpacked.stderr}`);
  rmSync(archive);
  return target;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  script(() => {
    linkPackage(join(root, 'test', 'adapters'));
  });
}
