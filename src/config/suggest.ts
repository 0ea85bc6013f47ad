/** The known word that was probably meant: at most a third of its letters differ. Undefined when none is near. */
export function suggestWord(word: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance && distance <= Math.max(1, Math.floor(candidate.length / 3))) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Least number of letters to insert, drop, replace or swap with their neighbour (optimal string alignment). */
export function editDistance(a: string, b: string): number {
  const width = b.length + 1;
  const table = new Uint16Array((a.length + 1) * width);
  const at = (row: number, column: number): number => table[row * width + column] ?? 0;
  for (let row = 0; row <= a.length; row += 1) {
    for (let column = 0; column <= b.length; column += 1) {
      let distance: number;
      if (row === 0 || column === 0) distance = row + column;
      else {
        const cost = a[row - 1] === b[column - 1] ? 0 : 1;
        distance = Math.min(at(row - 1, column) + 1, at(row, column - 1) + 1, at(row - 1, column - 1) + cost);
        if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
          distance = Math.min(distance, at(row - 2, column - 2) + 1);
        }
      }
      table[row * width + column] = distance;
    }
  }
  return at(a.length, b.length);
}
