import type { CatalogueProfile } from './catalogue-profile.ts';
import {
  embeddingWeight,
  firstSituationColumn,
  fullCoefficients,
  lexicalCoefficients,
  logitOf,
  slopeOf,
} from './coefficients.ts';
import type { Coefficients } from './coefficients.ts';
import type { Conversation } from './conversation.ts';
import { featureNames } from './feature-names.ts';
import type { FeatureName } from './feature-names.ts';
import { computeFeatures } from './features.ts';
import type { WordEmbedder } from './word-embedder.ts';

/** Turns a logit into a probability for one deployment: `1 / (1 + exp(-(slope * logit + offset)))`. */
export interface Calibration {
  /** Above 0. Default 1. */
  readonly slope: number;
  /** Default 0. */
  readonly offset: number;
}

/** What the model makes of a catalogue in a conversation. */
export interface Scores {
  /** Of every tool, by place in the catalogue. */
  probability(place: number): number;
  /** The calibrated logit of every tool. */
  logit(place: number): number;
  /** What each feature adds to the logit, the constant under `intercept`; undefined for tools that were not looked at closely. */
  shares(place: number): ReadonlyMap<FeatureName | 'intercept' | 'embedding', number> | undefined;
}

/** Tools outside the shortlist: nothing spoke for them. */
const farLogit = -9;

/** Scores a conversation. `similarities` are those of the host's embedding model, by place. */
export function scoreCatalogue(
  profile: CatalogueProfile,
  conversation: Conversation,
  embedder: WordEmbedder | undefined,
  calibration: Calibration,
  similarities?: Float32Array,
): Scores {
  const coefficients: Coefficients = embedder === undefined ? lexicalCoefficients : fullCoefficients;
  const embedded = similarities === undefined ? undefined : standardised(similarities);
  const table = computeFeatures(profile, conversation, embedder, embedded);
  const rowOf = new Map(table.ordinals.map((ordinal, row) => [ordinal, row]));
  const width = featureNames.length;
  const logits = new Float64Array(table.ordinals.length);
  for (let row = 0; row < logits.length; row += 1) {
    let logit = logitOf(coefficients, table.rows, row * width);
    if (embedded !== undefined) logit += embeddingWeight * (embedded[table.ordinals[row] as number] as number);
    logits[row] = calibration.slope * logit + calibration.offset;
  }
  const logit = (place: number): number => {
    const row = rowOf.get(place);
    return row === undefined ? calibration.slope * farLogit + calibration.offset : (logits[row] as number);
  };
  return {
    logit,
    probability: (place) => 1 / (1 + Math.exp(-logit(place))),
    shares(place) {
      const row = rowOf.get(place);
      if (row === undefined) return undefined;
      const shares = new Map<FeatureName | 'intercept' | 'embedding', number>([
        ['intercept', calibration.slope * coefficients.intercept + calibration.offset],
      ]);
      const slope = slopeOf(coefficients, table.rows, row * width);
      for (const [column, name] of featureNames.entries()) {
        const share =
          calibration.slope *
          (column < firstSituationColumn ? slope : 1) *
          (coefficients.values[column] as number) *
          (table.rows[row * width + column] as number);
        if (share !== 0) shares.set(name, share);
      }
      if (embedded !== undefined)
        shares.set('embedding', calibration.slope * embeddingWeight * (embedded[place] as number));
      return shares;
    },
  };
}

/** Distance from the mean in standard deviations, cut at 0 and 6: what is below the mean is as unlike as can be. */
function standardised(values: Float32Array): Float32Array {
  const count = values.length || 1;
  let mean = 0;
  for (const value of values) mean += value / count;
  let square = 0;
  for (const value of values) square += (value - mean) ** 2 / count;
  const deviation = Math.sqrt(square) || 1;
  return values.map((value) => Math.max(0, Math.min(6, (value - mean) / deviation)));
}
