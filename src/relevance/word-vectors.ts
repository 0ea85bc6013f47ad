import { vectorSize } from './vector-settings.ts';

/** Static word vectors and how much each word says in a query. */
export interface WordVectors {
  /** The word's row, or -1 when it has none. */
  find(word: string): number;
  /** 0 and up; about 1 for an ordinary content word. */
  importance(row: number): number;
  /** Writes the unit vector of a row into `target` from `offset` on. */
  write(row: number, target: Float32Array, offset: number): void;
}

/**
 * Packed vectors. `bytes` holds, one after the other: two numbers of four bits for each byte, row by row (each number plus 8, so 1 to 15 stand for
 * -7 to 7; rows are scaled to unit length when read), then one byte of importance for each row (in steps of 1/64).
 */
export interface PackedVectors {
  /** In row order, separated by one space. */
  readonly words: string;
  readonly bytes: Uint8Array;
}

const bytesPerRow = vectorSize / 2;

/** Opens packed vectors. Rows are unpacked when asked for. */
export function openWordVectors(packed: PackedVectors): WordVectors {
  const words = packed.words.split(' ');
  const rows = new Map<string, number>();
  for (let row = 0; row < words.length; row += 1) rows.set(words[row] as string, row);
  const { bytes } = packed;
  const importanceStart = words.length * bytesPerRow;
  return {
    find: (word) => rows.get(word) ?? -1,
    importance: (row) => (bytes[importanceStart + row] as number) / 64,
    write(row, target, offset) {
      const start = row * bytesPerRow;
      let square = 0;
      for (let index = 0; index < bytesPerRow; index += 1) {
        const byte = bytes[start + index] as number;
        const low = (byte & 15) - 8;
        const high = (byte >> 4) - 8;
        target[offset + 2 * index] = low;
        target[offset + 2 * index + 1] = high;
        square += low * low + high * high;
      }
      const scale = 1 / (Math.sqrt(square) || 1);
      for (let index = 0; index < vectorSize; index += 1)
        target[offset + index] = (target[offset + index] as number) * scale;
    },
  };
}

/** Packs unit vectors; the counterpart of {@link openWordVectors}. */
export function packWordVectors(
  words: readonly string[],
  vectors: Float32Array,
  importance: Float32Array,
): PackedVectors {
  const bytes = new Uint8Array(words.length * (bytesPerRow + 1));
  for (let row = 0; row < words.length; row += 1) {
    const start = row * vectorSize;
    let largest = 0;
    for (let index = 0; index < vectorSize; index += 1)
      largest = Math.max(largest, Math.abs(vectors[start + index] as number));
    // A few numbers are cut so that the many small ones keep more of their value.
    const step = ((largest || 1) * 0.85) / 7;
    const pack = (index: number): number =>
      Math.max(-7, Math.min(7, Math.round((vectors[start + index] as number) / step))) + 8;
    for (let index = 0; index < bytesPerRow; index += 1)
      bytes[row * bytesPerRow + index] = pack(2 * index) | (pack(2 * index + 1) << 4);
    bytes[words.length * bytesPerRow + row] = Math.max(0, Math.min(255, Math.round((importance[row] as number) * 64)));
  }
  return { words: words.join(' '), bytes };
}
