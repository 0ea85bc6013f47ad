import type { Catalogue } from '../catalog/types.ts';
import type { Principal } from '../core/principal.ts';

/** Names remembered for one principal, if it has no more of them at once. */
const mostNames = 10_000;

/** Which names each principal could once use, for the difference between "gone" and "never there". Forgets the longest unseen principals. */
export class KnownNames {
  readonly #names = new Map<string, { readonly names: Set<string>; fingerprint: string }>();
  readonly #maximum: number;

  constructor(maximum: number) {
    this.#maximum = maximum;
  }

  add(catalogue: Catalogue, principal: Principal | undefined): void {
    const key = keyOf(principal);
    const entry = this.#names.get(key) ?? { names: new Set<string>(), fingerprint: '' };
    this.#names.delete(key);
    this.#names.set(key, entry);
    if (entry.fingerprint !== catalogue.fingerprint) {
      entry.fingerprint = catalogue.fingerprint;
      for (const { name } of catalogue.tools) {
        // Again at the end: a provider with ever new names pushes out the oldest, never those of today.
        entry.names.delete(name);
        entry.names.add(name);
      }
      const most = Math.max(mostNames, catalogue.tools.length);
      for (const name of entry.names) {
        if (entry.names.size <= most) break;
        entry.names.delete(name);
      }
    }
    if (this.#names.size > this.#maximum) {
      const oldest = this.#names.keys().next();
      if (oldest.done !== true) this.#names.delete(oldest.value);
    }
  }

  has(name: string, principal: Principal | undefined): boolean {
    return this.#names.get(keyOf(principal))?.names.has(name) === true;
  }
}

function keyOf(principal: Principal | undefined): string {
  return JSON.stringify([principal?.tenant ?? '', principal?.id ?? '']);
}
