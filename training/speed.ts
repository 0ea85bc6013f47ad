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

/** One decision over a whole catalogue beside one minisearch query (its defaults, the same fields) in the same run, in milliseconds. */
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

const set = loadSet('sealtools', 400);
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
  const theirs: number[] = [];
  const ours: number[] = [];
  for (const [round, one] of set.cases.entries()) {
    started = performance.now();
    search.search(messageText(one.messages.at(-1)!));
    const between = performance.now();
    await decide(one.messages);
    const end = performance.now();
    if (round < 100) continue;
    theirs.push(between - started);
    ours.push(end - between);
  }
  console.log(
    `${count} tools: minisearch ${median(theirs)} (build ${buildSearch.toFixed(0)}), decision ${median(ours)} (first ${buildModel.toFixed(0)}), ratio ${(Number(median(ours)) / Number(median(theirs))).toFixed(2)}`,
  );
}

function median(values: number[]): string {
  return (values.sort((a, b) => a - b)[values.length >> 1] ?? 0).toFixed(2);
}
