/**
 * True when `a` becomes `b` with at most `limit` insertions, deletions, replacements or swaps of neighbours (optimal string
 * alignment). Counts UTF-16 units.
 */
export function withinEditDistance(a: string, b: string, limit: number): boolean {
  if (Math.abs(a.length - b.length) > limit) return false;
  const width = b.length + 1;
  let beforeLast = new Uint16Array(width);
  let last = Uint16Array.from({ length: width }, (_unused, column) => column);
  let current = new Uint16Array(width);
  for (let row = 1; row <= a.length; row += 1) {
    current[0] = row;
    let smallest = row;
    for (let column = 1; column < width; column += 1) {
      const same = a.charCodeAt(row - 1) === b.charCodeAt(column - 1);
      let distance = Math.min(
        (last[column] as number) + 1,
        (current[column - 1] as number) + 1,
        (last[column - 1] as number) + (same ? 0 : 1),
      );
      if (
        row > 1 &&
        column > 1 &&
        a.charCodeAt(row - 1) === b.charCodeAt(column - 2) &&
        a.charCodeAt(row - 2) === b.charCodeAt(column - 1)
      ) {
        distance = Math.min(distance, (beforeLast[column - 2] as number) + 1);
      }
      current[column] = distance;
      if (distance < smallest) smallest = distance;
    }
    if (smallest > limit) return false;
    [beforeLast, last, current] = [last, current, beforeLast];
  }
  return (last[b.length] as number) <= limit;
}
