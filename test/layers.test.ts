import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const source = resolve(dirname(fileURLToPath(import.meta.url)), '../src');

/** What each folder may import, beside itself. The one place where the directions stand as data. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  core: [],
  schema: ['core'],
  text: ['core'],
  index: ['core', 'text'],
  catalog: ['core', 'schema'],
  decision: ['core'],
  search: ['core', 'text', 'index', 'catalog', 'decision'],
  relevance: ['core', 'text', 'index', 'decision', 'search'],
  select: ['core', 'schema', 'text', 'index', 'catalog', 'decision', 'search', 'relevance'],
  confirm: ['core', 'schema', 'catalog', 'text'],
  gate: ['core', 'schema', 'text', 'index', 'catalog', 'decision', 'search', 'relevance', 'select', 'confirm'],
  stores: ['core', 'confirm', 'generated'],
  generated: [],
  models: ['core', 'decision'],
  telemetry: ['core'],
  adapters: ['core', 'schema', 'text', 'catalog', 'decision', 'search', 'select', 'confirm', 'gate'],
  assistant: ['core', 'schema', 'catalog', 'confirm', 'select', 'search', 'gate'],
  eval: ['core', 'schema', 'text', 'index', 'catalog', 'decision', 'search', 'relevance', 'select', 'gate'],
  testing: ['core', 'decision', 'search', 'confirm'],
  inbox: ['core', 'text', 'catalog', 'search', 'select', 'confirm', 'gate'],
  gateway: [
    'core',
    'schema',
    'text',
    'index',
    'catalog',
    'decision',
    'search',
    'relevance',
    'select',
    'confirm',
    'gate',
    'adapters',
    'stores',
    'inbox',
    'config',
    'telemetry',
    'models',
  ],
  config: ['core', 'catalog', 'decision', 'confirm', 'select'],
  cli: [
    'core',
    'schema',
    'text',
    'index',
    'catalog',
    'decision',
    'search',
    'relevance',
    'select',
    'confirm',
    'gate',
    'adapters',
    'assistant',
    'eval',
    'stores',
    'models',
    'inbox',
    'gateway',
    'config',
    'telemetry',
    'testing',
  ],
};

/** Folders of which `testing` and the stores may see ports and plain types only. */
const portFiles = /(?:^|\/)(?:port|types|[a-z-]*-port|decisions)\.ts$/;

interface SourceFile {
  readonly path: string;
  readonly folder: string;
  readonly text: string;
  readonly imports: readonly string[];
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.name === 'node_modules' || entry.name.startsWith('.')) return [];
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

function importsOf(text: string): string[] {
  const found: string[] = [];
  for (const match of text.matchAll(/(?:^|\n)\s*(?:import|export)\b[^;'"]*?from\s*['"]([^'"]+)['"]/g))
    found.push(match[1] as string);
  for (const match of text.matchAll(/(?:^|\n)\s*import\s*['"]([^'"]+)['"]/g)) found.push(match[1] as string);
  for (const match of text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]\s*\)/g)) found.push(match[1] as string);
  return found;
}

const all: SourceFile[] = filesBelow(source)
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => {
    const name = relative(source, path).split(sep).join('/');
    const text = readFileSync(path, 'utf8');
    return {
      path: name,
      folder: name.includes('/') ? (name.split('/')[0] as string) : '.',
      text,
      imports: importsOf(text),
    };
  });
const shipped = all.filter(({ path }) => !/\.(?:test|test-d)\.tsx?$/.test(path));

function targetOf(file: SourceFile, specifier: string): string {
  return relative(source, resolve(source, dirname(file.path), specifier))
    .split(sep)
    .join('/');
}

