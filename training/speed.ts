import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import MiniSearch from 'minisearch';
import { messageText } from '../src/core/message.ts';
import type { Message } from '../src/core/message.ts';
import type { Question } from '../src/decision/port.ts';
import { fieldTexts } from '../src/index/fields.ts';
import { loadWordEmbedder } from '../src/relevance/load-vectors.ts';
import { localDecisionModel } from '../src/relevance/local-decision-model.ts';
import { loadSet } from './data.ts';

/** One decision over a whole catalogue beside one minisearch query (its defaults, the same fields) in the same run. */
const text = readFileSync(fileURLToPath(new URL('../src/relevance/generated/vectors.ts', import.meta.url)), 'utf8');
const json = JSON.stringify(text);
let started = performance.now();
JSON.parse(json);
const parse = performance.now() - started;
const before = process.memoryUsage().rss;
started = performance.now();
await loadWordEmbedder();
console.log(
  `word vectors: ${(text.length / 1e6).toFixed(2)} MB, loaded in ${(performance.now() - started).toFixed(0)} ms (JSON.parse of the same bytes: ${parse.toFixed(0)} ms), ${((process.memoryUsage().rss - before) / 1e6).toFixed(0)} MB of memory`,
);

const set = loadSet('sealtools', 200);
const { signal } = new AbortController();
const model = localDecisionModel();
for (const count of [200, 1000, 4000]) {
  const tools = set.tools.slice(0, count);
  const search = new MiniSearch({ fields: ['name', 'description', 'parameterNames', 'parameterDescriptions'] });
  started = performance.now();
  search.addAll(tools.map((tool, id) => ({ id, ...fieldTexts(tool) })));
  const buildSearch = performance.now() - started;
  const questions = Object.fromEntries(
    tools.map((tool, place): [string, Question] => [`t${place}`, { type: 'yes-no', text: '?', about: { tool } }]),
  );
  const decide = async (messages: readonly Message[]): Promise<void> => {
    await model.decide({ input: 'x', questions, context: { messages, catalogue: tools } }, { signal });
  };
  started = performance.now();
  await decide(set.cases[0]!.messages);
  const buildModel = performance.now() - started;
  const theirs = await meanOf(set.cases, (one) => search.search(messageText(one.messages.at(-1)!)));
  const ours = await meanOf(set.cases, (one) => decide(one.messages));
  console.log(
    `${count} tools: minisearch ${theirs.toFixed(2)} ms (build ${buildSearch.toFixed(0)}), decision ${ours.toFixed(2)} ms (first ${buildModel.toFixed(0)}), ratio ${(ours / theirs).toFixed(2)}`,
  );
}

/** Processor time of one call in milliseconds, after a round to warm up: other programs do not disturb it as they do the clock. */
async function meanOf<T>(items: readonly T[], call: (item: T) => unknown): Promise<number> {
  for (const item of items) await call(item);
  const before = process.cpuUsage();
  for (const item of items) await call(item);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / items.length;
}
