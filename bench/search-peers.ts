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
    scale: await scale(peer),
  };
  rows.push(row);
  console.log(
    `${peer.name.padEnd(24)} nDCG@10 ${percent(row['ndcg@10'])}  R@5 ${percent(row['recall@5'])}  R@10 ${percent(row['recall@10'])}` +
      `  5,000 tools: ${row.scale.query_ms.p50.toFixed(3)} ms a query, index ${row.scale.index_ms.toFixed(0)} ms, ${row.scale.memory_mb.toFixed(1)} MB`,
  );
}
const result = {
  format: 'toolgate-search-peers-1',
  sample: Number(values.sample),
  node: process.version,
  tools: 5000,
  peers: rows,
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

/** Time and memory with 5,000 tools of all sets, names made unique, and 300 queries of all sets; after 50 to warm up. */
async function scale(
  peer: Peer,
): Promise<{ index_ms: number; memory_mb: number; query_ms: { p50: number; p95: number; mean: number } }> {
  const seen = new Set<string>();
  const tools: ToolDefinition[] = [];
  for (const { definition } of sets.flatMap((set) => set.tools)) {
    if (tools.length === 5000) break;
    if (seen.has(definition.name)) continue;
    seen.add(definition.name);
    // A copy, so that nothing kept by tool object from an earlier set helps.
    tools.push({ ...definition });
  }
  const queries = sampleCases(
    sets.flatMap((set) => sampleCases(set.cases, 100, set.name, 2)),
    350,
    'queries',
    3,
  ).map((item) => messageText(lastUserMessage(item.messages)));
  const before = memory();
  const start = performance.now();
  const search: PeerSearch = await peer.create(tools);
  const indexMs = performance.now() - start;
  const used = memory() - before;
  const times: number[] = [];
  for (const [index, query] of queries.entries()) {
    const begin = performance.now();
    const { milliseconds } = await search(query, 10);
    const took = milliseconds ?? performance.now() - begin;
    if (index >= 50) times.push(took);
  }
  return {
    index_ms: indexMs,
    memory_mb: used / 1e6,
    query_ms: { p50: quantile(times, 0.5), p95: quantile(times, 0.95), mean: mean(times) },
  };
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
