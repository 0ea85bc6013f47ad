import { featureNames } from './feature-names.ts';
import type { FeatureName } from './feature-names.ts';
import { logisticWeights } from './generated/coefficients.ts';

/** A logistic model over the features: `1 / (1 + exp(-(intercept + sum of weight times value)))`. */
export interface LogisticWeights {
  readonly intercept: number;
  readonly weights: Readonly<Partial<Record<FeatureName, number>>>;
}

/** Weights as an array in the order of {@link featureNames}. */
export interface Coefficients {
  readonly intercept: number;
  readonly values: Float64Array;
}

/** Arranges weights by feature; features without a weight count nothing. */
export function arrange(model: LogisticWeights): Coefficients {
  return { intercept: model.intercept, values: Float64Array.from(featureNames, (name) => model.weights[name] ?? 0) };
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
