/** Cosine of two vectors of the same length; 0 when one of them is zero. */
export function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let dot = 0;
  let lengthA = 0;
  let lengthB = 0;
  for (let index = 0; index < a.length; index += 1) {
    const x = a[index] as number;
    const y = b[index] as number;
    dot += x * y;
    lengthA += x * x;
    lengthB += y * y;
  }
  const lengths = Math.sqrt(lengthA) * Math.sqrt(lengthB);
  return lengths === 0 ? 0 : dot / lengths;
}
