import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { featureNames } from './feature-names.ts';
import { logisticWeights, vectorsHash, weightsVersion } from './generated/coefficients.ts';
import { packedBase64, words } from './generated/vectors.ts';
import { fromBase64 } from './load-vectors.ts';

const read = (path: string): string => readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8');
const card = read('../../docs/model-card.md');

test('the shipped coefficients are the ones that the model card describes', () => {
  const hash = createHash('sha256').update(read('generated/coefficients.ts')).digest('hex');
  expect(card.includes(hash)).toBe(true);
  expect(card.includes(weightsVersion)).toBe(true);
});

test('the shipped word vectors are the ones that the coefficients were fitted with and the model card describes', () => {
  const hash = createHash('sha256').update(words).update(fromBase64(packedBase64)).digest('hex');
  expect(hash).toBe(vectorsHash);
  expect(card.includes(hash)).toBe(true);
});

test('the package carries less than 4 MB of vectors', () => {
  expect(read('generated/vectors.ts').length).toBeLessThan(4_000_000);
});

test('every weight belongs to a feature, and no feature counts against a tool for matching better', () => {
  const names = new Set<string>(featureNames);
  for (const model of [logisticWeights.full, logisticWeights.lexical]) {
    for (const [name, weight] of Object.entries(model.weights)) {
      expect(names.has(name)).toBe(true);
      expect(Number.isFinite(weight)).toBe(true);
      if (featureNames.indexOf(name as (typeof featureNames)[number]) < featureNames.indexOf('catalogueSize'))
        expect(weight).toBeGreaterThan(0);
    }
  }
});
