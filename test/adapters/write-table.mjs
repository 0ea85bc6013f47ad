// Runs the conformance suite and writes what came of it: `results/conformance.json`, and the table in `docs/adapters.md`.
// `node write-table.mjs --check` fails when the stored table differs from what the stored results say, and runs nothing.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const stored = join(here, 'results', 'conformance.json');
const page = join(here, '..', '..', 'docs', 'adapters.md');
const isCheck = process.argv.includes('--check');
const title =
  /^\[(?<framework>.+) (?<version>\S+)\] (?<id>[A-Z]+-\d+): (?<text>.+?) \((?<mode>blocking|streaming)\)(?: - no: (?<reason>.+))?$/;

function collect() {
  mkdirSync(join(here, 'results'), { recursive: true });
  const raw = join(here, 'results', 'raw.json');
  spawnSync('npx', ['vitest', 'run', '--reporter=json', `--outputFile=${raw}`], { cwd: here, stdio: 'inherit' });
  const report = JSON.parse(readFileSync(raw, 'utf8'));
  rmSync(raw);
  const cells = [];
  for (const file of report.testResults)
    for (const { title: name, status } of file.assertionResults) {
      const found = title.exec(name)?.groups;
      if (found === undefined) continue;
      const { framework, version, id, text, mode, reason } = found;
      cells.push({
        framework,
        version,
        id,
        text,
        mode,
        result: reason === undefined ? status : 'no',
        ...(reason === undefined ? {} : { reason }),
      });
    }
  cells.sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
  return cells;
}

function tableOf(cells) {
  const columns = [...new Set(cells.map(({ framework, version }) => `${framework} ${version}`))].toSorted((a, b) =>
    a.localeCompare(b),
  );
  const scenarios = new Map(cells.map(({ id, text }) => [id, text]));
  const reasons = [];
  const cellOf = (id, column) => {
    const mine = cells.filter((cell) => cell.id === id && `${cell.framework} ${cell.version}` === column);
    if (mine.length === 0) return '';
    const no = mine.find(({ result }) => result === 'no');
    if (no !== undefined) {
      const note = `${no.framework}, ${id}: ${no.reason}.`;
      if (!reasons.includes(note)) reasons.push(note);
      return `no (${reasons.indexOf(note) + 1})`;
    }
    const failed = mine.filter(({ result }) => result !== 'passed').map(({ mode }) => mode);
    return failed.length === 0 ? 'yes' : `**fails** (${failed.join(', ')})`;
  };
  const order = ['SE', 'CO', 'DE', 'CA'];
  const ids = [...scenarios.keys()].toSorted(
    (a, b) => order.indexOf(a.slice(0, 2)) - order.indexOf(b.slice(0, 2)) || a.localeCompare(b),
  );
  const rows = ids.map(
    (id) => `| ${id} | ${scenarios.get(id)} | ${columns.map((column) => cellOf(id, column)).join(' | ')} |`,
  );
  return [
    `| | scenario | ${columns.join(' | ')} |`,
    `|---|---|${columns.map(() => '---|').join('')}`,
    ...rows,
    '',
    ...reasons.map((note, index) => `${index + 1}. ${note}`),
  ].join('\n');
}

const cells = isCheck ? JSON.parse(readFileSync(stored, 'utf8')) : collect();
if (!isCheck) writeFileSync(stored, `[\n${cells.map((cell) => `  ${JSON.stringify(cell)}`).join(',\n')}\n]\n`);
const text = readFileSync(page, 'utf8');
const [before, rest] = text.split('<!-- conformance: begin -->\n');
const after = rest.split('<!-- conformance: end -->')[1];
const next = `${before}<!-- conformance: begin -->\n${tableOf(cells)}\n<!-- conformance: end -->${after}`;
if (isCheck) process.exitCode = next === text ? 0 : 1;
else writeFileSync(page, next);
const failed = cells.filter(({ result }) => result === 'failed').length;
process.stdout.write(
  `${cells.length} cells, ${failed} failed${isCheck ? (next === text ? ', table up to date' : ', the table is out of date') : ''}\n`,
);
