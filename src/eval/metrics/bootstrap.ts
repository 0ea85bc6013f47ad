import { seededRandom } from '../seeded-random.ts';
import { quantile } from './quantile.ts';

/** Lower and upper end. */
export type Interval = readonly [low: number, high: number];

export interface BootstrapOptions {
  /** How often is drawn. Default 1,000. */
  readonly resamples?: number;
  readonly seed: number;
}

/**
 * The statistic's values on samples drawn with replacement (Efron, 1979). The same count, statistic, number and seed give the same values.
 * @param count how many items there are
 * @param statistic gets the positions of the drawn items, as many as there are items; the array is reused
 */
export function bootstrapValues(
  count: number,
  statistic: (drawn: Uint32Array) => number,
  options: BootstrapOptions,
): Float64Array {
  const random = seededRandom(options.seed);
  const values = new Float64Array(options.resamples ?? 1000);
  const drawn = new Uint32Array(count);
  for (let round = 0; round < values.length; round++) {
    for (let index = 0; index < count; index++) drawn[index] = random.below(count);
    values[round] = statistic(drawn);
  }
  return values;
}

/** The middle 95 % of bootstrap values; undefined values (NaN) are left out. NaN ends when nothing is left. */
export function percentileInterval(values: Float64Array): Interval {
  const kept = values.filter((value) => !Number.isNaN(value));
  return [quantile(kept, 0.025), quantile(kept, 0.975)];
}

/** The mean of drawn values, as a statistic for {@link bootstrapValues}. */
export function meanOf(values: ArrayLike<number>): (drawn: Uint32Array) => number {
  return (drawn) => {
    let sum = 0;
    for (const position of drawn) sum += values[position] as number;
    return sum / drawn.length;
  };
}
