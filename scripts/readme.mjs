// Puts checked code and printed output where the README says: each marker comment is followed by the block it fills.
//   <!-- code: FILE#REGION -->      a region of an example that is run
//   <!-- figures -->, <!-- twice -->    from the pages that programs wrote
//   <!-- output: demo -->               what `npm run demo` prints (only with --demo)
import { readFileSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build, environment, install, projectNode, root, script } from './setup.mjs';

function region(file, name) {
  const text = readFileSync(join(root, file), 'utf8');
  const match = new RegExp(`// #region ${name}\\n([\\s\\S]*?)\\n// #endregion`).exec(text);
  if (match === null) throw new Error(`${file} has no region ${name}.`);
  return match[1].trim();
}

function demoOutput() {
  install();
  build();
  const { status, stdout } = spawnSync(projectNode(), [join(root, 'scripts', 'demo.mjs')], {
    cwd: root,
    encoding: 'utf8',
    env: environment(),
  });
  if (status !== 0) throw new Error('The demo failed.');
  return stdout.slice(stdout.indexOf('Starting ')).trim();
}

/** The rows of a table by the text of their first cell, each with its cells by the text of their column's header. */
function rows(file, table) {
  const text = readFileSync(join(root, file), 'utf8');
  const block = new RegExp(`<!-- table:${table} -->([\\s\\S]*?)<!-- end -->`).exec(text);
  if (block === null) throw new Error(`${file} has no table ${table}.`);
  const lines = block[1].split('\n').filter((line) => line.startsWith('|') && !line.startsWith('| ---'));
  const cells = lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('*', '')),
  );
  const [header, ...body] = cells;
  return new Map(body.map((row) => [row[0], new Map(row.map((cell, column) => [header[column], cell]))]));
}

/** What the README says of quality, taken from the pages that programs wrote. */
function figures() {
  const heldOut = (column) => cell('heldout', 'mean', column);
  const peer = (name, column) => cell('peers', name, column);
  const names = ['toolgate BM25', 'toolgate hybrid', 'minisearch', 'orama', 'AI SDK 7 toolSearch', 'seed scoring'];
  return [
    `Embedded decision model, on data its weights never saw (mean of eight public sets, whole conversations): nDCG@10 **${heldOut('local model')}**, the`,
    `needed tool among the first ten in **${heldOut('recall@10')} %**; as a selection it keeps **${heldOut('selection: recall')} %** of the needed tools and shows **${heldOut('tools shown')}** on average.`,
    '',
    'Words alone, nothing learnt, against what else installs from npm (last message as the query; times at 5,000 tools):',
    '',
    '| | nDCG@10 | recall@10 | ms a query |',
    '|---|---:|---:|---:|',
    ...names.map(
      (name) =>
        `| ${name === 'seed scoring' ? 'substring scoring (LangChain4j)' : name} | ${peer(name, 'nDCG@10')} | ${peer(name, 'recall@10')} | ${peer(name, 'ms a query')} |`,
    ),
  ].join('\n');
}

function cell(table, row, column) {
  const value = rows('docs/quality.md', table).get(row)?.get(column);
  if (value === undefined) throw new Error(`docs/quality.md, table ${table}: there is no ${row} with ${column}.`);
  return value;
}

/** The experiment "same approval delivered twice", as it was printed. */
function twice() {
  const block = /```text\n(The same approval delivered twice[\s\S]*?)```/.exec(
    readFileSync(join(root, 'docs/adapters.md'), 'utf8'),
  );
  if (block === null) throw new Error('docs/adapters.md has no output of the experiment.');
  return `\`\`\`text\n${block[1].trim()}\n\`\`\``;
}

function fill(text, name, content) {
  const pattern = new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(\n<!-- end -->)`);
  if (!pattern.test(text)) throw new Error(`README.md has no place ${name}.`);
  return text.replace(pattern, (_all, before, after) => `${before}${content}${after}`);
}

script(() => {
  const path = join(root, 'README.md');
  let text = readFileSync(path, 'utf8');
  text = text.replaceAll(
    /<!-- code: (\S+)#(\S+) -->\n```ts\n[\s\S]*?```/g,
    (_all, file, name) => `<!-- code: ${file}#${name} -->\n\`\`\`ts\n${region(file, name)}\n\`\`\``,
  );
  text = fill(text, 'figures', figures());
  text = fill(text, 'twice', twice());
  if (process.argv.includes('--demo')) {
    const output = demoOutput();
    text = text.replace(
      /<!-- output: demo -->\n```\n[\s\S]*?```/,
      () => `<!-- output: demo -->\n\`\`\`\n${output}\n\`\`\``,
    );
  }
  writeFileSync(path, text);
});
