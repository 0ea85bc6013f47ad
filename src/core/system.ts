import type { Clock } from './clock.ts';
import type { IdSource } from './ids.ts';

/**
 * The real clock and the real source of identifiers: the one file of the core that is not pure. Nothing in the core
 * uses it; everything that takes a {@link Clock} or {@link IdSource} has it as the default.
 */
export const systemClock: Clock = {
  now: () => Date.now(),
  schedule(milliseconds, callback) {
    const timer: unknown = setTimeout(callback, Math.min(Math.max(0, milliseconds), 2_147_483_647));
    // Only Node has unref; a waiting timer must not keep a process alive there.
    if (typeof timer === 'object' && timer !== null && 'unref' in timer) (timer as { unref(): void }).unref();
    return () => clearTimeout(timer as ReturnType<typeof setTimeout>);
  },
};

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz';

/** Random bytes fetched ahead, because each fetch costs more than an identifier made of them. A byte is used once and wiped. */
const pool = new Uint8Array(2_048);
let used = pool.length;

function nextByte(): number {
  if (used === pool.length) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  const byte = pool[used] as number;
  pool[used] = 0;
  used += 1;
  return byte;
}

/** `<kind>_` and 25 characters of base 36: 129 random bits. */
export const randomIds: IdSource = {
  next(kind) {
    let text = '';
    while (text.length < 25) {
      const byte = nextByte();
      // 252 is the largest multiple of 36 below 256: what lies above would make some characters likelier.
      if (byte < 252) text += alphabet[byte % 36];
    }
    return `${kind}_${text}`;
  },
};
