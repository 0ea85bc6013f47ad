import { gloveDimensions } from '../glove.ts';
import { createRandom, shuffled } from '../random.ts';
import { createAdam } from './adam.ts';
import type { Example } from './examples.ts';
import { createExampleStep, toolsPerExample } from './example-step.ts';
import type { Vocabulary } from './vocabulary.ts';

/** What training gives. */
export interface TrainedVectors {
  /** Rows of unit length in the vocabulary's order. */
  readonly vectors: Float32Array;
  /** How much a word says in a query, 0 and up. */
  readonly importance: Float32Array;
}

export interface VectorTrainingOptions {
  readonly epochs: number;
  readonly seed: number;
  readonly log: (line: string) => void;
}

const size = gloveDimensions;
const batchSize = 48;

/**
 * Learns a shift for every word, one linear map for all of them, and how much each word says, so that queries come near the tools that
 * answer them: contrastive learning (InfoNCE, van den Oord 2018) over late interaction (ColBERT, Khattab and Zaharia 2020) and the
 * cosine of weighted means, against lexically similar and random wrong tools.
 */
export function trainVectors(
  vocabulary: Vocabulary,
  queries: readonly Example[],
  pairs: readonly Example[],
  options: VectorTrainingOptions,
): TrainedVectors {
  const count = vocabulary.words.length;
  const random = createRandom(options.seed);
  const current = Float32Array.from(vocabulary.vectors);
  const map = new Float32Array(size * size);
  for (let k = 0; k < size; k += 1) map[k * size + k] = 1;
  const bias = new Float32Array(count);
  const rows = createAdam(current, size, 1e-3);
  const mapAdam = createAdam(map, size, 5e-4);
  const biasAdam = createAdam(bias, 1, 1e-2);
  const local = new Int32Array(count).fill(-1);
  const importanceOf = (word: number): number => softplus(startImportance(word) + bias[word]!);

  for (let epoch = 0; epoch < options.epochs; epoch += 1) {
    const order = shuffled(queries, random);
    const started = performance.now();
    let loss = 0;
    let batches = 0;
    for (let start = 0; start < order.length; start += batchSize) {
      const batch = order.slice(start, start + batchSize);
      const weights = batch.map(() => 1);
      for (let extra = 0; extra < batchSize / 2 && pairs.length > 0; extra += 1) {
        batch.push(pairs[Math.floor(random() * pairs.length)] as Example);
        weights.push(0.5);
      }
      loss += runBatch(batch, weights);
      batches += 1;
    }
    options.log(
      `  epoch ${epoch + 1}: loss ${(loss / batches).toFixed(3)}, ${((performance.now() - started) / 1000).toFixed(0)} s`,
    );
  }
  const vectors = new Float32Array(count * size);
  for (let row = 0; row < count; row += 1) {
    transform(current, row * size, map, vectors, row * size);
    normalise(vectors, row * size);
  }
  return { vectors, importance: Float32Array.from({ length: count }, (_, word) => importanceOf(word)) };

  function startImportance(word: number): number {
    return (3 * Math.log((word + 3) * 13)) / Math.log(400_000 * 13) - 1;
  }

  function runBatch(batch: readonly Example[], weights: readonly number[]): number {
    const used: number[] = [];
    const take = (word: number): void => {
      if (local[word]! >= 0) return;
      local[word] = used.length;
      used.push(word);
    };
    const choices = batch.map((example) => chooseTools(example, random));
    for (const [index, example] of batch.entries()) {
      example.query.forEach(take);
      for (const tool of choices[index] as number[]) example.catalogue.tools[tool]?.words.forEach(take);
    }
    const n = used.length;
    const vectors = new Float32Array(n * size);
    const lengths = new Float32Array(n);
    for (let row = 0; row < n; row += 1) {
      transform(current, used[row]! * size, map, vectors, row * size);
      lengths[row] = normalise(vectors, row * size);
    }
    const gradient = new Float32Array(n * size);
    const importance = Float32Array.from(used, importanceOf);
    const importanceGradient = new Float32Array(n);
    const step = createExampleStep({ vectors, gradient, importance, importanceGradient, local });
    let loss = 0;
    for (const [index, example] of batch.entries())
      loss += step(example, choices[index] as number[], (weights[index] as number) / batchSize);
    update(used, vectors, lengths, gradient, importanceGradient);
    for (const word of used) local[word] = -1;
    return loss;
  }

  function update(
    used: readonly number[],
    vectors: Float32Array,
    lengths: Float32Array,
    gradient: Float32Array,
    importanceGradient: Float32Array,
  ): void {
    const mapGradient = new Float32Array(size * size);
    const rowGradient = new Float32Array(size);
    rows.tick();
    mapAdam.tick();
    biasAdam.tick();
    const one = new Float32Array(1);
    for (const [index, word] of used.entries()) {
      const start = index * size;
      // Through the normalisation: only what is at right angles to the vector counts.
      let along = 0;
      for (let k = 0; k < size; k += 1) along += gradient[start + k]! * vectors[start + k]!;
      const inverse = 1 / lengths[index]!;
      for (let k = 0; k < size; k += 1)
        gradient[start + k] = (gradient[start + k]! - along * vectors[start + k]!) * inverse;
      const from = word * size;
      for (let j = 0; j < size; j += 1) {
        const input = current[from + j]!;
        const base = j * size;
        let sum = 0;
        for (let k = 0; k < size; k += 1) {
          const slope = gradient[start + k]!;
          sum += slope * map[base + k]!;
          mapGradient[base + k]! += input * slope;
        }
        rowGradient[j] = sum;
      }
      rows.step(word, rowGradient, 0);
      one[0] = importanceGradient[index]! * sigmoid(startImportance(word) + bias[word]!) + 1e-4 * bias[word]!;
      biasAdam.step(word, one, 0);
    }
    for (let row = 0; row < size; row += 1) mapAdam.step(row, mapGradient, row * size);
  }
}

function chooseTools(example: Example, random: () => number): number[] {
  const positive = example.positives[Math.floor(random() * example.positives.length)] as number;
  const right = new Set(example.positives);
  const tools = [positive, ...shuffled(example.hard, random).slice(0, 8)];
  const available = example.catalogue.tools.length;
  for (let attempt = 0; tools.length < toolsPerExample && attempt < 60; attempt += 1) {
    const other = Math.floor(random() * available);
    if (!right.has(other) && !tools.includes(other)) tools.push(other);
  }
  return tools;
}

function transform(from: Float32Array, start: number, map: Float32Array, into: Float32Array, target: number): void {
  for (let j = 0; j < size; j += 1) {
    const input = from[start + j]!;
    const base = j * size;
    for (let k = 0; k < size; k += 1) into[target + k]! += input * map[base + k]!;
  }
}

function normalise(values: Float32Array, start: number): number {
  let square = 0;
  for (let k = 0; k < size; k += 1) square += values[start + k]! ** 2;
  const length = Math.sqrt(square) || 1;
  for (let k = 0; k < size; k += 1) values[start + k]! /= length;
  return length;
}

function softplus(value: number): number {
  return value > 20 ? value : Math.log1p(Math.exp(value));
}

function sigmoid(value: number): number {
  return 1 / (1 + Math.exp(-value));
}
