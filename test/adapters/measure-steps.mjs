import { processorTime, wallClock } from './providers/measure.mjs';

// Runs the kinds of `runs` by turns, `rounds` times after three to warm up, and says the milliseconds of each per step (the median; with
// `--cpu` the mean of the processor time), and how much more that is than the kind `bare`.
export async function measureSteps(name, runs, { rounds, steps }) {
  const clock = process.argv.includes('--cpu') ? processorTime : wallClock;
  const times = new Map(Object.keys(runs).map((kind) => [kind, []]));
  for (let round = -3; round < rounds; round += 1) {
    for (const [kind, once] of Object.entries(runs)) {
      const started = clock.now();
      await once();
      if (round >= 0) times.get(kind).push((clock.now() - started) / steps);
    }
  }
  const bare = clock.middle(times.get('bare'));
  for (const [kind, list] of times) {
    const value = clock.middle(list);
    const more = kind === 'bare' ? '' : `${value >= bare ? '+' : ''}${(((value - bare) / bare) * 100).toFixed(0)} %`;
    process.stdout.write(`${name.padEnd(16)} ${kind.padEnd(12)} ${value.toFixed(3)} ms per step  ${more}\n`);
  }
}
