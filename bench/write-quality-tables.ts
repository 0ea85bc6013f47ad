/**
 * Writes the stored results of `eval/` as tables into `docs/quality.md`, between its marks. Nothing in the tables is written by hand.
 *
 *   node write-quality-tables.ts [--check]
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fixed, percent, ruleInWords } from '../src/eval/report/format-value.ts';
import { selectionCells } from '../src/eval/report/result-rows.ts';
import type { EvaluationRun } from '../src/eval/run-types.ts';

interface Peers {
  readonly sample: number;
  readonly node: string;
  readonly peers: readonly (Record<'ndcg@10' | 'recall@5' | 'recall@10', number> & {
    readonly name: string;
    readonly setup: string;
    readonly sets: readonly (Record<'ndcg@10', number> & { readonly name: string })[];
  })[];
  readonly scales: readonly {
    readonly tools: number;
    readonly peers: readonly {
      readonly name: string;
      readonly index_ms: number;
      readonly memory_mb: number;
      readonly query_ms: { readonly p50: number; readonly p95: number };
    }[];
  }[];
}

const folder = join(import.meta.dirname, '../eval');
const document = join(import.meta.dirname, '../docs/quality.md');

function read(name: string): unknown {
  const file = join(folder, `${name}.json`);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as unknown) : undefined;
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(header), line(header.map((_, index) => (index === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');
}

const scorers = ['simple', 'bm25', 'hybrid', 'local'] as const;
const titles = { simple: 'seed scoring', bm25: 'BM25', hybrid: 'hybrid lexical', local: 'local model' };

function bySet(window: 'last' | 'conversation'): string {
  const runs = scorers.flatMap((scorer) => {
    const run = read(`${scorer}-${window}`) as EvaluationRun | undefined;
    return run === undefined ? [] : [{ title: titles[scorer], run }];
  });
  const [first] = runs;
  if (first === undefined) return 'No stored results.';
  const rows = first.run.sets.map((set, index) => [
    `${set.name} (${set.tools} tools, ${set.cases_needing_tools} cases)`,
    ...runs.map(
      ({ run }) =>
        `${percent(run.sets[index]?.metrics['ndcg@10'])} / ${percent(run.sets[index]?.metrics['recall@10'])}`,
    ),
  ]);
  rows.push([
    '**mean**',
    ...runs.map(({ run }) => `**${percent(run.mean.metrics['ndcg@10'])} / ${percent(run.mean.metrics['recall@10'])}**`),
  ]);
  rows.push([
    '95 % interval of the mean nDCG@10',
    ...runs.map(({ run }) => (run.mean.metrics.ci['ndcg@10'] ?? []).map(percent).join(' to ')),
  ]);
  rows.push(['median ms a case', ...runs.map(({ run }) => fixed(run.mean.latency_ms.p50, 2))]);
  return table(['nDCG@10 / recall@10', ...runs.map(({ title }) => title)], rows);
}

function selection(): string {
  const run = read('local-conversation') as EvaluationRun | undefined;
  if (run === undefined) return 'No stored results.';
  const rows = [...run.sets, { ...run.mean, name: '**mean**' }].map(selectionCells);
  const header = [
    'set',
    'tools shown',
    'tokens',
    'recall',
    'all needed',
    'needless',
    'Brier',
    'ECE',
    'AUROC nothing needed',
    'the same within candidates',
  ];
  return `Weights: ${run.scorer_version ?? 'not recorded'}. Rule: ${ruleInWords(run.rule)}.\n\n${table(header, rows)}`;
}

interface HeldOutFigures {
  readonly cases: number;
  readonly ndcg10: number;
  readonly recall5: number;
  readonly recall10: number;
  readonly lastMessageNdcg10: number;
  readonly conversationNdcg10: number;
  readonly calibrationError: number;
  readonly selectionRecall: number;
  readonly selectionShown: number;
}

/** What training measured on sets that the weights of the measurement had not seen. */
function heldOut(): string {
  const file = join(import.meta.dirname, '../training/results.json');
  const {
    version,
    mean: means,
    sets,
  } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly version: string;
    readonly mean: { readonly full: { readonly calibrationError: number } };
    readonly sets: Readonly<
      Record<
        string,
        {
          readonly full: HeldOutFigures;
          readonly lexical: HeldOutFigures;
          readonly peers: Readonly<
            Record<'seedLast' | 'seedConversation' | 'minisearchLast' | 'minisearchConversation', number>
          >;
        }
      >
    >;
  };
  const entries = Object.entries(sets);
  const mean = (figure: (set: (typeof sets)[string]) => number): number =>
    entries.reduce((sum, [, set]) => sum + figure(set) / entries.length, 0);
  const columns: readonly (readonly [string, (set: (typeof sets)[string]) => number, number])[] = [
    ['seed scoring, last message', ({ peers: { seedLast } }) => seedLast, 1],
    ['seed scoring, conversation', ({ peers: { seedConversation } }) => seedConversation, 1],
    ['minisearch, last message', ({ peers: { minisearchLast } }) => minisearchLast, 1],
    ['minisearch, conversation', ({ peers: { minisearchConversation } }) => minisearchConversation, 1],
    ['BM25, last message', ({ full }) => full.lastMessageNdcg10, 1],
    ['BM25, conversation', ({ full }) => full.conversationNdcg10, 1],
    ['local model without vectors', ({ lexical }) => lexical.ndcg10, 1],
    ['**local model**', ({ full }) => full.ndcg10, 1],
    ['recall@5', ({ full }) => full.recall5, 1],
    ['recall@10', ({ full }) => full.recall10, 1],
    ['ECE', ({ full }) => full.calibrationError, 3],
    ['selection: recall', ({ full }) => full.selectionRecall, 1],
    ['tools shown', ({ full }) => full.selectionShown, 1],
  ];
  const rows = entries.map(([name, set]) => [
    `${name} (${set.full.cases} cases)`,
    ...columns.map(([, figure, digits]) => fixed(figure(set), digits)),
  ]);
  rows.push(['**mean**', ...columns.map(([, figure, digits]) => `**${fixed(mean(figure), digits)}**`)]);
  return `Weights: ${version}. ECE over all sets together: ${fixed(means.full.calibrationError, 3)}.\n\n${table(['nDCG@10, then the local model', ...columns.map(([title]) => title)], rows)}`;
}

