import { logitOf } from '../src/relevance/coefficients.ts';
import type { Coefficients } from '../src/relevance/coefficients.ts';
import type { CatalogueProfile } from '../src/relevance/catalogue-profile.ts';
import { readConversation } from '../src/relevance/conversation.ts';
import { featureNames } from '../src/relevance/feature-names.ts';
import { computeFeatures } from '../src/relevance/features.ts';
import type { WordEmbedder } from '../src/relevance/word-embedder.ts';
import type { Case } from './data.ts';

/** Feature rows of many cases over one catalogue. */
export interface Rows {
  readonly features: Float32Array;
  /** 1 where the tool is needed, 0 where it is not, {@link undecided} where it would do as well as a needed one. */
  readonly labels: Uint8Array;
  /** Rows of case `c` are `starts[c]` up to `starts[c + 1]`. */
  readonly starts: Uint32Array;
  /** Place in the catalogue of each row's tool. */
  readonly ordinals: Uint32Array;
  readonly cases: readonly Case[];
}

export const width: number = featureNames.length;

/** Counts neither for nor against: taken out of the training, wrong in strict figures. */
export const undecided = 2;

/** Computes the rows of cases. */
export function computeRows(
  profile: CatalogueProfile,
  cases: readonly Case[],
  embedder: WordEmbedder | undefined,
  options: { readonly leaveAlternatives?: boolean } = {},
): Rows {
  const tables = cases.map((one) => computeFeatures(profile, readConversation(one.messages), embedder));
  const total = tables.reduce((sum, table) => sum + table.ordinals.length, 0);
  const features = new Float32Array(total * width);
  const labels = new Uint8Array(total);
  const ordinals = new Uint32Array(total);
  const starts = new Uint32Array(cases.length + 1);
  let row = 0;
  for (const [place, table] of tables.entries()) {
    features.set(table.rows, row * width);
    const relevant = new Set(cases[place]?.relevant);
    const alternatives = new Set(options.leaveAlternatives === true ? cases[place]?.alternatives : []);
    for (const ordinal of table.ordinals) {
      ordinals[row] = ordinal;
      labels[row] = relevant.has(ordinal) ? 1 : alternatives.has(ordinal) ? undecided : 0;
      row += 1;
    }
    starts[place + 1] = row;
  }
  return { features, labels, starts, ordinals, cases };
}

/** The logit of each row. */
export function logits(rows: Rows, model: Coefficients): Float64Array {
  return Float64Array.from(rows.labels, (_, row) => logitOf(model, rows.features, row * width));
}
