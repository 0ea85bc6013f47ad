// Mutation test of the pure files: changes one operator, condition or value at a time and sees whether a test notices.
//
//   node scripts/mutation.mjs [--files <part of a path>] [--workers 2] [--minutes 30] [--list]
//
// All mutants of a file are built into one copy of it, each behind a switch, so that the tests are compiled once. The copy
// stands in a temporary folder; the working tree is not touched. Prose for people (strings with blanks) is not mutated.
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const option = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`);
  return at === -1 ? fallback : process.argv[at + 1];
};

/** Files without input, output, time or a framework. */
const pureConfirm = [
  'apply-step',
  'audit-chain',
  'base64-url',
  'check-editable',
  'compile-policy',
  'decide-call',
  'default-policy',
  'denied-in-turn',
  'execution',
  'find-tool',
  'outcome-messages',
  'overdue-steps',
  'pause-token',
  'pause-view',
  'prepare-call',
  'rule-match',
  'run-all',
  'sealed-token',
  'sealing-keys',
  'single-reply',
  'tool-call-decisions',
  'verdict',
].map((name) => `src/confirm/${name}.ts`);
const pureCore = readdirSync(join(root, 'src/core'))
  .filter((name) => name.endsWith('.ts') && !/\.test(?:-d)?\.ts$/.test(name) && name !== 'system.ts')
  .map((name) => `src/core/${name}`);
const tests = ['src/core/**/*.test.ts', 'src/confirm/**/*.test.ts', 'test/confirm/**/*.test.ts'];

const swaps = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&': '|',
  '|': '&',
  '^': '&',
  '<<': '>>',
  '>>': '<<',
};

/** What could be written in place of a node. */
function alternatives(node, parent, source) {
  const text = (part) => source.slice(part.start, part.end);
  switch (node.type) {
    case 'BinaryExpression':
      return swaps[node.operator] === undefined
        ? []
        : [`${text(node.left)} ${swaps[node.operator]} ${text(node.right)}`];
    case 'LogicalExpression':
      if (node.operator === '??') return [text(node.left), text(node.right)];
      return [`${text(node.left)} ${node.operator === '&&' ? '||' : '&&'} ${text(node.right)}`];
    case 'UnaryExpression':
      return node.operator === '!' || node.operator === '-' ? [text(node.argument)] : [];
    case 'ConditionalExpression':
      return [text(node.consequent), text(node.alternate)];
    case 'Literal':
      if (typeof node.value === 'boolean') return [String(!node.value)];
      if (typeof node.value === 'number') return [String(node.value + 1)];
      if (typeof node.value === 'string' && node.value !== '' && !node.value.includes(' ')) return ["'mutated'"];
      return [];
    case 'ArrayExpression':
      return node.elements.length > 0 ? ['[]'] : [];
    default:
      return [];
  }
}

const skipped = new Set([
  'ImportDeclaration',
  'ExportAllDeclaration',
  'TSInterfaceDeclaration',
  'TSTypeAliasDeclaration',
]);

/** The source with all its mutants behind switches. `number` gives the next mutant's number. */
function instrument(source, ast, number, note) {
  const edit = (node, parent, role) => {
    if (node === null || typeof node !== 'object') return '';
    const children = [];
    for (const [name, value] of Object.entries(node)) {
      if (
        name === 'typeAnnotation' ||
        name === 'returnType' ||
        name === 'typeParameters' ||
        name === 'typeArguments' ||
        name === 'superTypeArguments' ||
        name === 'implements'
      )
        continue;
      if ((name === 'key' || name === 'property') && node.computed !== true) continue;
      if (name === 'source' && node.type.startsWith('Export')) continue;
      for (const child of Array.isArray(value) ? value : [value]) {
        if (
          child !== null &&
          typeof child === 'object' &&
          typeof child.type === 'string' &&
          typeof child.start === 'number'
        )
          children.push([child, name]);
      }
    }
    children.sort((a, b) => a[0].start - b[0].start);
    let text = '';
    let at = node.start;
    for (const [child, name] of children) {
      if (child.start < at) continue;
      text += source.slice(at, child.start);
      const type = child.type;
      const skip =
        skipped.has(type) ||
        (type.startsWith('TS') && !['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression'].includes(type));
      text += skip ? source.slice(child.start, child.end) : edit(child, node, name);
      at = child.end;
    }
    text += source.slice(at, node.end);
    const list = alternatives(node, parent, source);
    if (parent?.type === 'IfStatement' && role === 'test') list.push('true', 'false');
    if (parent?.type === 'ReturnStatement' && node.type !== 'Literal' && node.type !== 'Identifier')
      list.push('undefined');
    if (list.length === 0 || (parent?.type === 'ExpressionStatement' && node.type === 'Literal')) return text;
    if (parent?.type === 'Property' && role === 'value' && parent.shorthand) return text;
    let wrapped = `(${text})`;
    for (const replacement of list) {
      const id = number();
      note(id, node, replacement);
      wrapped = `(globalThis.__mutant === ${id} ? (${replacement}) : ${wrapped})`;
    }
    return wrapped;
  };
  return source.slice(0, ast.start) + edit(ast, undefined, '') + source.slice(ast.end);
}

async function prepare(files) {
  const { parseAst } = await import('vite');
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-mutation-'));
  for (const part of [
    'src/core',
    'src/confirm',
    'src/catalog',
    'src/schema',
    'src/text',
    'src/stores',
    'src/generated',
    'src/testing',
    'src/decision',
    'src/search',
    'test/confirm',
    'test/services',
  ]) {
    cpSync(join(root, part), join(folder, part), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const mutants = [];
  for (const file of files) {
    const source = readFileSync(join(root, file), 'utf8');
    const lineOf = (offset) => source.slice(0, offset).split('\n').length;
    const text = instrument(
      source,
      parseAst(source, { lang: 'ts' }),
      () => mutants.length + 1,
      (id, node, replacement) =>
        mutants.push({ id, file, line: lineOf(node.start), from: source.slice(node.start, node.end), to: replacement }),
    );
    writeFileSync(join(folder, file), text);
  }
  writeFileSync(
    join(folder, 'setup.ts'),
    "import { readFileSync } from 'node:fs';\n(globalThis as Record<string, unknown>)['__mutant'] = Number(readFileSync(process.env['MUTANT_FILE'] ?? '', 'utf8'));\n",
  );
  return { folder, mutants };
}

/** One worker: reads mutant numbers from its input and answers each with `killed` or `survived`. */
async function work(folder) {
  const { createVitest } = await import('vitest/node');
  const mutantFile = process.env['MUTANT_FILE'];
  const vitest = await createVitest('test', {
    root: folder,
    watch: false,
    include: tests,
    setupFiles: [join(folder, 'setup.ts')],
    bail: 1,
    reporters: [{}],
    pool: 'threads',
    maxWorkers: 1,
    isolate: false,
    fileParallelism: false,
    testTimeout: 5_000,
    config: false,
    dangerouslyIgnoreUnhandledErrors: true,
  });
  const specifications = await vitest.globTestSpecifications();
  process.send('ready');
  process.on('message', async (id) => {
    writeFileSync(mutantFile, String(id));
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications, true);
    const failed = unhandledErrors.length > 0 || testModules.some((module) => !module.ok());
    process.send({ id, result: failed ? 'killed' : 'survived' });
  });
}

async function main() {
  const part = option('files', '');
  const files = [...pureCore, ...pureConfirm].filter((file) => file.includes(part));
  const { folder, mutants } = await prepare(files);
  if (process.argv.includes('--list')) {
    for (const mutant of mutants)
      console.log(
        `${mutant.id} ${mutant.file}:${mutant.line} ${JSON.stringify(mutant.from)} -> ${JSON.stringify(mutant.to)}`,
      );
    rmSync(folder, { recursive: true, force: true });
    return;
  }
  const until = Date.now() + Number(option('minutes', '30')) * 60_000;
  // In an order that is the same every time and spread over all files, so that a run cut short is still a fair sample.
  const queue = mutants.toSorted((a, b) => ((a.id * 7_919) % 10_007) - ((b.id * 7_919) % 10_007));
  const results = new Map();
  const runWorker = (number) =>
    new Promise((resolve, reject) => {
      const mutantFile = join(folder, `mutant-${number}`);
      writeFileSync(mutantFile, '0');
      let current;
      let timer;
      let baseline = number === 0 && results.size === 0;
      const child = spawn(process.execPath, [fileURLToPath(import.meta.url), '--worker', folder], {
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        env: { ...process.env, MUTANT_FILE: mutantFile },
      });
      const next = () => {
        clearTimeout(timer);
        current = baseline ? { id: 0 } : Date.now() > until ? undefined : queue.shift();
        if (current === undefined) {
          child.kill('SIGKILL');
          return;
        }
        timer = setTimeout(() => {
          // A mutant that never ends is noticed.
          results.set(current.id, 'killed');
          child.kill('SIGKILL');
        }, 60_000);
        child.send(current.id);
      };
      child.on('message', (message) => {
        if (message !== 'ready') {
          if (baseline) {
            baseline = false;
            if (message.result === 'killed') {
              queue.length = 0;
              reject(new Error('The tests fail without a mutant.'));
            }
          } else results.set(message.id, message.result);
          if (results.size % 50 === 0) console.error(`${results.size} of ${mutants.length}`);
        }
        next();
      });
      child.once('exit', () => {
        clearTimeout(timer);
        if (queue.length > 0 && Date.now() < until) runWorker(number).then(resolve, reject);
        else resolve();
      });
    });
  await runWorker0(runWorker, Number(option('workers', '2')));
  rmSync(folder, { recursive: true, force: true });
  report(mutants, results);
}

async function runWorker0(runWorker, count) {
  await Promise.all(Array.from({ length: count }, (_, number) => runWorker(number)));
}

function report(mutants, results) {
  const byFile = new Map();
  for (const mutant of mutants) {
    const result = results.get(mutant.id);
    if (result === undefined) continue;
    const entry = byFile.get(mutant.file) ?? { killed: 0, survived: 0 };
    entry[result] += 1;
    byFile.set(mutant.file, entry);
    if (result === 'survived')
      console.log(
        `survived ${mutant.file}:${mutant.line} ${JSON.stringify(mutant.from.slice(0, 90))} -> ${JSON.stringify(mutant.to.slice(0, 60))}`,
      );
  }
  let killed = 0;
  let all = 0;
  for (const [file, entry] of [...byFile].sort()) {
    killed += entry.killed;
    all += entry.killed + entry.survived;
    console.log(`${file}: ${entry.killed} of ${entry.killed + entry.survived}`);
  }
  const score = (100 * killed) / Math.max(1, all);
  console.log(`Mutation score ${score.toFixed(1)} % (${killed} of ${all} tried, ${mutants.length} in all)`);
  if (score < 85) process.exitCode = 1;
}

mkdirSync(tmpdir(), { recursive: true });
if (process.argv.includes('--worker')) await work(process.argv[process.argv.indexOf('--worker') + 1]);
else await main();
