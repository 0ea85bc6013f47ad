import { featureNames, toolFeatureNames } from './feature-names.ts';
import type { FeatureName, SituationFeatureName } from './feature-names.ts';
import { logisticWeights } from './generated/coefficients.ts';

/**
 * A logistic model over the features: `1 / (1 + exp(-logit))` with `logit = intercept + slope * fit + situation`, where `fit` is the sum of weight
 * times value over the features of the tool, `situation` the same over those of the situation, and `slope` 1 plus the sum of `slopes` times value:
 * what a good fit tells differs with the situation (in a small catalogue the best of few may fit by chance).
 */
export interface LogisticWeights {
  readonly intercept: number;
  readonly weights: Readonly<Partial<Record<FeatureName, number>>>;
  readonly slopes: Readonly<Partial<Record<SituationFeatureName, number>>>;
}

/** Weights as an array in the order of {@link featureNames}. */
export interface Coefficients {
  readonly intercept: number;
  readonly values: Float64Array;
  readonly slopes: Float64Array;
}

/** Columns before this one say how well a tool fits, the others what the situation is. */
export const firstSituationColumn: number = toolFeatureNames.length;

/** Arranges weights by feature; features without a weight count nothing. */
export function arrange(model: LogisticWeights): Coefficients {
  const slopes: Readonly<Partial<Record<FeatureName, number>>> = model.slopes;
  return {
    intercept: model.intercept,
    values: Float64Array.from(featureNames, (name) => model.weights[name] ?? 0),
    slopes: Float64Array.from(featureNames, (name) => slopes[name] ?? 0),
  };
}

/** What the fit of the tool in the row that starts at `from` is multiplied by. */
export function slopeOf({ slopes }: Pick<Coefficients, 'slopes'>, rows: ArrayLike<number>, from: number): number {
  let slope = 1;
  for (let column = firstSituationColumn; column < slopes.length; column += 1)
    slope += (slopes[column] as number) * (rows[from + column] as number);
  return slope;
}

/** The logit of the row that starts at `from`. */
export function logitOf(coefficients: Coefficients, rows: ArrayLike<number>, from: number): number {
  const { values, intercept } = coefficients;
  let fit = 0;
  for (let column = 0; column < firstSituationColumn; column += 1)
    fit += (values[column] as number) * (rows[from + column] as number);
  let logit = intercept + slopeOf(coefficients, rows, from) * fit;
  for (let column = firstSituationColumn; column < values.length; column += 1)
    logit += (values[column] as number) * (rows[from + column] as number);
  return logit;
}

/** With word vectors. */
export const fullCoefficients: Coefficients = arrange(logisticWeights.full);

/** For the time or place without them: fitted on its own, so that it stays calibrated. */
export const lexicalCoefficients: Coefficients = arrange(logisticWeights.lexical);

/**
 * Log-odds for each standard deviation by which an embedding model of the host's finds a tool more alike than the catalogue's mean. Set by hand, so that a clear
 * likeness outweighs silence of the words and not their plain speech; no such model took part in the training.
 */
export const embeddingWeight = 0.8;
