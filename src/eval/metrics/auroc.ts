/**
 * Area under the ROC curve: the chance that a random value of `positives` is above a random one of `negatives`, ties counting
 * half (Mann and Whitney). 0.5 is guessing. NaN when either is empty.
 */
export function auroc(positives: readonly number[], negatives: readonly number[]): number {
  if (positives.length === 0 || negatives.length === 0) return Number.NaN;
  const all = [
    ...positives.map((value) => ({ value, positive: true })),
    ...negatives.map((value) => ({ value, positive: false })),
  ];
  all.sort((left, right) => (left.value < right.value ? -1 : left.value > right.value ? 1 : 0));
  let rankSum = 0;
  for (let start = 0; start < all.length;) {
    let end = start;
    while (end < all.length && all[end]?.value === all[start]?.value) end++;
    // Ranks count from 1; equal values share the mean of their ranks.
    const rank = (start + 1 + end) / 2;
    for (let index = start; index < end; index++) if (all[index]?.positive === true) rankSum += rank;
    start = end;
  }
  const count = positives.length;
  return (rankSum - (count * (count + 1)) / 2) / (count * negatives.length);
}
