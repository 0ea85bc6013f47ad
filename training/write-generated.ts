import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import type { Coefficients } from '../src/relevance/coefficients.ts';
import { featureNames } from '../src/relevance/feature-names.ts';
import type { PackedVectors } from '../src/relevance/word-vectors.ts';

/** The form of the model: raised when its features change, so that thresholds and calibrations of another form are not carried over. */
const form = 'local-1';

/** Everything that goes into the generated modules. */
export interface GeneratedWeights {
  readonly full: Coefficients;
  readonly lexical: Coefficients;
  /** SHA-256 over the data that was trained on. */
  readonly dataHash: string;
}

/** SHA-256 of the packed vectors and their words; the model card names it. */
export function vectorsHash(packed: PackedVectors): string {
  return createHash('sha256').update(packed.words).update(packed.bytes).digest('hex');
}

/** Writes `coefficients.ts`, in full view, and gives its version and its text's SHA-256. */
export function writeCoefficients(
  directory: string,
  weights: GeneratedWeights,
  packedHash: string,
): { readonly version: string; readonly hash: string } {
  const lines = (values: Float64Array): string =>
    featureNames
      .flatMap((name, column) => (values[column] === 0 ? [] : [`      ${name}: ${round(values[column]!)},\n`]))
      .join('');
  const model = ({ intercept, values, slopes }: Coefficients): string =>
    `{\n    intercept: ${round(intercept)},\n    weights: {\n${lines(values)}    },\n    slopes: {\n${lines(slopes)}    },\n  }`;
  const textOf = (
    version: string,
  ): string => `// Made by \`npm run train\` in \`training\`. Do not edit: the model card describes exactly these numbers.
import type { LogisticWeights } from '../coefficients.ts';

/** The model's version: its form, and the first digits of the hash of everything below. */
export const weightsVersion = '${version}';

/** SHA-256 over the sets and catalogues that were trained on. */
export const dataHash = '${weights.dataHash}';

/** SHA-256 over the word vectors that belong to these weights. */
export const vectorsHash = '${packedHash}';

/** Log-odds by feature. \`full\` is for use with the word vectors, \`lexical\` without them. */
export const logisticWeights: {
  readonly full: LogisticWeights;
  readonly lexical: LogisticWeights;
} = {
  full: ${model(weights.full)},
  lexical: ${model(weights.lexical)},
};
`;
  mkdirSync(directory, { recursive: true });
  const version = `${form}-${sha256(textOf(form)).slice(0, 8)}`;
  const text = textOf(version);
  writeFileSync(`${directory}/coefficients.ts`, text);
  return { version, hash: sha256(text) };
}

/** Writes \`vectors.ts\`. */
export function writeVectors(directory: string, packed: PackedVectors): void {
  const text = `// Made by \`npm run train\` in \`training\` from GloVe 6B (public domain, PDDL 1.0).

/** Words in row order. */
export const words: string = '${packed.words}';

/** Packed rows, see \`PackedVectors\`. */
export const packedBase64: string = '${Buffer.from(packed.bytes).toString('base64')}';
`;
  mkdirSync(directory, { recursive: true });
  writeFileSync(`${directory}/vectors.ts`, text);
}

function round(value: number): string {
  return String(Number(value.toPrecision(6)));
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
