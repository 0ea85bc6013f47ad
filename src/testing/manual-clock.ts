import type { Clock } from '../core/clock.ts';

/** A clock that stands still until it is told to go on. */
export interface ManualClock extends Clock {
  /** Moves time on and calls what falls due, in order of time, then of scheduling. */
  advance(milliseconds: number): void;
  /** Callbacks that wait. */
  readonly pending: number;
}

/** Starts at `now` milliseconds since the epoch. Default: 2026-01-01, midnight UTC. */
export function manualClock(now: number = Date.UTC(2026, 0, 1)): ManualClock {
  let time = now;
  let next = 0;
  const waiting = new Map<number, { readonly at: number; readonly callback: () => void }>();
  const earliest = (until: number): number | undefined => {
    let found: number | undefined;
    for (const [id, entry] of waiting) {
      if (entry.at > until) continue;
      if (found === undefined || entry.at < (waiting.get(found)?.at ?? 0)) found = id;
    }
    return found;
  };
  return {
    now: () => time,
    schedule(milliseconds, callback) {
      const id = (next += 1);
      waiting.set(id, { at: time + Math.max(0, milliseconds), callback });
      return () => {
        waiting.delete(id);
      };
    },
    advance(milliseconds) {
      const until = time + milliseconds;
      for (let id = earliest(until); id !== undefined; id = earliest(until)) {
        const entry = waiting.get(id);
        waiting.delete(id);
        time = Math.max(time, entry?.at ?? time);
        entry?.callback();
      }
      time = until;
    },
    get pending() {
      return waiting.size;
    },
  };
}
