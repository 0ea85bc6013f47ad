import { solve } from './solve.ts';
import { undecided, width } from './rows.ts';
import type { Rows } from './rows.ts';

/** Coefficients on the features as they are, and a constant. */
export interface Logistic {
  readonly coefficients: Float64Array;
  readonly intercept: number;
}

/** Rows with the weight that each case of theirs has. */
export interface WeightedRows {
  /** The set that they come from. */
  readonly set: string;
  readonly rows: Rows;
  readonly caseWeight: number;
}

export interface LogisticOptions {
  /** Strength of the pull towards 0, on standardised features, in thousandths of the whole weight. */
  readonly ridge: number;
  /** Columns that are held at 0. */
  readonly without?: ReadonlySet<number>;
  /** Where to start from. */
  readonly start?: Logistic;
}

/** Rows that are surely told apart count less than this; their curvature is not worth its cost. */
const negligible = 2e-4;

/** Logistic regression by Newton's method on standardised features. Deterministic. */
export function fitLogistic(parts: readonly WeightedRows[], options: LogisticOptions): Logistic {
  const { mean, deviation, weight } = moments(parts);
  const used: number[] = [];
  for (let column = 0; column < width; column += 1) {
    if (deviation[column]! > 1e-6 && options.without?.has(column) !== true) used.push(column);
  }
  const size = used.length + 1;
  const beta = new Float64Array(size);
  const { start } = options;
  if (start !== undefined) {
    beta[size - 1] = start.intercept;
    for (let column = 0; column < width; column += 1) beta[size - 1]! += start.coefficients[column]! * mean[column]!;
    for (const [place, column] of used.entries()) beta[place] = start.coefficients[column]! * deviation[column]!;
  }
  const pull = options.ridge * 1e-3;
  const values = new Float64Array(size);
  values[size - 1] = 1;
  const scale = used.map((column) => 1 / deviation[column]!);
  const shift = used.map((column) => mean[column]!);
  for (let round = 0; round < 15; round += 1) {
    const gradient = new Float64Array(size);
    const hessian = new Float64Array(size * size);
    for (const { rows, caseWeight } of parts) {
      const share = caseWeight / weight;
      const { features, labels } = rows;
      for (let row = 0; row < labels.length; row += 1) {
        if (labels[row] === undecided) continue;
        const from = row * width;
        let logit = beta[size - 1]!;
        for (let place = 0; place < size - 1; place += 1) {
          const value = (features[from + used[place]!]! - shift[place]!) * scale[place]!;
          values[place] = value;
          logit += beta[place]! * value;
        }
        const p = 1 / (1 + Math.exp(-logit));
        const error = share * (p - labels[row]!);
        for (let a = 0; a < size; a += 1) gradient[a]! += error * values[a]!;
        const curve = p * (1 - p);
        if (curve < negligible) continue;
        for (let a = 0; a < size; a += 1) {
          const scaled = share * curve * values[a]!;
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
    for (let a = 0; a < size; a += 1) {
      const move = Math.max(-3, Math.min(3, step[a]!));
      largest = Math.max(largest, Math.abs(move));
      beta[a]! -= move;
    }
    if (largest < 2e-3) break;
  }
  const coefficients = new Float64Array(width);
  let intercept = beta[size - 1]!;
  for (const [place, column] of used.entries()) {
    coefficients[column] = beta[place]! / deviation[column]!;
    intercept -= (beta[place]! * mean[column]!) / deviation[column]!;
  }
  return { coefficients, intercept };
}

function moments(parts: readonly WeightedRows[]): { mean: Float64Array; deviation: Float64Array; weight: number } {
  const mean = new Float64Array(width);
  const square = new Float64Array(width);
  let weight = 0;
  for (const { rows, caseWeight } of parts) {
    weight += caseWeight * rows.labels.length;
    for (let from = 0; from < rows.features.length; from += width) {
      for (let column = 0; column < width; column += 1) mean[column]! += caseWeight * rows.features[from + column]!;
    }
  }
  for (let column = 0; column < width; column += 1) mean[column]! /= weight;
  for (const { rows, caseWeight } of parts) {
    for (let from = 0; from < rows.features.length; from += width) {
      for (let column = 0; column < width; column += 1)
        square[column]! += caseWeight * (rows.features[from + column]! - mean[column]!) ** 2;
    }
  }
  return { mean, deviation: square.map((value) => Math.sqrt(value / weight)), weight };
}
