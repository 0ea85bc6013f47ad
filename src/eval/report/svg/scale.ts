/** Maps values to pixels, and says where marks belong. */
export interface Scale {
  (value: number): number;
  readonly ticks: readonly number[];
}

/** Evenly from `[low, high]` to `[start, end]`, marks at round steps, about `count` of them. */
export function linearScale(low: number, high: number, start: number, end: number, count = 5): Scale {
  const span = high - low || 1;
  const raw = span / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= raw * 0.999) ?? 10) * power;
  const ticks: number[] = [];
  for (let index = Math.ceil(low / step - 1e-9); index * step <= high + 1e-9 * span; index++)
    ticks.push(Number((index * step).toPrecision(12)));
  return Object.assign((value: number) => start + ((value - low) / span) * (end - start), { ticks });
}

/** By orders of magnitude from `[low, high]`, both above 0, marks at 1, 2 and 5 of each (or at 1 alone where they are many). */
export function logScale(low: number, high: number, start: number, end: number): Scale {
  const from = Math.log10(low);
  const span = Math.log10(high) - from || 1;
  const ticks: number[] = [];
  for (let power = Math.floor(from); power <= Math.ceil(from + span); power++) {
    for (const factor of span > 2.5 ? [1] : [1, 2, 5]) {
      const tick = Number((factor * 10 ** power).toPrecision(6));
      if (tick >= low * 0.999 && tick <= high * 1.001) ticks.push(tick);
    }
  }
  return Object.assign((value: number) => start + ((Math.log10(Math.max(value, low)) - from) / span) * (end - start), {
    ticks,
  });
}
