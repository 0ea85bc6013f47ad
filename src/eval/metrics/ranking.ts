/**
 * `src/eval/metrics` holds pure functions over numbers, each metric as the literature defines it. It imports nothing
 * but the seeded numbers beside it.
 */

/** The share of `relevant` that stands among the first `k` of `ranking`, 0 to 1. With more than `k` relevant ones, 1 cannot be reached. */
export function recallAt(ranking: readonly number[], relevant: ReadonlySet<number>, k: number): number {
  if (relevant.size === 0) return Number.NaN;
  let found = 0;
  for (const position of ranking.slice(0, k)) if (relevant.has(position)) found++;
  return found / relevant.size;
}

/** 1 when all of `relevant` stand among the first `k`, else 0. */
export function completeAt(ranking: readonly number[], relevant: ReadonlySet<number>, k: number): number {
  if (relevant.size === 0) return Number.NaN;
  return recallAt(ranking, relevant, k) === 1 ? 1 : 0;
}

/**
 * Normalised discounted cumulative gain with gains 0 and 1 and discount 1 / log2(rank + 1), 0 to 1 (Järvelin and Kekäläinen,
 * "Cumulated gain-based evaluation of IR techniques", 2002). The ideal has the relevant ones first, at most `k` of them.
 */
export function ndcgAt(ranking: readonly number[], relevant: ReadonlySet<number>, k: number): number {
  if (relevant.size === 0) return Number.NaN;
  let gain = 0;
  for (const [index, position] of ranking.slice(0, k).entries()) {
    if (relevant.has(position)) gain += 1 / Math.log2(index + 2);
  }
  let ideal = 0;
  for (let index = 0; index < Math.min(k, relevant.size); index++) ideal += 1 / Math.log2(index + 2);
  return gain / ideal;
}

/** Like {@link recallAt}, but a needed answer counts as found when any of its equally good ones is. One set for each needed answer. */
export function lenientRecallAt(
  ranking: readonly number[],
  answers: readonly ReadonlySet<number>[],
  k: number,
): number {
  if (answers.length === 0) return Number.NaN;
  const top = ranking.slice(0, k);
  let found = 0;
  for (const equals of answers) if (top.some((position) => equals.has(position))) found++;
  return found / answers.length;
}
