/**
 * Quality, time and memory of tool search beside other packages, in one run.
 *
 *   node --expose-gc search-peers.ts [--data DIR] [--sample 500] [--out ../eval/search-peers.json]
 *
 * The query is the last user message, the whole catalogue is searched, labels are strict, cases that need a tool.
 */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { writeFile } from 'node:fs/promises';
import { loadEvaluationSet } from '../src/eval/load-evaluation-set.ts';
import { ndcgAt, recallAt } from '../src/eval/metrics/ranking.ts';
import { mean, quantile } from '../src/eval/metrics/quantile.ts';
import { lastUserMessage } from '../src/eval/run-evaluation.ts';
import { sampleCases } from '../src/eval/sample-cases.ts';
import type { EvaluationSet } from '../src/eval/types.ts';
import { messageText } from '../src/core/message.ts';
import type { ToolDefinition } from '../src/core/tool.ts';
import { otherPeers } from './peers/others.ts';
import { ownPeers } from './peers/own.ts';
import type { Peer, PeerSearch } from './peers/peer.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: join(import.meta.dirname, '../../shared/data') },
    sample: { type: 'string', default: '500' },
    out: { type: 'string', default: join(import.meta.dirname, '../eval/search-peers.json') },
    only: { type: 'string' },
  },
});
const names = ['metatool', 'bfcl', 'sealtools', 'toolret-apigen', 'toolalpaca', 'nestful', 'apibank', 'sgd'];
const peers = [...ownPeers, ...otherPeers].filter(
  ({ name }) => values.only === undefined || name.includes(values.only),
);
const sets: EvaluationSet[] = [];
for (const name of names) sets.push(await loadEvaluationSet(join(resolve(values.data), name), name));

const rows = [];
for (const peer of peers) {
  const perSet = [];
  for (const set of sets) perSet.push(await quality(peer, set));
  const row = {
    name: peer.name,
    setup: peer.setup,
    'ndcg@10': mean(perSet.map((set) => set['ndcg@10'])),
    'recall@5': mean(perSet.map((set) => set['recall@5'])),
    'recall@10': mean(perSet.map((set) => set['recall@10'])),
    sets: perSet,
  };
  rows.push(row);
  console.log(
    `${peer.name.padEnd(24)} nDCG@10 ${percent(row['ndcg@10'])}  R@5 ${percent(row['recall@5'])}  R@10 ${percent(row['recall@10'])}`,
  );
}
const scales = [];
for (const size of [200, 1000, 4000, 5000]) {
  console.log(`\n${size} tools`);
  const measured = await scale(size);
  scales.push({ tools: size, peers: measured });
  for (const peer of measured)
    console.log(
      `${peer.name.padEnd(24)} ${peer.query_ms.p50.toFixed(3)} ms a query (95 %: ${peer.query_ms.p95.toFixed(3)}), index ${peer.index_ms.toFixed(0)} ms, ${peer.memory_mb.toFixed(1)} MB`,
    );
}
const result = {
  format: 'toolgate-search-peers-2',
  sample: Number(values.sample),
  node: process.version,
  peers: rows,
  scales,
};
await writeFile(
  resolve(values.out),
  `${JSON.stringify(result, (_, value: unknown) => (typeof value === 'number' ? Number(value.toFixed(4)) : value))}\n`,
);

async function quality(
  peer: Peer,
  set: EvaluationSet,
): Promise<Record<'ndcg@10' | 'recall@5' | 'recall@10', number> & { name: string }> {
  const search = await peer.create(set.tools.map((item) => item.definition));
  const cases = sampleCases(
    set.cases.filter((item) => !item.irrelevant),
    Number(values.sample),
    set.name,
    1,
  );
  const gains: number[] = [];
  const at5: number[] = [];
  const at10: number[] = [];
  for (const item of cases) {
    const { positions } = await search(messageText(lastUserMessage(item.messages)), 10);
    const relevant = new Set(item.relevant.map((id) => set.positions.get(id) as number));
    gains.push(ndcgAt(positions, relevant, 10));
    at5.push(recallAt(positions, relevant, 5));
    at10.push(recallAt(positions, relevant, 10));
  }
  return { name: set.name, 'ndcg@10': mean(gains), 'recall@5': mean(at5), 'recall@10': mean(at10) };
}

interface Scaled {
  readonly name: string;
  /** Until the first search can be answered. */
  readonly index_ms: number;
  readonly memory_mb: number;
  readonly query_ms: { readonly p50: number; readonly p95: number };
}

/**
 * Time and memory over a catalogue mixed from all sets, 200 queries of all sets. All peers are built first, one after the other; then they take
 * turns, three rounds, and of each query the fastest round counts, so that other work on the machine spoils no single peer.
 */
async function scale(size: number): Promise<readonly Scaled[]> {
  const tools = catalogueOf(size);
  const queries = sampleCases(
    sets.flatMap((set) => sampleCases(set.cases, 50, set.name, 2)),
    200,
    'queries',
    3,
  ).map((item) => messageText(lastUserMessage(item.messages)));
  const built: { peer: Peer; search: PeerSearch; indexMs: number; used: number; times: Float64Array }[] = [];
  for (const peer of peers) {
    // Copies, so that nothing kept by tool object from earlier helps.
    const own = tools.map((tool) => ({ ...tool }));
    const before = memory();
    const start = performance.now();
    const search = await peer.create(own);
    const indexMs = performance.now() - start;
    built.push({
      peer,
      search,
      indexMs,
      used: memory() - before,
      times: new Float64Array(queries.length).fill(Infinity),
    });
  }
  for (let round = 0; round < 3; round++) {
    for (const { search, times } of built) {
      for (const [index, query] of queries.entries()) {
        const begin = performance.now();
        const { milliseconds } = await search(query, 10);
        times[index] = Math.min(times[index] as number, milliseconds ?? performance.now() - begin);
      }
    }
  }
  return built.map(({ peer, indexMs, used, times }) => ({
    name: peer.name,
    index_ms: indexMs,
    memory_mb: used / 1e6,
    query_ms: { p50: quantile(times, 0.5), p95: quantile(times, 0.95) },
  }));
}

/** Tools of all sets in turn, names made unique. */
function catalogueOf(size: number): readonly ToolDefinition[] {
  const seen = new Set<string>();
  const tools: ToolDefinition[] = [];
  for (let index = 0; tools.length < size; index++) {
    for (const set of sets) {
      const definition = set.tools[index]?.definition;
      if (definition === undefined || seen.has(definition.name) || tools.length === size) continue;
      seen.add(definition.name);
      tools.push(definition);
    }
  }
  return tools;
}

function memory(): number {
  if (globalThis.gc === undefined) throw new Error('Start with --expose-gc: memory is measured after collection.');
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function percent(value: number): string {
  return (value * 100).toFixed(1);
}
