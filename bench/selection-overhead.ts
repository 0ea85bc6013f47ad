/**
 * What the filtering provider itself costs: a decision model that costs nothing, beside one `JSON.stringify` of the same tools in the same run.
 * Run: `node bench/selection-overhead.ts [--json] [--turns=100000]`. Fails (exit code 1) when the provider takes more than half of that,
 * when a tool at 10,000 costs more than 1.5 times one at 100, or when the heap grows over many turns.
 */
import type { Tool } from '../src/core/tool.ts';
import type { DecisionModel } from '../src/decision/port.ts';
import { DecisionModelFilteringToolProvider } from '../src/select/decision-model-filtering-tool-provider.ts';

interface Row {
  readonly tools: number;
  readonly stringifyMs: number;
  readonly providerMs: number;
  readonly firstTurnMs: number;
  readonly ratio: number;
  readonly microsecondsPerTool: number;
}

const words =
  'search list create update delete issue pull request branch commit file comment label release user team order invoice customer'.split(
    ' ',
  );

function makeTools(count: number): Tool[] {
  return Array.from({ length: count }, (_, index) => {
    const verb = words[index % 5] as string;
    const noun = words[5 + (index % (words.length - 5))] as string;
    return {
      name: `${verb}_${noun}_${index}`,
      description: `${verb} a ${noun} of a repository. Takes the owner and the name of the repository and gives the ${noun} with its fields. Use it when somebody asks for a ${noun}.`,
      inputSchema: {
        type: 'object',
        properties: {
          owner: { type: 'string', description: 'The owner of the repository.' },
          repository: { type: 'string', description: 'The name of the repository without the owner.' },
          [noun]: { type: 'string', description: `Which ${noun}, by number or name.` },
          page: { type: 'integer', minimum: 1, description: 'Page of the result, from 1.' },
        },
        required: ['owner', 'repository'],
      },
      execute: () => null,
    } satisfies Tool;
  });
}

/** Answers with the same object every time, made once for each number of questions. */
function zeroCostModel(count: number): DecisionModel {
  const answers = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `tool${index}`,
      { type: 'yes-no' as const, probability: index % 20 === 0 ? 0.9 : 0.1 },
    ]),
  );
  const response = Promise.resolve({ answers });
  return { provider: 'nobody', modelId: 'zero', decide: () => response };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}

async function timed(run: () => unknown): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

async function measure(count: number): Promise<Row> {
  const tools = makeTools(count);
  const provider = new DecisionModelFilteringToolProvider({
    toolProvider: { provideTools: () => tools },
    decisionModel: zeroCostModel(count),
  });
  const request = {
    userMessage: { role: 'user', content: 'List the open issues of the repository' },
    messages: [{ role: 'system', content: 'You help with repositories.' }],
    invocation: { id: 'bench', attributes: {} },
    signal: new AbortController().signal,
  };
  const firstTurnMs = await timed(() => provider.provideTools(request));
  // In blocks: right after a megabyte of JSON every first touch of a tool would be a cache miss, which is no cost of the selection.
  const rounds = Math.max(20, Math.ceil(10_000 / count));
  const stringify: number[] = [];
  const select: number[] = [];
  let sink = 0;
  for (let block = 0; block < 5; block += 1) {
    for (let round = 0; round < rounds; round += 1) select.push(await timed(() => provider.provideTools(request)));
    for (let round = 0; round < rounds; round += 1)
      stringify.push(await timed(() => (sink += JSON.stringify(tools).length)));
  }
  if (sink === 0) throw new Error('nothing was measured');
  const stringifyMs = median(stringify);
  const providerMs = median(select);
  return {
    tools: count,
    stringifyMs,
    providerMs,
    firstTurnMs,
    ratio: providerMs / stringifyMs,
    microsecondsPerTool: (providerMs * 1000) / count,
  };
}

async function heapGrowth(turns: number): Promise<{ readonly turns: number; readonly bytesPerTurn: number }> {
  const tools = makeTools(100);
  const provider = new DecisionModelFilteringToolProvider({
    toolProvider: { provideTools: () => tools },
    decisionModel: zeroCostModel(100),
  });
  const run = async (count: number): Promise<void> => {
    for (let turn = 0; turn < count; turn += 1) {
      await provider.provideTools({
        userMessage: { role: 'user', content: `question ${turn}` },
        messages: [],
        invocation: { id: 'bench', attributes: {} },
        signal: new AbortController().signal,
      });
    }
  };
  const heap = (): number => {
    (globalThis as { gc?: () => void }).gc?.();
    (globalThis as { gc?: () => void }).gc?.();
    return process.memoryUsage().heapUsed;
  };
  await run(2000);
  const before = heap();
  await run(turns);
  return { turns, bytesPerTurn: (heap() - before) / turns };
}

const turns = Number(process.argv.find((argument) => argument.startsWith('--turns='))?.slice(8) ?? 100_000);
const rows: Row[] = [];
for (const count of [100, 1000, 10_000]) rows.push(await measure(count));
const growth = await heapGrowth(turns);
const scale = (rows[2] as Row).microsecondsPerTool / (rows[0] as Row).microsecondsPerTool;
const checks = {
  'at most half of JSON.stringify': rows.every((row) => row.ratio <= 0.5),
  'a tool at 10,000 at most 1.5 times one at 100': scale <= 1.5,
  'no growth over many turns (below 16 bytes a turn; needs --expose-gc)': growth.bytesPerTurn < 16,
};
if (process.argv.includes('--json')) {
  console.log(JSON.stringify({ rows, scale, growth, checks }, null, 2));
} else {
  console.table(
    rows.map((row) => ({
      tools: row.tools,
      'JSON.stringify ms': row.stringifyMs.toFixed(3),
      'provider ms': row.providerMs.toFixed(3),
      'first turn ms': row.firstTurnMs.toFixed(2),
      ratio: row.ratio.toFixed(2),
      'µs per tool': row.microsecondsPerTool.toFixed(3),
    })),
  );
  console.log(
    `per tool, 10,000 beside 100: ${scale.toFixed(2)}; heap growth over ${growth.turns} turns: ${growth.bytesPerTurn.toFixed(1)} bytes a turn`,
  );
  console.log(checks);
}
process.exitCode = Object.values(checks).every(Boolean) ? 0 : 1;
