// Runs the kinds of `runs` by turns, `rounds` times after three to warm up, and says the median milliseconds of each per step, and how
// much more that is than the kind `bare`.
export async function measureSteps(name, runs, { rounds, steps }) {
  const times = new Map(Object.keys(runs).map((kind) => [kind, []]));
  for (let round = -3; round < rounds; round += 1) {
    for (const [kind, once] of Object.entries(runs)) {
      const started = performance.now();
      await once();
      if (round >= 0) times.get(kind).push((performance.now() - started) / steps);
    }
  }
  const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
  const bare = median(times.get('bare'));
  for (const [kind, list] of times) {
    const value = median(list);
    const more = kind === 'bare' ? '' : `${value >= bare ? '+' : ''}${(((value - bare) / bare) * 100).toFixed(0)} %`;
    process.stdout.write(`${name.padEnd(16)} ${kind.padEnd(12)} ${value.toFixed(3)} ms per step  ${more}\n`);
  }
}
