import { randomBytes } from 'node:crypto';
import type { Clock } from '../core/clock.ts';

const lifeMs = 600_000;
const most = 100;

/** Short codes that sign a person in at the page: each once, each for ten minutes. */
export class StartCodes {
  readonly #clock: Clock;
  readonly #codes = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  issue(): string {
    const now = this.#clock.now();
    for (const [code, until] of this.#codes) if (until <= now || this.#codes.size >= most) this.#codes.delete(code);
    const code = randomBytes(24).toString('base64url');
    this.#codes.set(code, now + lifeMs);
    return code;
  }

  /** True once for a code that was issued and is not too old. */
  redeem(code: string): boolean {
    const until = this.#codes.get(code);
    this.#codes.delete(code);
    return until !== undefined && until > this.#clock.now();
  }
}
