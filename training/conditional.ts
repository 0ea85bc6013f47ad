import { solve } from './solve.ts';
import { width } from './rows.ts';
import type { WeightedRows } from './logistic.ts';

/** How the conditional fit works. */
export interface ConditionalOptions {
  readonly ridge: number;
  readonly without?: ReadonlySet<number>;
}

/**
 * Conditional logistic regression (McFadden 1973): which of a case's tools is the needed one. It looks at differences within a case
 * only, so a case that is hard or a set with many tools cannot bend the order. Newton's method; deterministic. Columns that are the same
 * for all tools of a case get 0.
 */
export function fitConditional(parts: readonly WeightedRows[], options: ConditionalOptions): Float64Array {
  const scale = columnScales(parts);
  const used = Array.from({ length: width }, (_, column) => column).filter(
    (column) => scale[column]! > 1e-6 && !options.without?.has(column),
  );
  const size = used.length;
  let beta = new Float64Array(size);
  const pull = options.ridge * 1e-3;
  for (let round = 0; round < 12; round += 1) {
    const gradient = new Float64Array(size);
    const hessian = new Float64Array(size * size);
    let weight = 0;
    for (const { rows, caseWeight } of parts) {
      for (let one = 0; one + 1 < rows.starts.length; one += 1) {
        const from = rows.starts[one]!;
        const to = rows.starts[one + 1]!;
        let needed = 0;
        for (let row = from; row < to; row += 1) needed += rows.labels[row]!;
        if (needed === 0 || needed === to - from) continue;
        weight += caseWeight;
        const logits = new Float64Array(to - from);
        let top = -Infinity;
        for (let row = from; row < to; row += 1) {
          let sum = 0;
          for (let place = 0; place < size; place += 1)
            sum += (beta[place]! * rows.features[row * width + used[place]!]!) / scale[used[place]!]!;
          logits[row - from] = sum;
          top = Math.max(top, sum);
        }
        let total = 0;
        for (let index = 0; index < logits.length; index += 1) total += logits[index] = Math.exp(logits[index]! - top);
        const mean = new Float64Array(size);
        for (let row = from; row < to; row += 1) {
          const p = logits[row - from]! / total;
          const target = rows.labels[row]! / needed;
          for (let place = 0; place < size; place += 1) {
            const value = rows.features[row * width + used[place]!]! / scale[used[place]!]!;
            mean[place]! += p * value;
            gradient[place]! += caseWeight * (p - target) * value;
          }
        }
        const centred = new Float64Array(size);
        for (let row = from; row < to; row += 1) {
          const p = logits[row - from]! / total;
          if (p < 1e-4) continue;
          for (let place = 0; place < size; place += 1)
            centred[place] = rows.features[row * width + used[place]!]! / scale[used[place]!]! - mean[place]!;
          for (let a = 0; a < size; a += 1) {
            const scaled = caseWeight * p * centred[a]!;
            for (let b = 0; b <= a; b += 1) hessian[a * size + b]! += scaled * centred[b]!;
          }
        }
      }
    }
    for (let a = 0; a < size; a += 1) {
      gradient[a] = gradient[a]! / weight + pull * beta[a]!;
      for (let b = 0; b <= a; b += 1) hessian[a * size + b]! /= weight;
      hessian[a * size + a]! += pull + 1e-9;
      for (let b = 0; b < a; b += 1) hessian[b * size + a] = hessian[a * size + b]!;
    }
    const step = solve(hessian, gradient);
    let largest = 0;
    const next = new Float64Array(size);
    for (let a = 0; a < size; a += 1) {
      const move = Math.max(-2, Math.min(2, step[a]!));
      largest = Math.max(largest, Math.abs(move));
      next[a] = beta[a]! - move;
    }
    beta = next;
    if (largest < 1e-3) break;
  }
  const coefficients = new Float64Array(width);
  for (const [place, column] of used.entries()) coefficients[column] = beta[place]! / scale[column]!;
  return coefficients;
}

/** The mean spread of each column within cases. */
function columnScales(parts: readonly WeightedRows[]): Float64Array {
  const square = new Float64Array(width);
  let weight = 0;
  for (const { rows, caseWeight } of parts) {
    for (let one = 0; one + 1 < rows.starts.length; one += 1) {
      const from = rows.starts[one]!;
      const to = rows.starts[one + 1]!;
      weight += caseWeight;
      for (let column = 0; column < width; column += 1) {
        let sum = 0;
        let sumSquare = 0;
        for (let row = from; row < to; row += 1) {
          const value = rows.features[row * width + column]!;
          sum += value;
          sumSquare += value * value;
        }
        square[column]! += (caseWeight * Math.max(0, sumSquare - (sum * sum) / (to - from))) / (to - from);
      }
    }
  }
  return square.map((value) => Math.sqrt(value / weight));
}
