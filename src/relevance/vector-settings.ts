/** Numbers in a word vector. */
export const vectorSize = 100;

/** Words less alike than this (cosine) count as unrelated in late interaction. */
export const lateThreshold = 0.35;

/** Weight of a word by where the tool has it: name, description, parameters. */
export const vectorFieldWeights: { readonly late: readonly number[]; readonly mean: readonly number[] } = {
  late: [1, 0.9, 0.7],
  mean: [1, 1, 0.3],
};