function peers(): string {
  const stored = read('search-peers') as Peers | undefined;
  if (stored === undefined) return 'No stored results.';
  const scaled = stored.scales.find((scale) => scale.tools === 5000);
  const rows = stored.peers.map((peer) => {
    const own = scaled?.peers.find((item) => item.name === peer.name);
    return [
      peer.name,
      percent(peer['ndcg@10']),
      percent(peer['recall@5']),
      percent(peer['recall@10']),
      fixed(own?.query_ms.p50, 3),
      fixed(own?.query_ms.p95, 3),
      fixed(own?.index_ms, 0),
      fixed(own?.memory_mb, 1),
    ];
  });
  const notes = stored.peers.map((peer) => `- ${peer.name}: ${peer.setup}.`).join('\n');
  const header = [
    'mean of the eight sets; time and memory at 5,000 tools',
    'nDCG@10',
    'recall@5',
    'recall@10',
    'ms a query',
    '95 %',
    'index ms',
    'memory MB',
  ];
  return `${table(header, rows)}\n\nAt most ${stored.sample} cases of each set, Node ${stored.node}. How each was set up:\n\n${notes}`;
}

function sizes(): string {
  const stored = read('search-peers') as Peers | undefined;
  if (stored === undefined) return 'No stored results.';
  const names = stored.scales[0]?.peers.map((peer) => peer.name) ?? [];
  const rows = names.map((name) => [
    name,
    ...stored.scales.map((scale) => {
      const peer = scale.peers.find((item) => item.name === name);
      return `${fixed(peer?.query_ms.p50, 3)} / ${fixed(peer?.memory_mb, 1)}`;
    }),
  ]);
  return table(['median ms a query / MB', ...stored.scales.map((scale) => `${scale.tools} tools`)], rows);
}

const parts: Readonly<Record<string, () => string>> = {
  heldout: heldOut,
  last: () => bySet('last'),
  conversation: () => bySet('conversation'),
  selection,
  peers,
  sizes,
};
const before = readFileSync(document, 'utf8');
const after = before.replaceAll(/<!-- table:([a-z]+) -->\n.*?<!-- end -->/gs, (whole, name: string) => {
  const make = parts[name];
  return make === undefined ? whole : `<!-- table:${name} -->\n${make()}\n<!-- end -->`;
});
if (process.argv.includes('--check')) {
  if (after !== before) {
    console.error('docs/quality.md does not show the stored results. Run: node write-quality-tables.ts');
    process.exitCode = 1;
  }
} else {
  writeFileSync(document, after);
}
