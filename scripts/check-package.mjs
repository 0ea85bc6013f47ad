// Checks what is published: packs the built package, unpacks it into an empty project with its dependencies and none of its
// peers, loads every entry alone, checks types under three compilers, and asks publint and are-the-types-wrong. Compares the
// public surface with the reports in api/, and looks for files, dependencies and exports that nothing uses.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { staleReports } from './api-reports.mjs';
import { linkPackage } from './link-package.mjs';
import { environment, install, projectNode, root, script } from './setup.mjs';

const tools = join(root, 'test', 'package');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const entries = Object.keys(manifest.exports).filter((name) => name !== './package.json');
/** The one entry that is about a test runner, and is loaded beside it. */
const specifier = (entry) => `toolgate${entry.slice(1)}`;

let failed = 0;
function check(name, run) {
  const problem = run();
  console.log(`${problem === undefined ? '✓' : '✗'} ${name}${problem === undefined ? '' : `\n${problem}`}`);
  if (problem !== undefined) failed += 1;
}

function output(command, args, cwd) {
  const result = spawnSync(command, args, { cwd, encoding: 'utf8', env: environment() });
  return result.status === 0 ? undefined : `${result.stdout}${result.stderr}`.trim();
}

/** All packages that a dependency needs, as npm has them at the root. */
function dependencies(names, found = new Set()) {
  for (const name of names) {
    const folder = join(root, 'node_modules', name);
    if (found.has(name) || !existsSync(folder)) continue;
    found.add(name);
    const inner = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    dependencies(Object.keys({ ...inner.dependencies, ...inner.peerDependencies }), found);
  }
  return found;
}

script(() => {
  install(tools, console.log);
  check('nothing unused or unlisted', () =>
    // The settings of the build lead from the entries in dist to their sources.
    output(
      projectNode(),
      [join(tools, 'node_modules', 'knip', 'bin', 'knip.js'), '--no-progress', '--tsConfig', 'tsconfig.build.json'],
      root,
    ),
  );
  check('public surface as in api/', staleReports);
  const consumer = mkdtempSync(join(tmpdir(), 'toolgate-consumer-'));
  try {
    const modules = join(consumer, 'node_modules');
    mkdirSync(modules, { recursive: true });
    const packed = linkPackage(consumer);
    for (const name of dependencies(Object.keys(manifest.dependencies))) {
      mkdirSync(dirname(join(modules, name)), { recursive: true });
      symlinkSync(join(root, 'node_modules', name), join(modules, name), 'junction');
    }
    cpSync(join(tools, 'node_modules', '@types', 'node'), join(modules, '@types', 'node'), { recursive: true });
    cpSync(join(tools, 'node_modules', 'undici-types'), join(modules, 'undici-types'), { recursive: true });
    writeFileSync(join(consumer, 'package.json'), JSON.stringify({ type: 'module' }));

    check('holds no tests, sources or machine paths', () => {
      const files = readdirSync(packed, { recursive: true }).map(String);
      const wrong = files.filter((file) => /\.test\.|test-d|\.tsx?$/.test(file) && !file.endsWith('.d.ts'));
      const paths = files.filter(
        (file) => /\.(?:js|json|ts|map)$/.test(file) && readFileSync(join(packed, file), 'utf8').includes(root),
      );
      return wrong.length + paths.length === 0 ? undefined : [...wrong, ...paths].join('\n');
    });
    for (const entry of entries) {
      check(`${specifier(entry)} loads alone, without any peer`, () =>
        output(
          projectNode(),
          ['--input-type=module', '-e', `await import(${JSON.stringify(specifier(entry))})`],
          consumer,
        ),
      );
    }
    const uses = entries.map(
      (entry, index) => `import * as entry${index} from '${specifier(entry)}';\nvoid entry${index};`,
    );
    writeFileSync(join(consumer, 'use.ts'), `${uses.join('\n')}\n`);
    const compilers = {
      'TypeScript 5.9': 'typescript59',
      'TypeScript 6': 'typescript6',
      'TypeScript 7': 'typescript7',
    };
    for (const [name, folder] of Object.entries(compilers)) {
      check(`types for a consumer, ${name}`, () =>
        output(
          projectNode(),
          [
            join(tools, 'node_modules', folder, 'bin', 'tsc'),
            '--noEmit',
            '--strict',
            '--target',
            'es2023',
            '--lib',
            'es2024,dom',
            '--module',
            'nodenext',
            '--moduleResolution',
            'nodenext',
            '--types',
            'node',
            '--skipLibCheck',
            'false',
            'use.ts',
          ],
          consumer,
        ),
      );
    }
    check('publint', () =>
      output(projectNode(), [join(tools, 'node_modules', 'publint', 'src', 'cli.js'), packed, '--strict'], root),
    );
    check('are the types wrong', () =>
      output(
        projectNode(),
        [
          join(tools, 'node_modules', '@arethetypeswrong', 'cli', 'dist', 'index.js'),
          '--pack',
          packed,
          '--profile',
          'esm-only',
        ],
        root,
      ),
    );
  } finally {
    rmSync(consumer, { recursive: true, force: true });
  }
  return failed === 0 ? 0 : 1;
});