describe('the layout', () => {
  it('has no folder without a rule', () => {
    const folders = new Set(shipped.map(({ folder }) => folder).filter((folder) => folder !== '.'));
    expect([...folders].filter((folder) => !Object.hasOwn(allowed, folder))).toEqual([]);
  });

  it('lets each folder import only what stands below it', () => {
    const wrong: string[] = [];
    for (const file of shipped) {
      if (file.folder === '.') continue;
      for (const specifier of file.imports) {
        if (!specifier.startsWith('.')) continue;
        const target = targetOf(file, specifier).split('/')[0] as string;
        if (target !== file.folder && !(allowed[file.folder] ?? []).includes(target))
          wrong.push(`${file.path} imports ${specifier}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('lets stores, models and published test suites see ports only', () => {
    const wrong: string[] = [];
    for (const file of shipped) {
      if (!['stores', 'models', 'testing'].includes(file.folder)) continue;
      for (const specifier of file.imports) {
        if (!specifier.startsWith('.')) continue;
        const target = targetOf(file, specifier);
        const folder = target.split('/')[0] as string;
        if (folder === file.folder || folder === 'core' || folder === 'generated') continue;
        if (file.folder === 'models' && folder === 'decision') continue;
        if (file.folder === 'stores' && folder === 'confirm') continue;
        if (!portFiles.test(target)) wrong.push(`${file.path} imports ${specifier}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('keeps the core free of input, output, time and frameworks, but for the one file that provides them', () => {
    const wrong = shipped
      .filter(({ folder, path }) => folder === 'core' && path !== 'core/system.ts')
      .flatMap((file) => [
        ...file.imports
          .filter((name) => !name.startsWith('./') && !name.startsWith('@noble/hashes/'))
          .map((name) => `${file.path} imports ${name}`),
        ...['Date.now(', 'setTimeout(', 'setInterval(', 'performance.now(', 'Math.random(', 'process.']
          .filter((word) => file.text.includes(word))
          .map((word) => `${file.path} uses ${word}`),
      ]);
    expect(wrong).toEqual([]);
  });

  it('reads the environment in the command line, the configuration and one documented file only', () => {
    const readers = shipped.filter(({ text }) => /process\.env|process\[['"]env/.test(text)).map(({ path }) => path);
    expect(readers.filter((path) => !/^(?:cli|config)\//.test(path) && path !== 'models/environment.ts')).toEqual([]);
  });

  it('reaches no Node module and no peer from the main entry', () => {
    const byPath = new Map(shipped.map((file) => [file.path, file]));
    const seen = new Set<string>();
    const wrong: string[] = [];
    const visit = (path: string): void => {
      const file = byPath.get(path);
      if (file === undefined || seen.has(path)) return;
      seen.add(path);
      for (const specifier of file.imports) {
        if (specifier.startsWith('.')) visit(targetOf(file, specifier));
        else if (!/^(?:@noble\/hashes\/|@cfworker\/json-schema$|snowball-stemmers$)/.test(specifier))
          wrong.push(`${path} imports ${specifier}`);
      }
    };
    visit('index.ts');
    expect(seen.size).toBeGreaterThan(0);
    expect(wrong).toEqual([]);
  });

  it('keeps every file to 400 lines, generated ones aside', () => {
    const root = resolve(source, '..');
    const long = ['src', 'test', 'scripts', 'examples', 'bench', 'training']
      .filter((folder) => existsSync(join(root, folder)))
      .flatMap((folder) => filesBelow(join(root, folder)))
      .filter((path) => /\.(?:tsx?|mjs)$/.test(path) && !path.includes('/generated/'))
      .map((path) => ({ path: relative(root, path), lines: readFileSync(path, 'utf8').split('\n').length - 1 }))
      .filter(({ lines }) => lines > 400);
    expect(long).toEqual([]);
  });

  it('has an index.ts at package entries only', () => {
    const manifest = JSON.parse(readFileSync(resolve(source, '../package.json'), 'utf8')) as {
      exports: Record<string, string | { types: string }>;
    };
    const entries = new Set(
      Object.values(manifest.exports).flatMap((entry) =>
        typeof entry === 'string' ? [] : [entry.types.replace(/^\.\/dist\//, '').replace(/\.d\.ts$/, '.ts')],
      ),
    );
    expect(
      shipped.filter(({ path }) => /(?:^|\/)index\.ts$/.test(path) && !entries.has(path)).map(({ path }) => path),
    ).toEqual([]);
    expect([...entries].filter((entry) => !shipped.some(({ path }) => path === entry))).toEqual([]);
  });
});
