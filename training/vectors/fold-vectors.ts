import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { lateThreshold, vectorFieldWeights } from '../../src/relevance/vector-settings.ts';
import { packWordVectors } from '../../src/relevance/word-vectors.ts';
import type { PackedVectors } from '../../src/relevance/word-vectors.ts';
import type { DataSet } from '../data.ts';
import { cacheDirectory } from '../paths.ts';
import { examplesOf } from './examples.ts';
import type { Example } from './examples.ts';
import { trainVectors } from './train.ts';
import type { Vocabulary } from './vocabulary.ts';

/** How word vectors are trained; part of the checkpoint's key. */
export interface VectorSettings {
  readonly epochs: number;
  readonly queriesPerSet: number;
  readonly seed: number;
}

/** Names with their descriptions, made when they are needed. */
export interface PairSource {
  /** How many tools they come from. */
  readonly tools: number;
  make(): readonly Example[];
}

/** Changed whenever the training itself changes, so that old checkpoints are not taken. */
const recipe = 1;

/** Trains vectors on sets and on pairs of catalogues (made when needed), or takes them from an earlier run with the same data and settings. */
export function vectorsFor(
  vocabulary: Vocabulary,
  sets: readonly DataSet[],
  pairs: PairSource,
  settings: VectorSettings,
  log: (line: string) => void,
): PackedVectors {
  const key = createHash('sha256')
    .update(
      JSON.stringify([
        recipe,
        settings,
        lateThreshold,
        vectorFieldWeights,
        sets.map((set) => [set.hash, set.cases.length]),
        pairs.tools,
        vocabulary.words.length,
      ]),
    )
    .digest('hex')
    .slice(0, 16);
  const file = `${cacheDirectory()}/vectors-${key}.bin`;
  const words = vocabulary.words.join(' ');
  if (existsSync(file)) return { words, bytes: new Uint8Array(readFileSync(file)) };
  log(`word vectors from ${sets.map((set) => set.name).join(', ')}`);
  const queries = sets.flatMap((set) => examplesOf(set, vocabulary, settings.queriesPerSet));
  const { vectors, importance } = trainVectors(vocabulary, queries, pairs.make(), {
    epochs: settings.epochs,
    seed: settings.seed,
    log,
  });
  const packed = packWordVectors(vocabulary.words, vectors, importance);
  mkdirSync(cacheDirectory(), { recursive: true });
  writeFileSync(file, packed.bytes);
  return packed;
}
