import { solve } from './solve.ts';
import { width } from './rows.ts';
import type { Rows } from './rows.ts';

/** Coefficients on the features as they are, and a constant. */
export interface Logistic {
  readonly coefficients: Float64Array;
  readonly intercept: number;
}

/** Rows with the weight that each case of theirs has. */
export interface WeightedRows {
  readonly rows: Rows;
  readonly caseWeight: number;
}

export interface LogisticOptions {
  /** Strength of the pull towards 0, on standardised features, in units of one case's weight times a thousandth of all. */
  readonly ridge: number;
  /** Columns that are held at 0. */
  readonly without?: ReadonlySet<number>;
}

/** Logistic regression by Newton's method on standardised features. Deterministic. */
export function fitLogistic(parts: readonly WeightedRows[], options: LogisticOptions): Logistic {
  const { mean, deviation, weight } = moments(parts);
  const used = Array.from({ length: width }, (_, column) => column).filter(
    (column) => deviation[column]! > 1e-9 && !options.without?.has(column),
  );
  const size = used.length + 1;
  let beta = new Float64Array(size);
  const pull = options.ridge * 1e-3;
  const values = new Float64Array(size);
  values[size - 1] = 1;
  for (let round = 0; round < 12; round += 1) {
    const gradient = new Float64Array(size);
    const hessian = new Float64Array(size * size);
    for (const { rows, caseWeight } of parts) {
      const share = caseWeight / weight;
      for (let row = 0; row < rows.labels.length; row += 1) {
        const start = row * width;
        let logit = beta[size - 1]!;
        for (let place = 0; place < used.length; place += 1) {
          const column = used[place]!;
          const value = (rows.features[start + column]! - mean[column]!) / deviation[column]!;
          values[place] = value;
          logit += beta[place]! * value;
        }
        const p = 1 / (1 + Math.exp(-logit));
        const error = share * (p - rows.labels[row]!);
        const curve = share * Math.max(1e-9, p * (1 - p));
        for (let a = 0; a < size; a += 1) {
          gradient[a]! += error * values[a]!;
          if (curve < share * 1e-5) continue;
          const scaled = curve * values[a]!;
          const base = a * size;
          for (let b = 0; b <= a; b += 1) hessian[base + b]! += scaled * values[b]!;
        }
      }
    }
    for (let a = 0; a < size; a += 1) {
      if (a < size - 1) gradient[a]! += pull * beta[a]!;
      hessian[a * size + a]! += a < size - 1 ? pull : 1e-9;
      for (let b = 0; b < a; b += 1) hessian[b * size + a] = hessian[a * size + b]!;
    }
    const step = solve(hessian, gradient);
    let largest = 0;
    const next = new Float64Array(size);
    for (let a = 0; a < size; a += 1) {
      const move = Math.max(-3, Math.min(3, step[a]!));
      largest = Math.max(largest, Math.abs(move));
      next[a] = beta[a]! - move;
    }
    beta = next;
    if (largest < 1e-3) break;
  }
  const coefficients = new Float64Array(width);
  let intercept = beta[size - 1]!;
  for (const [place, column] of used.entries()) {
    coefficients[column] = beta[place]! / deviation[column]!;
    intercept -= (beta[place]! * mean[column]!) / deviation[column]!;
  }
  return { coefficients, intercept };
}

/** The logit of each row. */
export function logits(rows: Rows, model: Logistic): Float64Array {
  const result = new Float64Array(rows.labels.length);
  for (let row = 0; row < result.length; row += 1) {
    let logit = model.intercept;
    for (let column = 0; column < width; column += 1)
      logit += model.coefficients[column]! * rows.features[row * width + column]!;
    result[row] = logit;
  }
  return result;
}

function moments(parts: readonly WeightedRows[]): { mean: Float64Array; deviation: Float64Array; weight: number } {
  const mean = new Float64Array(width);
  const square = new Float64Array(width);
  let weight = 0;
  for (const { rows, caseWeight } of parts) {
    weight += caseWeight * rows.labels.length;
    for (let index = 0; index < rows.features.length; index += 1)
      mean[index % width]! += caseWeight * rows.features[index]!;
  }
  for (let column = 0; column < width; column += 1) mean[column]! /= weight;
  for (const { rows, caseWeight } of parts) {
    for (let index = 0; index < rows.features.length; index += 1)
      square[index % width]! += caseWeight * (rows.features[index]! - mean[index % width]!) ** 2;
  }
  return { mean, deviation: square.map((value) => Math.sqrt(value / weight)), weight };
}
