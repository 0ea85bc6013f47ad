const units: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['min', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

/** Milliseconds of `45s`, `1.5h`, `30d`, `500ms` or `2m`; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const match = /^\s*(\d+(?:\.\d+)?)\s*([a-z]+)\s*$/.exec(text);
  const factor = units.get(match?.[2] ?? '');
  if (match === null || factor === undefined) return undefined;
  return Math.round(Number(match[1]) * factor);
}
