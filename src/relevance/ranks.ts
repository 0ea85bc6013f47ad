/** Ranks deeper than this count as this deep: what stands there is not told apart. */
const deepest = 100;

/** For each value 1 divided by its rank, counted from 1; equal values share the better rank; 0 for values that are not above 0. */
export function rankShares(values: Float64Array | Float32Array): Float64Array {
  const shares = new Float64Array(values.length);
  const best = takeBest(values, deepest);
  let rank = 0;
  for (const [place, ordinal] of best.entries()) {
    if (place === 0 || values[ordinal] !== values[best[place - 1] as number]) rank = place + 1;
    shares[ordinal] = 1 / rank;
  }
  return shares;
}

/** Places of the highest values above 0, best first, at most `limit`; equal ones in their order. */
export function takeBest(values: Float64Array | Float32Array, limit: number): number[] {
  const heap: number[] = [];
  // Smallest kept value at the root, so that most places cost one comparison.
  const worse = (a: number, b: number): boolean => {
    const difference = (values[a] as number) - (values[b] as number);
    return difference < 0 || (difference === 0 && a > b);
  };
  for (let place = 0; place < values.length; place += 1) {
    if (!((values[place] as number) > 0)) continue;
    if (heap.length < limit) {
      heap.push(place);
      let child = heap.length - 1;
      while (child > 0) {
        const parent = (child - 1) >> 1;
        if (!worse(heap[child] as number, heap[parent] as number)) break;
        swap(heap, child, parent);
        child = parent;
      }
    } else if (limit > 0 && worse(heap[0] as number, place)) {
      heap[0] = place;
      let parent = 0;
      for (;;) {
        const left = 2 * parent + 1;
        let least = parent;
        if (left < heap.length && worse(heap[left] as number, heap[least] as number)) least = left;
        if (left + 1 < heap.length && worse(heap[left + 1] as number, heap[least] as number)) least = left + 1;
        if (least === parent) break;
        swap(heap, parent, least);
        parent = least;
      }
    }
  }
  return heap.sort((a, b) => (values[b] as number) - (values[a] as number) || a - b);
}

function swap(heap: number[], a: number, b: number): void {
  const held = heap[a] as number;
  heap[a] = heap[b] as number;
  heap[b] = held;
}
