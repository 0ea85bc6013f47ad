// `npm test`: everything that must hold before a change lands, cheap checks first. Ends with `N passed, N failed`.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { linkPackage } from './link-package.mjs';
import { build, install, projectNode, root, run, script } from './setup.mjs';

const binary = (name) => join(root, 'node_modules', '.bin', name);
const report = join(root, 'reports', 'unit.json');
const adapters = join(root, 'test', 'adapters');
const adaptersReport = join(root, 'reports', 'adapters.json');

function step(name, action) {
  console.log(`\n── ${name}`);
  const started = Date.now();
  const ok = action() === 0;
  console.log(`   ${ok ? 'ok' : 'FAILED'} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  return ok;
}

function counts(file) {
  if (!existsSync(file)) return { passed: 0, failed: 1, skipped: 0 };
  const result = JSON.parse(readFileSync(file, 'utf8'));
  const unhandled = result.success === false && result.numFailedTests === 0 ? 1 : 0;
  return {
    passed: result.numPassedTests,
    failed: result.numFailedTests + unhandled,
    skipped: result.numPendingTests + (result.numTodoTests ?? 0),
  };
}

script(() => {
  install();
  rmSync(join(root, 'reports'), { recursive: true, force: true });
  mkdirSync(join(root, 'reports'), { recursive: true });
  const steps = [
    step('format', () => run(binary('oxfmt'), ['--check', '.'])),
    step('lint', () => run(binary('oxlint'), ['--type-aware'])),
    // The examples import the package by its name, so it must be built before their types can be checked.
    step('build', () => (build(console.log, true), 0)),
    step('types', () => run(binary('tsc'), ['--noEmit'])),
    step('tests', () =>
      run(projectNode(), [
        join(root, 'node_modules', 'vitest', 'vitest.mjs'),
        'run',
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${report}`,
      ]),
    ),
  ];
  steps.push(step('package', () => run(projectNode(), [join(root, 'scripts', 'check-package.mjs')])));
  const results = [counts(report)];
  if (existsSync(join(adapters, 'package.json'))) {
    install(adapters, console.log);
    linkPackage(adapters);
    steps.push(
      step('adapters', () =>
        run(
          projectNode(),
          [
            join(adapters, 'node_modules', 'vitest', 'vitest.mjs'),
            'run',
            '--reporter=default',
            '--reporter=json',
            `--outputFile.json=${adaptersReport}`,
          ],
          {
            cwd: adapters,
          },
        ),
      ),
    );
    results.push(counts(adaptersReport));
  }
  if (existsSync(process.env.TOOLGATE_DATA ?? join(root, '..', 'shared', 'data'))) {
    const training = join(root, 'training');
    install(training, console.log);
    steps.push(
      step('training, on one hundredth of the data', () => run(projectNode(), ['smoke.ts'], { cwd: training })),
    );
  } else {
    console.log('\n── training: skipped, the data sets are not here (TOOLGATE_DATA)');
  }
  if (existsSync(join(root, 'scripts', 'examples.mjs'))) {
    steps.push(step('examples', () => run(projectNode(), [join(root, 'scripts', 'examples.mjs')])));
  }
  const sum = (field) => results.reduce((total, result) => total + result[field], 0);
  const failedSteps = steps.filter((ok) => !ok).length;
  const failed = Math.max(sum('failed'), failedSteps);
  console.log(`\n${sum('passed')} passed, ${failed} failed, ${sum('skipped')} skipped`);
  return failed === 0 && failedSteps === 0 ? 0 : 1;
});
