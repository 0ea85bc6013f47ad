import { firstSituationColumn } from '../src/relevance/coefficients.ts';
import type { Coefficients } from '../src/relevance/coefficients.ts';
import { featureNames } from '../src/relevance/feature-names.ts';
import type { FeatureName, SituationFeatureName } from '../src/relevance/feature-names.ts';
import { fitLogistic } from './logistic.ts';
import type { Logistic, WeightedRows } from './logistic.ts';
import { width } from './rows.ts';
import { offsetForWorstSet } from './worst-set.ts';

/** A strong pull: the sets differ more than the features do, and what all of them agree on carries over. */
const rankingRidge = 50;
const situationRidge = 0.05;

/** Of these the slope depends: the best of few tools may fit by chance, and the tools of several requests share the first ranks. */
const slopeFeatures: readonly SituationFeatureName[] = ['catalogueSize', 'actions'];

/** Columns that no weight is given to. */
export function columnsWithout(match: (name: FeatureName) => boolean): Set<number> {
  return new Set(featureNames.flatMap((name, column) => (match(name) ? [column] : [])));
}

/** Columns of the vector features. */
export function isVectorFeature(name: FeatureName): boolean {
  return /^(?:late|mean)|^topLate/u.test(name);
}

/**
 * Fits in three steps. First what makes a tool fit: with a strong pull towards 0, and no feature may count against a tool for matching better
 * (such weights come from features that overlap, and do not carry over). Then how sure to be: the slope of that score, and the features of
 * the situation, which are few and may weigh what they weigh. Last the constant: where the worst of the sets is least wrong, since the next catalogue
 * may be like any of them.
 */
export function fitModel(parts: readonly WeightedRows[], without: ReadonlySet<number>): Coefficients {
  const ranking = fitRanking(parts, without);
  const situation = fitSituation(parts, ranking, without);
  return { ...situation, intercept: situation.intercept + offsetForWorstSet(parts, situation) };
}

function fitRanking(parts: readonly WeightedRows[], without: ReadonlySet<number>): Float64Array {
  const excluded = new Set(without);
  let ranking = fitLogistic(parts, { ridge: rankingRidge, without: excluded });
  for (let round = 0; round < 8; round += 1) {
    const negative: number[] = [];
    for (let column = 0; column < firstSituationColumn; column += 1)
      if (ranking.coefficients[column]! < 0) negative.push(column);
    if (negative.length === 0) break;
    for (const column of negative) excluded.add(column);
    ranking = fitLogistic(parts, { ridge: rankingRidge, without: excluded, start: ranking });
  }
  return ranking.coefficients.map((value, column) => (column < firstSituationColumn ? Math.max(0, value) : 0));
}

/** The fit stands in the first column, its products with the slope's features in the next ones. */
function fitSituation(
  parts: readonly WeightedRows[],
  ranking: Float64Array,
  without: ReadonlySet<number>,
): Coefficients {
  const slopeColumns = slopeFeatures.map((name) => featureNames.indexOf(name));
  const scored = parts.map((part): WeightedRows => {
    const features = Float32Array.from(part.rows.features);
    for (let from = 0; from < features.length; from += width) {
      let fit = 0;
      for (let column = 0; column < firstSituationColumn; column += 1)
        fit += ranking[column]! * part.rows.features[from + column]!;
      features[from] = fit;
      for (const [place, column] of slopeColumns.entries()) features[from + 1 + place] = fit * features[from + column]!;
    }
    return { ...part, rows: { ...part.rows, features } };
  });
  const used = 1 + slopeColumns.length;
  const others = new Set(without);
  for (let column = 0; column < firstSituationColumn; column += 1) {
    if (column < used) others.delete(column);
    else others.add(column);
  }
  const { coefficients, intercept }: Logistic = fitLogistic(scored, { ridge: situationRidge, without: others });
  const factor = coefficients[0]!;
  const slopes = new Float64Array(width);
  for (const [place, column] of slopeColumns.entries()) slopes[column] = coefficients[1 + place]! / factor;
  return {
    values: coefficients.map((value, column) => (column < firstSituationColumn ? ranking[column]! * factor : value)),
    slopes,
    intercept,
  };
}
