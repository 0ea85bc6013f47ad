import { seededRandom } from '../seeded-random.ts';
import { bootstrapValues, meanOf, percentileInterval } from './bootstrap.ts';
import type { BootstrapOptions, Interval } from './bootstrap.ts';
import { mean } from './quantile.ts';

/** How two measurements of the same cases differ. */
export interface PairedComparison {
  /** Mean of `after - before`. */
  readonly difference: number;
  /** Bootstrap 95 % interval of the difference. */
  readonly ci: Interval;
  /** Two-sided, by random exchange of sign: the chance of a difference this large if both were alike. Above 0. */
  readonly pValue: number;
  /** How many cases got better and worse. */
  readonly better: number;
  readonly worse: number;
}

/**
 * Compares value by value. The p-value is that of Fisher's randomisation test over pairs, estimated with as many random
 * exchanges as resamples and counted as (hits + 1) / (rounds + 1), so that it is never 0. Throws `RangeError` for different lengths.
 */
export function comparePaired(
  before: readonly number[],
  after: readonly number[],
  options: BootstrapOptions,
): PairedComparison {
  if (before.length !== after.length)
    throw new RangeError(`Pairs need equal lengths, got ${before.length} and ${after.length}.`);
  const differences = after.map((value, index) => value - (before[index] as number));
  const difference = mean(differences);
  const random = seededRandom(options.seed ^ 0x5bd1e995);
  const rounds = options.resamples ?? 1000;
  const moved = differences.filter((value) => value !== 0);
  const limit = Math.abs(moved.reduce((sum, value) => sum + value, 0)) - 1e-9;
  let hits = 0;
  for (let round = 0; round < rounds; round++) {
    let sum = 0;
    for (const value of moved) sum += random.next() < 0.5 ? value : -value;
    if (Math.abs(sum) >= limit) hits++;
  }
  return {
    difference,
    ci: percentileInterval(bootstrapValues(differences.length, meanOf(differences), options)),
    pValue: (hits + 1) / (rounds + 1),
    better: differences.filter((value) => value > 0).length,
    worse: differences.filter((value) => value < 0).length,
  };
}
