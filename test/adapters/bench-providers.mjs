// What an adapter adds to a step of its framework with the framework's official OpenAI provider: 100 tools are turned into a request, serialised,
// sent over HTTP to a server on the loopback interface that answers at once, and the answer is parsed. Each framework in a process of its own, as in an
// application; there bare and with toolgate by turns. `node bench-providers.mjs [rounds] [--only=langchain] [--cpu] [--json]`. Per cents are of the bare framework's own step; with `--cpu` the
// processor time of the framework's thread counts in place of the clock on the wall.
import { fork, spawnSync } from 'node:child_process';
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
const position = process.argv.find((word) => word.startsWith('--position='))?.slice('--position='.length);

/** One run of each lane, looked at: the whole script was gone through, and the model saw as many tools as it should. */
async function check(lanes, name, port) {
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

async function lanesOf(framework, place, port) {
  const byCalls = await Promise.all(
    [1, several].map(async (calls) => {
      const laneOf = (kind) => `${place}-${kind.replaceAll(' ', '-')}`;
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

const nameOf = ({ name, api }) => `${name} (${api})`;

/** Measures one framework in this process. */
async function measureHere(place) {
  const framework = frameworks[place];
  const server = fork(fileURLToPath(new URL('providers/server.mjs', import.meta.url)), [String(steps)]);
  const [port] = await once(server, 'message');
  const lanes = await lanesOf(framework, place, port);
  const [requestBytes] = await check(lanes, nameOf(framework), port);
  const kinds = await measure({ lanes, steps, several, rounds, warmUp: 5, clock });
  server.disconnect();
  return { framework: framework.name, api: framework.api, requestBytes, kinds };
}

/** Measures one framework in a process of its own. */
function measureApart(place) {
  const own = process.argv.slice(2).filter((word) => !/^--(?:json|only)/u.test(word));
  const child = spawnSync(process.execPath, [fileURLToPath(import.meta.url), ...own, `--position=${place}`], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (child.status !== 0) throw new Error(`${nameOf(frameworks[place])} could not be measured.`);
  return JSON.parse(child.stdout);
}

if (position !== undefined) {
  process.stdout.write(JSON.stringify(await measureHere(Number(position))));
  process.exit(0);
}
const chosen = [...frameworks.entries()].filter(
  ([, framework]) => only === undefined || nameOf(framework).includes(only),
);
if (!Number.isInteger(rounds) || rounds < 1 || chosen.length === 0) {
  const names = frameworks.map(nameOf).join(', ');
  process.stderr.write(
    `Usage: node bench-providers.mjs [rounds, 1 or more] [--only=part of a name: ${names}] [--cpu] [--json]\n`,
  );
  process.exit(2);
}
const results = [];
const header = ['step', 'added', 'model', 'added', 'call', 'added'].map((word, at) =>
  word.padStart([7, 9, 7, 9, 8, 9][at]),
);
if (!isJson) process.stdout.write(`${''.padEnd(39)} ${header.join(' ')}\n`);
for (const [place, framework] of chosen) {
  const name = nameOf(framework);
  const result = measureApart(place);
  results.push(result);
  if (!isJson) for (const kind of result.kinds) process.stdout.write(line(name, kind));
}
if (isJson)
  process.stdout.write(
    `${JSON.stringify({ node: process.version, clock: clock === wallClock ? 'wall' : 'processor', tools: 100, steps, rounds, results }, null, 2)}\n`,
  );
