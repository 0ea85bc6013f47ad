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

/** Titles apart from the cells, so that a line of the stored results is a cell. */
function pack(cells) {
  const line = ({ framework, version, id, mode, result }) =>
    `    ${JSON.stringify({ framework, version, id, mode, result }).replaceAll('":', '": ').replaceAll(',"', ', "').replace('{', '{ ').replace('}', ' }')}`;
  const map = (entries) =>
    entries.map(([key, value]) => `    ${JSON.stringify(key)}: ${JSON.stringify(value)}`).join(',\n');
  const titles = new Map(cells.map(({ id, text }) => [id, text]).toSorted(([a], [b]) => a.localeCompare(b)));
  const reasons = new Map(cells.filter(({ reason }) => reason !== undefined).map((cell) => [keyOf(cell), cell.reason]));
  return `{\n  "scenarios": {\n${map([...titles])}\n  },\n  "reasons": {\n${map([...reasons])}\n  },\n  "cells": [\n${cells.map(line).join(',\n')}\n  ]\n}\n`;
}

function unpack(text) {
  const { scenarios, reasons, cells } = JSON.parse(text);
  return cells.map((cell) => ({
    ...cell,
    text: scenarios[cell.id],
    ...(cell.result === 'no' ? { reason: reasons[keyOf(cell)] } : {}),
  }));
}

function keyOf({ framework, id }) {
  return `${framework}, ${id}`;
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

const cells = isCheck ? unpack(readFileSync(stored, 'utf8')) : collect();
if (!isCheck) {
  writeFileSync(stored, pack(cells));
  spawnSync('npx', ['oxfmt', stored], { cwd: join(here, '..', '..') });
}
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
