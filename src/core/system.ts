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

/** `<kind>_` and 25 characters of base 36: 129 random bits. */
export const randomIds: IdSource = {
  next(kind) {
    let text = '';
    while (text.length < 25) {
      for (const byte of crypto.getRandomValues(new Uint8Array(32))) {
        // 252 is the largest multiple of 36 below 256: what lies above would make some characters likelier.
        if (byte < 252 && text.length < 25) text += alphabet[byte % 36];
      }
    }
    return `${kind}_${text}`;
  },
};
