/** Adam (Kingma and Ba, 2015) over rows that are touched now and then. */
export interface Adam {
  /** Moves one row against its gradient. */
  step(row: number, gradient: Float32Array, offset: number): void;
  /** To be called once for each batch, before its steps. */
  tick(): void;
}

export function createAdam(values: Float32Array, width: number, rate: number): Adam {
  const first = new Float32Array(values.length);
  const second = new Float32Array(values.length);
  let time = 0;
  let scale = rate;
  return {
    tick() {
      time += 1;
      scale = (rate * Math.sqrt(1 - 0.999 ** time)) / (1 - 0.9 ** time);
    },
    step(row, gradient, offset) {
      const start = row * width;
      for (let k = 0; k < width; k += 1) {
        const slope = gradient[offset + k]!;
        const m = 0.9 * first[start + k]! + 0.1 * slope;
        const v = 0.999 * second[start + k]! + 0.001 * slope * slope;
        first[start + k] = m;
        second[start + k] = v;
        values[start + k]! -= (scale * m) / (Math.sqrt(v) + 1e-8);
      }
    },
  };
}
