// `npm run api`: writes api/<entry>.api.md, what each entry of the package declares, so that a change of the public
// surface is a change in git. With `--check` it writes nothing and fails when a report is not what the build declares.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, install, root, script } from './setup.mjs';

const tools = join(root, 'test', 'package');
const folder = join(root, 'api');
const mainReport = 'toolgate.api.md';
/** Lines of a difference that `--check` prints for each report. */
const shownLines = 30;

/** Name of the report and declarations of each entry, the main entry first. */
function entries() {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return Object.entries(manifest.exports)
    .filter(([entry]) => entry !== './package.json')
    .map(([entry, { types }]) => ({
      file: entry === '.' ? mainReport : `${entry.slice(2).replaceAll('/', '-')}.api.md`,
      specifier: `toolgate${entry.slice(1)}`,
      declarations: join(root, types),
    }));
}

function configuration(ExtractorConfig, { file, declarations }, all, scratch) {
  const silent = { default: { logLevel: 'none' } };
  return ExtractorConfig.prepare({
    packageJsonFullPath: join(root, 'package.json'),
    configObjectFullPath: undefined,
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: declarations,
      // Types that an entry mentions without exporting them belong to what a consumer compiles against.
      apiReport: {
        enabled: true,
        includeForgottenExports: true,
        reportFileName: file,
        reportFolder: scratch,
        reportTempFolder: join(scratch, 'compared'),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      newlineKind: 'lf',
      compiler: {
        overrideTsconfig: {
          compilerOptions: {
            target: 'es2023',
            lib: ['es2024'],
            module: 'nodenext',
            moduleResolution: 'nodenext',
            strict: true,
            exactOptionalPropertyTypes: true,
            allowImportingTsExtensions: true,
            skipLibCheck: true,
            noEmit: true,
            jsx: 'react-jsx',
            jsxImportSource: 'hono/jsx',
            types: ['node'],
          },
          files: all,
        },
      },
      messages: {
        compilerMessageReporting: { default: { logLevel: 'error' } },
        extractorMessageReporting: silent,
        tsdocMessageReporting: silent,
      },
    },
  });
}

/** The declarations of a report, each with the comments before it. */
function blocksOf(report) {
  return report
    .slice(report.indexOf('```ts\n') + '```ts\n'.length, report.lastIndexOf('\n```'))
    .split('\n\n')
    .map((block) => block.trim())
    .filter((block) => block !== '' && !block.startsWith('// (No @packageDocumentation'));
}

/** Whether something is documented is not part of its shape. */
function withoutMarks(block) {
  return block
    .split('\n')
    .filter((line) => line.trim() !== '// (undocumented)')
    .join('\n')
    .replace(/^\/\/ @(\w+) \(undocumented\)$/m, '// @$1');
}

const withoutExport = (block) => block.replace(/^export (?!\{)/m, '');

function render(specifier, blocks, known) {
  const own = blocks.filter((block) => !known.has(block));
  const note = known.size === 0 ? '' : `, but for those that ${mainReport} lists alike`;
  return `# Public surface of \`${specifier}\`

Written by \`npm run api\`. Declarations without \`export\` are types that the exported ones mention${note}.

\`\`\`ts
${own.join('\n\n')}
\`\`\`
`;
}

/** The text of every report by its file name, from the declarations in `dist`. */
function reports() {
  const { CompilerState, Extractor, ExtractorConfig } = createRequire(join(tools, 'package.json'))(
    '@microsoft/api-extractor',
  );
  const scratch = mkdtempSync(join(tmpdir(), 'toolgate-api-'));
  try {
    const all = entries();
    const files = all.map(({ declarations }) => declarations);
    const configurations = all.map((entry) => configuration(ExtractorConfig, entry, files, scratch));
    const compilerState = CompilerState.create(configurations[0], { additionalEntryPoints: files.slice(1) });
    const texts = new Map();
    const known = new Set();
    for (const [index, { file, specifier }] of all.entries()) {
      const problems = [];
      Extractor.invoke(configurations[index], {
        localBuild: true,
        compilerState,
        messageCallback(message) {
          if (message.logLevel === 'error') problems.push(message.text);
          message.handled = true;
        },
      });
      if (problems.length > 0) throw new Error(`The declarations of ${specifier} do not hold:\n${problems.join('\n')}`);
      const blocks = blocksOf(readFileSync(join(scratch, file), 'utf8')).map(withoutMarks);
      texts.set(file, render(specifier, blocks, known));
      if (file === mainReport) for (const block of blocks) known.add(withoutExport(block));
    }
    return texts;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function difference(file, text) {
  const scratch = mkdtempSync(join(tmpdir(), 'toolgate-api-'));
  try {
    const fresh = join(scratch, file);
    writeFileSync(fresh, text);
    const shown = spawnSync('git', ['diff', '--no-index', '--no-color', '-U1', join(folder, file), fresh], {
      encoding: 'utf8',
    });
    const lines = (shown.stdout ?? '').split('\n').slice(4);
    return lines.length > shownLines ? [...lines.slice(0, shownLines), '…'].join('\n') : lines.join('\n');
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** What is stale in `api/`, or undefined. Reads `dist` as it is. */
export function staleReports() {
  const texts = reports();
  const stored = existsSync(folder) ? readdirSync(folder) : [];
  const problems = stored.filter((file) => !texts.has(file)).map((file) => `api/${file} belongs to no entry`);
  for (const [file, text] of texts) {
    if (!stored.includes(file)) problems.push(`api/${file} is missing`);
    else if (readFileSync(join(folder, file), 'utf8') !== text) {
      problems.push(`api/${file} is stale\n${difference(file, text)}`);
    }
  }
  if (problems.length === 0) return undefined;
  return `${problems.join('\n')}\nThe public surface has changed. If that is meant, run \`npm run api\` and commit api/.`;
}

/** Writes the reports anew, and returns the exit code. */
function writeReports() {
  const texts = reports();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of texts) writeFileSync(join(folder, file), text);
  console.log(`Wrote ${texts.size} reports to api/.`);
  return 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  script(() => {
    install(tools, console.log);
    build();
    if (!process.argv.includes('--check')) return writeReports();
    const stale = staleReports();
    console.log(stale ?? 'The reports in api/ are what the build declares.');
    return stale === undefined ? 0 : 1;
  });
}
