// Runs the kinds of one framework by turns and says what they took. A run has `steps` replies, all but the last with one call or with `several`:
// what more calls take beyond that is the cost of a call, and what is left of a step without its call is the cost of the model step.

/** What the clock on the wall shows: medians, since a busy machine makes some runs much longer. */
export const wallClock = { now: () => performance.now(), middle: median };

/** The processor time of this thread, which other programs hardly change. It comes in ticks, so the mean counts. */
export const processorTime = {
  now() {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  },
  middle: (list) => list.reduce((sum, value) => sum + value, 0) / list.length,
};

export async function measure({ lanes, steps, several, rounds, warmUp, clock }) {
  const times = lanes.map(() => []);
  for (let round = -warmUp; round < rounds; round += 1) {
    for (let turn = 0; turn < lanes.length; turn += 1) {
      const index = (turn + Math.max(round, 0)) % lanes.length;
      const { once } = lanes[index];
      const started = clock.now();
      const text = await once();
      const took = clock.now() - started;
      await once.after?.();
      if (typeof text !== 'string') throw new Error(`${lanes[index].kind}: the run did not end with a text.`);
      if (round >= 0) times[index].push(took);
    }
  }
  const kinds = [...new Set(lanes.map(({ kind }) => kind))];
  const costs = new Map(kinds.map((kind) => [kind, costsOf(kind)]));
  function costsOf(kind) {
    const own = (calls) => times[lanes.findIndex((lane) => lane.kind === kind && lane.calls === calls)];
    const one = own(1);
    const more = own(several);
    const call = one.map((took, round) => (more[round] - took) / ((steps - 1) * (several - 1)));
    const step = one.map((took) => took / steps);
    return { step, call, model: one.map((took, round) => (took - call[round] * (steps - 1)) / steps) };
  }
  const bare = costs.get('bare');
  const bareStep = clock.middle(bare.step);
  return kinds.map((kind) => {
    const own = costs.get(kind);
    // Differences within a round, so that what slows the whole machine down for a while does not count.
    const added = (part) => clock.middle(own[part].map((value, round) => value - bare[part][round]));
    const percent = (part) => (added(part) / bareStep) * 100;
    return {
      kind,
      msPerStep: clock.middle(own.step),
      msPerModelStep: clock.middle(own.model),
      msPerCall: clock.middle(own.call),
      ...(kind === 'bare'
        ? {}
        : { addedPercent: { step: percent('step'), modelStep: percent('model'), call: percent('call') } }),
    };
  });
}

function median(list) {
  const sorted = list.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
