/** Numbers that look random and are the same for the same seed. */
export interface SeededRandom {
  /** 0 to below 1, with 32 random bits. */
  next(): number;
  /** A whole number from 0 to below `limit`, which is at least 1. */
  below(limit: number): number;
}

/** The generator mulberry32 (Tommy Ettinger, public domain): one word of state, good enough to draw samples, never for secrets. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return { next, below: (limit) => Math.floor(next() * limit) };
}

/** A 32-bit seed from a text (FNV-1a over UTF-16 units), so that each part of a run draws numbers of its own. */
export function seedOf(text: string, seed = 0): number {
  let hash = (0x811c9dc5 ^ seed) >>> 0;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  return hash;
}
