import { lateThreshold, vectorFieldWeights } from '../../src/relevance/vector-settings.ts';
import { gloveDimensions } from '../glove.ts';
import type { Example } from './examples.ts';

/** One right and fifteen wrong tools. */
export const toolsPerExample = 16;

/** Arrays of one batch; `local` leads from vocabulary positions to rows. */
export interface BatchState {
  readonly vectors: Float32Array;
  readonly gradient: Float32Array;
  readonly importance: Float32Array;
  readonly importanceGradient: Float32Array;
  readonly local: Int32Array;
}

const size = gloveDimensions;
const sharpness = 10;
const { late: lateField, mean: meanField } = vectorFieldWeights;

/** Forward and backward through one example; adds to the gradients and gives the loss. */
export function createExampleStep(
  state: BatchState,
): (example: Example, tools: readonly number[], weight: number) => number {
  const { vectors, gradient, importance, importanceGradient, local } = state;
  const meanQuery = new Float64Array(size);
  const slopeQuery = new Float64Array(size);
  const slopeTool = new Float64Array(size);
  const means = new Float64Array(toolsPerExample * size);

  return (example, tools, weight) => {
    const count = tools.length;
    const queryRows = Array.from(example.query, (word) => local[word]!);
    const shares = Array.from(example.query, (word) => 0.5 + 0.5 * example.catalogue.rarity[word]!);
    const queryWeights = queryRows.map((row, index) => importance[row]! * shares[index]!);
    const total = queryWeights.reduce((sum, value) => sum + value, 0) || 1;

    const slots = new Map<number, number>();
    const slotRows: number[] = [];
    const toolSlots = tools.map((tool) =>
      Array.from(example.catalogue.tools[tool]?.words ?? [], (word) => {
        const row = local[word]!;
        let slot = slots.get(row);
        if (slot === undefined) {
          slot = slotRows.length;
          slots.set(row, slot);
          slotRows.push(row);
        }
        return slot;
      }),
    );
    const width = slotRows.length;
    const similarity = new Float32Array(queryRows.length * width);
    for (const [i, queryRow] of queryRows.entries()) {
      const a = queryRow * size;
      for (let s = 0; s < width; s += 1) {
        const b = slotRows[s]! * size;
        let sum = 0;
        for (let k = 0; k < size; k += 1) sum += vectors[a + k]! * vectors[b + k]!;
        similarity[i * width + s] = sum;
      }
    }

    // Late interaction: the best word of the tool for each word of the query.
    const best = new Float32Array(queryRows.length * count);
    const bestSlot = new Int32Array(queryRows.length * count).fill(-1);
    const bestField = new Float32Array(queryRows.length * count);
    const late = new Float64Array(count);
    for (let t = 0; t < count; t += 1) {
      const list = toolSlots[t] as number[];
      const fields = example.catalogue.tools[tools[t]!]?.fields;
      for (let i = 0; i < queryRows.length; i += 1) {
        let value = 0;
        for (let j = 0; j < list.length; j += 1) {
          const factor = lateField[fields?.[j] ?? 1]!;
          const score = (factor * (similarity[i * width + list[j]!]! - lateThreshold)) / (1 - lateThreshold);
          if (score <= value) continue;
          value = score;
          bestSlot[i * count + t] = list[j]!;
          bestField[i * count + t] = factor;
        }
        best[i * count + t] = value;
        late[t]! += (queryWeights[i]! * value) / total;
      }
    }

    // The cosine of weighted means.
    meanQuery.fill(0);
    for (const [i, row] of queryRows.entries())
      for (let k = 0; k < size; k += 1) meanQuery[k]! += queryWeights[i]! * vectors[row * size + k]!;
    const queryLength = unit(meanQuery, 0);
    means.fill(0);
    const lengths = new Float64Array(count);
    const cosine = new Float64Array(count);
    const coefficients = toolSlots.map((list, t) => meanCoefficients(list, tools[t]!, example));
    for (let t = 0; t < count; t += 1) {
      const list = toolSlots[t] as number[];
      for (let j = 0; j < list.length; j += 1) {
        const row = slotRows[list[j]!]! * size;
        const c = coefficients[t]![j]!;
        for (let k = 0; k < size; k += 1) means[t * size + k]! += c * vectors[row + k]!;
      }
      lengths[t] = unit(means, t * size);
      for (let k = 0; k < size; k += 1) cosine[t]! += meanQuery[k]! * means[t * size + k]!;
    }

    const both = cosine.map((value, t) => (value + late[t]!) / 2);
    const a = softmax(cosine);
    const b = softmax(late);
    const c = softmax(both);
    const loss = -(Math.log(a[0]! + 1e-12) + Math.log(b[0]! + 1e-12) + Math.log(c[0]! + 1e-12)) / 3;

    const slopeSimilarity = new Float32Array(queryRows.length * width);
    slopeQuery.fill(0);
    for (let t = 0; t < count; t += 1) {
      const target = t === 0 ? 1 : 0;
      const slopeCosine = (weight * sharpness * (a[t]! - target + (c[t]! - target) / 2)) / 3;
      const slopeLate = (weight * sharpness * (b[t]! - target + (c[t]! - target) / 2)) / 3;
      for (let i = 0; i < queryRows.length; i += 1) {
        const at = i * count + t;
        importanceGradient[queryRows[i]!]! += (slopeLate * shares[i]! * (best[at]! - late[t]!)) / total;
        const slot = bestSlot[at]!;
        if (slot >= 0)
          slopeSimilarity[i * width + slot]! +=
            (slopeLate * queryWeights[i]! * bestField[at]!) / (1 - lateThreshold) / total;
      }
      const list = toolSlots[t] as number[];
      const inverse = lengths[t]! > 0 ? slopeCosine / lengths[t]! : 0;
      for (let k = 0; k < size; k += 1) {
        slopeQuery[k]! += slopeCosine * means[t * size + k]!;
        slopeTool[k] = inverse * (meanQuery[k]! - cosine[t]! * means[t * size + k]!);
      }
      for (let j = 0; j < list.length; j += 1) {
        const row = slotRows[list[j]!]! * size;
        const share = coefficients[t]![j]!;
        for (let k = 0; k < size; k += 1) gradient[row + k]! += share * slopeTool[k]!;
      }
    }
    let along = 0;
    for (let k = 0; k < size; k += 1) along += slopeQuery[k]! * meanQuery[k]!;
    for (let k = 0; k < size; k += 1) slopeQuery[k] = (slopeQuery[k]! - along * meanQuery[k]!) / (queryLength || 1);
    for (let i = 0; i < queryRows.length; i += 1) {
      const row = queryRows[i]! * size;
      let change = 0;
      for (let k = 0; k < size; k += 1) {
        gradient[row + k]! += queryWeights[i]! * slopeQuery[k]!;
        change += vectors[row + k]! * slopeQuery[k]!;
      }
      importanceGradient[queryRows[i]!]! += shares[i]! * change;
      for (let s = 0; s < width; s += 1) {
        const slope = slopeSimilarity[i * width + s]!;
        if (slope === 0) continue;
        const other = slotRows[s]! * size;
        for (let k = 0; k < size; k += 1) {
          gradient[row + k]! += slope * vectors[other + k]!;
          gradient[other + k]! += slope * vectors[row + k]!;
        }
      }
    }
    return loss * weight;
  };
}

/** Share of each word in the tool's mean: by field, within it by rarity in the catalogue. */
function meanCoefficients(list: readonly number[], tool: number, example: Example): Float64Array {
  const words = example.catalogue.tools[tool];
  const sums = [0.5, 0.5, 0.5];
  const coefficients = new Float64Array(list.length);
  if (words === undefined) return coefficients;
  for (let j = 0; j < list.length; j += 1) sums[words.fields[j]!]! += example.catalogue.rarity[words.words[j]!]!;
  for (let j = 0; j < list.length; j += 1) {
    const field = words.fields[j]!;
    coefficients[j] = (meanField[field]! * example.catalogue.rarity[words.words[j]!]!) / sums[field]!;
  }
  return coefficients;
}

function unit(values: Float64Array, start: number): number {
  let square = 0;
  for (let k = 0; k < size; k += 1) square += values[start + k]! ** 2;
  const length = Math.sqrt(square);
  if (length > 0) for (let k = 0; k < size; k += 1) values[start + k]! /= length;
  return length;
}

function softmax(scores: Float64Array): Float64Array {
  const top = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(sharpness * (score - top)));
  const sum = powers.reduce((all, one) => all + one, 0);
  return powers.map((power) => power / sum);
}
