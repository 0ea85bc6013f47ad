/** The value below which the share `q` (0 to 1) of the values lies, linear between neighbours (R's type 7). NaN when there are none. */
export function quantile(values: ArrayLike<number>, q: number): number {
  const sorted = Float64Array.from(values).sort();
  if (sorted.length === 0) return Number.NaN;
  const at = (sorted.length - 1) * Math.min(1, Math.max(0, q));
  const low = sorted[Math.floor(at)] as number;
  const high = sorted[Math.ceil(at)] as number;
  // Equal neighbours first: infinities would give NaN below.
  return low === high ? low : low + (high - low) * (at - Math.floor(at));
}

/** The arithmetic mean. NaN when there are no values. */
export function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let index = 0; index < values.length; index++) sum += values[index] as number;
  return sum / values.length;
}
