/** What was predicted, 0 to 1, and whether it came true. */
export interface Prediction {
  readonly probability: number;
  readonly outcome: boolean;
}

/** Predictions of one interval of probability. */
export interface ReliabilityBin {
  /** The interval: `low` included, `high` excluded, except in the last. */
  readonly low: number;
  readonly high: number;
  readonly count: number;
  /** Mean probability; NaN when empty. */
  readonly predicted: number;
  /** Share that came true; NaN when empty. */
  readonly observed: number;
}

/** Mean squared difference of probability and outcome, 0 (best) to 1 (Brier, 1950). NaN without predictions. */
export function brierScore(predictions: readonly Prediction[]): number {
  let sum = 0;
  for (const { probability, outcome } of predictions) sum += (probability - (outcome ? 1 : 0)) ** 2;
  return sum / predictions.length;
}

/** Predictions in intervals of equal width. */
export function reliabilityBins(predictions: readonly Prediction[], bins = 10): readonly ReliabilityBin[] {
  const counts = new Float64Array(bins);
  const sums = new Float64Array(bins);
  const hits = new Float64Array(bins);
  for (const { probability, outcome } of predictions) {
    const bin = binOf(probability, bins);
    counts[bin] = (counts[bin] as number) + 1;
    sums[bin] = (sums[bin] as number) + probability;
    if (outcome) hits[bin] = (hits[bin] as number) + 1;
  }
  return Array.from(counts, (count, bin) => ({
    low: bin / bins,
    high: (bin + 1) / bins,
    count,
    predicted: (sums[bin] as number) / count,
    observed: (hits[bin] as number) / count,
  }));
}

/** Which of `bins` intervals a probability falls into. */
export function binOf(probability: number, bins: number): number {
  return Math.min(bins - 1, Math.max(0, Math.floor(probability * bins)));
}

/**
 * Expected calibration error: difference of mean probability and share that came true in each interval, weighted by its
 * count, 0 (best) to 1 (Naeini, Cooper and Hauskrecht, 2015). NaN without predictions.
 */
export function expectedCalibrationError(predictions: readonly Prediction[], bins = 10): number {
  if (predictions.length === 0) return Number.NaN;
  let sum = 0;
  for (const bin of reliabilityBins(predictions, bins)) {
    if (bin.count > 0) sum += bin.count * Math.abs(bin.predicted - bin.observed);
  }
  return sum / predictions.length;
}
