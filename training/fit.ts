import { featureNames } from '../src/relevance/feature-names.ts';
import type { FeatureName } from '../src/relevance/feature-names.ts';
import { fitLogistic } from './logistic.ts';
import type { Logistic, WeightedRows } from './logistic.ts';
import { width } from './rows.ts';

/** Features that say how well a tool fits stand before this one, features of the situation after it. */
const firstOfSituation = featureNames.indexOf('catalogueSize');

/** A strong pull: the sets differ more than the features do, and what all of them agree on carries over. */
const rankingRidge = 30;
const situationRidge = 0.05;

/** Columns that no weight is given to. */
export function columnsWithout(match: (name: FeatureName) => boolean): Set<number> {
  return new Set(featureNames.flatMap((name, column) => (match(name) ? [column] : [])));
}

/** Columns of the vector features. */
export function isVectorFeature(name: FeatureName): boolean {
  return /^(?:late|mean)|^topLate/u.test(name);
}

/**
 * Fits in two steps. First what makes a tool fit: with a strong pull towards 0, and no feature may count against a tool for matching better
 * (such weights come from features that overlap, and do not carry over). Then how sure to be: one factor on that score, and the features of
 * the situation, which are few and may weigh what they weigh.
 */
export function fitModel(
  parts: readonly WeightedRows[],
  without: ReadonlySet<number>,
  ridge: number = rankingRidge,
): Logistic {
  const excluded = new Set(without);
  let ranking = fitLogistic(parts, { ridge, without: excluded });
  for (let round = 0; round < 8; round += 1) {
    const negative: number[] = [];
    for (let column = 0; column < firstOfSituation; column += 1)
      if (ranking.coefficients[column]! < 0) negative.push(column);
    if (negative.length === 0) break;
    for (const column of negative) excluded.add(column);
    ranking = fitLogistic(parts, { ridge, without: excluded, start: ranking });
  }
  const scored = parts.map(({ rows, caseWeight }): WeightedRows => {
    const features = Float32Array.from(rows.features);
    for (let row = 0; row < rows.labels.length; row += 1) {
      let sum = 0;
      for (let column = 0; column < firstOfSituation; column += 1)
        sum += Math.max(0, ranking.coefficients[column]!) * features[row * width + column]!;
      features[row * width] = sum;
    }
    return { rows: { ...rows, features }, caseWeight };
  });
  const others = new Set(without);
  for (let column = 1; column < firstOfSituation; column += 1) others.add(column);
  others.delete(0);
  const second = fitLogistic(scored, { ridge: situationRidge, without: others });
  const coefficients = new Float64Array(width);
  for (let column = 0; column < firstOfSituation; column += 1)
    coefficients[column] = Math.max(0, ranking.coefficients[column]!) * second.coefficients[0]!;
  for (let column = firstOfSituation; column < width; column += 1) coefficients[column] = second.coefficients[column]!;
  return { coefficients, intercept: second.intercept };
}
