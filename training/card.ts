import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Report } from './evaluate.ts';
import { resultsFile } from './paths.ts';

/** Puts the figures and hashes of the last full run into the model card, between its marks. */
interface Results {
  readonly version: string;
  readonly dataHash: string;
  readonly vectorsHash: string;
  readonly coefficientsHash: string;
  readonly words: number;
  readonly mean: Readonly<Record<'full' | 'lexical', Readonly<Record<string, number>>>>;
  readonly sets: Readonly<
    Record<string, { readonly full: Omit<Report, 'predictions'>; readonly lexical: Omit<Report, 'predictions'> }>
  >;
}

const file = fileURLToPath(new URL('../docs/model-card.md', import.meta.url));
const results = JSON.parse(readFileSync(resultsFile(), 'utf8')) as Results;
let card = readFileSync(file, 'utf8');

put('version', [
  `| version | \`${results.version}\` |`,
  '|---|---|',
  `| words with a vector | ${results.words} |`,
  `| data (SHA-256) | \`${results.dataHash}\` |`,
  `| word vectors (SHA-256) | \`${results.vectorsHash}\` |`,
  `| coefficients (SHA-256) | \`${results.coefficientsHash}\` |`,
]);

const { full, lexical } = results.mean;
put('figures', [
  '| set | cases | BM25F, last message | BM25F, conversation | without vectors | **model** nDCG@10 | recall@5 | recall@10 | calibration error | selection: recall, tools |',
  '|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|',
  ...Object.entries(results.sets).map(([name, { full: one, lexical: lean }]) =>
    row(name, [
      one.cases,
      one.lastMessageNdcg10,
      one.conversationNdcg10,
      lean.ndcg10,
      one.ndcg10,
      one.recall5,
      one.recall10,
      fixed(one.calibrationError, 3),
      `${one.selectionRecall} %, ${fixed(one.selectionShown, 1)}`,
    ]),
  ),
  row('**mean**', [
    '',
    full['lastMessageNdcg10'],
    full['conversationNdcg10'],
    lexical['ndcg10'],
    `**${full['ndcg10']}**`,
    '',
    full['recall10'],
    fixed(full['calibrationError'] ?? 0, 3),
    `${full['selectionRecall']} %, ${fixed(full['selectionShown'] ?? 0, 1)}`,
  ]),
]);
put('nothing', [
  '| set | AUROC | cases without a needed tool that are shown any | tools shown in them | tools shown where some are needed |',
  '|---|---:|---:|---:|---:|',
  ...Object.entries(results.sets).flatMap(([name, { full: one }]) => [
    ...(one.nothingNeededAuroc === undefined
      ? []
      : [
          row(name, [
            fixed(one.nothingNeededAuroc, 3),
            `${one.needlessRate} %`,
            fixed(one.needlessShown ?? 0, 1),
            fixed(one.selectionShown, 1),
          ]),
        ]),
    ...(one.withinCandidatesAuroc === undefined
      ? []
      : [
          row(`${name}, similar but wrong tools (within candidates)`, [
            fixed(one.withinCandidatesAuroc, 3),
            '',
            '',
            '',
          ]),
        ]),
  ]),
  '',
  ...Object.entries(results.sets).flatMap(([name, { full: one }]) =>
    one.multiTurnRecall10 === undefined ? [] : [`Multi-turn cases of ${name}: recall@10 ${one.multiTurnRecall10}.`],
  ),
]);
writeFileSync(file, card);

function put(mark: string, lines: readonly string[]): void {
  const begin = `<!-- ${mark} -->`;
  const end = `<!-- /${mark} -->`;
  const from = card.indexOf(begin);
  const to = card.indexOf(end);
  if (from < 0 || to < 0) throw new Error(`The model card has no place for ${mark}.`);
  card = `${card.slice(0, from + begin.length)}\n${lines.join('\n')}\n${card.slice(to)}`;
}

function row(name: string, cells: readonly (string | number | undefined)[]): string {
  return `| ${name} | ${cells.map((cell) => cell ?? '').join(' | ')} |`;
}

function fixed(value: number, digits: number): string {
  return value.toFixed(digits);
}
