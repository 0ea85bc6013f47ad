// Installs and builds when needed, with whatever Node started it (18 or newer); everything else runs on the Node that
// the project brings. Imported by start, test and demo, so that each of them works on a fresh clone.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const windows = process.platform === 'win32';

/** Runs a program of the project and returns its exit code; output goes straight through. */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    shell: windows,
    env: environment(),
    ...options,
  });
  if (result.error) throw new Error(`Could not run ${command}: ${result.error.message}`);
  return result.status ?? 1;
}

/** The environment with the project's own programs first on the path. */
export function environment() {
  const separator = windows ? ';' : ':';
  return { ...process.env, PATH: `${join(root, 'node_modules', '.bin')}${separator}${process.env.PATH ?? ''}` };
}

/** The project's own Node. */
export function projectNode() {
  return join(root, 'node_modules', '.bin', windows ? 'node.cmd' : 'node');
}

function digestOf(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

/** `npm ci` in a folder unless what is installed there belongs to its lock file. */
export function install(folder = root, log = console.error) {
  const lock = join(folder, 'package-lock.json');
  const mark = join(folder, 'node_modules', '.installed');
  const wanted = digestOf(lock);
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return;
  log(`Installing the packages of ${folder === root ? 'toolgate' : folder.slice(root.length + 1)} (npm ci) …`);
  const started = Date.now();
  // Engine notices about the Node that runs npm are not the user's business: the scripts run on the project's own Node.
  const status = run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 2, 'inherit'],
  });
  if (status !== 0) throw new Error(`npm ci failed in ${folder} (exit code ${status}). Its output above says why.`);
  writeFileSync(mark, wanted);
  log(`Installed in ${Math.round((Date.now() - started) / 1000)} s.`);
}

function newestChange(folder) {
  let newest = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    newest = Math.max(newest, entry.isDirectory() ? newestChange(path) : statSync(path).mtimeMs);
  }
  return newest;
}

/** Compiles the sources when they changed since the last time. */
export function build(log = console.error, force = false) {
  const mark = join(root, 'dist', '.built');
  const changed = Math.max(newestChange(join(root, 'src')), statSync(join(root, 'tsconfig.build.json')).mtimeMs);
  if (!force && existsSync(mark) && statSync(mark).mtimeMs > changed) return;
  log('Building …');
  // What an earlier build left of files that are gone must not be published.
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  const status = run(projectNode(), [
    join(root, 'node_modules', 'typescript', 'bin', 'tsc'),
    '-p',
    'tsconfig.build.json',
  ]);
  if (status !== 0) throw new Error('The sources do not compile; the output above says where.');
  mkdirSync(dirname(mark), { recursive: true });
  writeFileSync(mark, '');
}

/** Runs `main` and turns what it throws into one line and exit code 1. */
export function script(main) {
  Promise.resolve()
    .then(main)
    .then((code) => {
      process.exitCode = code ?? 0;
    })
    .catch((error) => {
      console.error(error instanceof Error ? error.message : error);
      process.exitCode = 1;
    });
}
