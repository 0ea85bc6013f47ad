// What an adapter adds to a step of its framework with the framework's official OpenAI provider: 100 tools are turned into a request, serialised,
// sent over HTTP to a server on the loopback interface that answers at once, and the answer is parsed. Bare and with toolgate by turns in one
// process. `node bench-providers.mjs [rounds] [--only=langchain] [--cpu] [--json]`. Per cents are of the bare framework's own step; with `--cpu` the
// processor time of the framework's thread counts in place of the clock on the wall.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { lastText } from './providers/catalogue.mjs';
import { measure, processorTime, wallClock } from './providers/measure.mjs';
import { frameworks } from './providers/run-kinds.mjs';

const steps = 10;
const several = 4;
const [rounds = 40] = process.argv
  .slice(2)
  .filter((word) => !word.startsWith('--'))
  .map(Number);
const isJson = process.argv.includes('--json');
const clock = process.argv.includes('--cpu') ? processorTime : wallClock;
const only = process.argv.find((word) => word.startsWith('--only='))?.slice('--only='.length);

const server = fork(fileURLToPath(new URL('providers/server.mjs', import.meta.url)), [String(steps)]);
const [port] = await once(server, 'message');

/** One run of each lane, looked at: the whole script was gone through, and the model saw as many tools as it should. */
async function check(lanes, name) {
  for (const { kind, calls, once } of lanes) {
    if ((await once()) !== lastText) throw new Error(`${name}, ${kind}, ${calls}: the run did not end as scripted.`);
    await once.after?.();
  }
  const seen = await (await fetch(`http://127.0.0.1:${port}/seen`)).json();
  return lanes.map(({ kind, calls, lane }) => {
    const { requests, tools, bytes } = seen[`${lane}/${calls}`];
    const expected = kind === 'selected' ? tools <= 11 : tools === 100;
    if (requests !== steps || !expected)
      throw new Error(`${name}, ${kind}, ${calls}: ${requests} requests, ${tools} tools in the last one.`);
    return bytes;
  });
}

async function lanesOf(framework, position) {
  const byCalls = await Promise.all(
    [1, several].map(async (calls) => {
      const laneOf = (kind) => `${position}-${kind.replaceAll(' ', '-')}`;
      const kinds = await framework.kinds((kind) => `http://127.0.0.1:${port}/${laneOf(kind)}/${calls}/v1`, steps);
      return Object.entries(kinds).map(([kind, once]) => ({ kind, calls, once, lane: laneOf(kind) }));
    }),
  );
  return byCalls.flat();
}

const signed = (value) => `${value >= 0 ? '+' : ''}${value.toFixed(1)} %`;

function line(name, { kind, msPerStep, msPerModelStep, msPerCall, addedPercent }) {
  const cells = [
    name.padEnd(26),
    kind.padEnd(12),
    msPerStep.toFixed(2).padStart(7),
    (addedPercent === undefined ? '' : signed(addedPercent.step)).padStart(9),
    msPerModelStep.toFixed(2).padStart(7),
    (addedPercent === undefined ? '' : signed(addedPercent.modelStep)).padStart(9),
    msPerCall.toFixed(3).padStart(8),
    (addedPercent === undefined ? '' : signed(addedPercent.call)).padStart(9),
  ];
  return `${cells.join(' ')}\n`;
}

const results = [];
if (!isJson)
  process.stdout.write(
    `${''.padEnd(39)} ${'step'.padStart(7)} ${'added'.padStart(9)} ${'model'.padStart(7)} ${'added'.padStart(9)} ${'call'.padStart(8)} ${'added'.padStart(9)}\n`,
  );
for (const [position, framework] of frameworks.entries()) {
  const name = `${framework.name} (${framework.api})`;
  if (only !== undefined && !name.includes(only)) continue;
  const lanes = await lanesOf(framework, position);
  const [requestBytes] = await check(lanes, name);
  const kinds = await measure({ lanes, steps, several, rounds, warmUp: 5, clock });
  results.push({ framework: framework.name, api: framework.api, requestBytes, kinds });
  if (!isJson) for (const kind of kinds) process.stdout.write(line(name, kind));
}
if (isJson)
  process.stdout.write(
    `${JSON.stringify({ node: process.version, clock: clock === wallClock ? 'wall' : 'processor', tools: 100, steps, rounds, results }, null, 2)}\n`,
  );
server.disconnect();
process.exit(0);
