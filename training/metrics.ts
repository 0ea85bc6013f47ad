import type { Rows } from './rows.ts';

/** What a set of cases gives. Shares from 0 to 1. */
export interface SetFigures {
  readonly cases: number;
  readonly ndcg10: number;
  readonly hit1: number;
  readonly recall5: number;
  readonly recall10: number;
}

/** Ranks the rows of each case by score (higher first, then catalogue order) and measures over the cases that need a tool. */
export function rankingFigures(
  rows: Rows,
  scores: Float64Array,
  accept: (index: number) => boolean = () => true,
): SetFigures {
  let cases = 0;
  let ndcg10 = 0;
  let hit1 = 0;
  let recall5 = 0;
  let recall10 = 0;
  for (const [index, one] of rows.cases.entries()) {
    if (one.relevant.length === 0 || !accept(index)) continue;
    const order = ranked(rows, scores, index).slice(0, 10);
    const needed = one.relevant.length;
    cases += 1;
    let gain = 0;
    let ideal = 0;
    for (let place = 0; place < 10; place += 1) {
      const discount = 1 / Math.log2(place + 2);
      if (place < order.length && rows.labels[order[place]!] === 1) {
        gain += discount;
        recall10 += 1 / needed;
        if (place < 5) recall5 += 1 / needed;
        if (place === 0) hit1 += 1;
      }
      if (place < needed) ideal += discount;
    }
    ndcg10 += gain / ideal;
  }
  return { cases, ndcg10: ndcg10 / cases, hit1: hit1 / cases, recall5: recall5 / cases, recall10: recall10 / cases };
}

/** Rows of one case, best first. */
export function ranked(rows: Rows, scores: Float64Array, index: number): number[] {
  const order: number[] = [];
  for (let row = rows.starts[index]!; row < rows.starts[index + 1]!; row += 1) order.push(row);
  return order.sort((a, b) => scores[b]! - scores[a]! || rows.ordinals[a]! - rows.ordinals[b]!);
}

/** The chance that a value of `high` is above one of `low`; ties count half. */
export function areaUnderCurve(high: readonly number[], low: readonly number[]): number {
  const all = [...high.map((value) => ({ value, high: true })), ...low.map((value) => ({ value, high: false }))].sort(
    (a, b) => a.value - b.value,
  );
  let rankSum = 0;
  for (let start = 0; start < all.length;) {
    let end = start;
    while (end < all.length && all[end]!.value === all[start]!.value) end += 1;
    const rank = (start + 1 + end) / 2;
    for (let place = start; place < end; place += 1) if (all[place]!.high) rankSum += rank;
    start = end;
  }
  return (rankSum - (high.length * (high.length + 1)) / 2) / (high.length * low.length);
}

/** Predictions with outcomes. */
export interface Outcomes {
  readonly probabilities: readonly number[];
  readonly outcomes: readonly number[];
  readonly weights?: readonly number[];
}

/** Expected calibration error over ten equal bins: the mean distance of what was said from what was. */
export function calibrationError({ probabilities, outcomes, weights }: Outcomes): number {
  const said = new Float64Array(10);
  const was = new Float64Array(10);
  let total = 0;
  for (const [index, p] of probabilities.entries()) {
    const weight = weights?.[index] ?? 1;
    const bin = Math.min(9, Math.floor(p * 10));
    said[bin]! += weight * p;
    was[bin]! += weight * outcomes[index]!;
    total += weight;
  }
  let error = 0;
  for (let bin = 0; bin < 10; bin += 1) error += Math.abs(said[bin]! - was[bin]!) / total;
  return error;
}
