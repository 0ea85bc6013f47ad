import type { Principal } from '../core/principal.ts';
import type { Catalogue } from './types.ts';

/** Principals that are remembered; the one not seen for longest is forgotten first. */
const mostPrincipals = 1_000;

interface Memory {
  latest: Catalogue;
  readonly names: Set<string>;
}

/** Remembers which exposed names each principal was given, so that a vanished tool is told from one they never had. */
export class KnownNames {
  readonly #byPrincipal = new Map<string, Memory>();

  note(catalogue: Catalogue, principal: Principal | undefined): void {
    if (principal === undefined) return;
    const key = keyOf(principal);
    const memory = this.#byPrincipal.get(key) ?? { latest: catalogue, names: new Set<string>() };
    if (memory.latest !== catalogue || memory.names.size === 0)
      for (const tool of catalogue.tools) memory.names.add(tool.name);
    memory.latest = catalogue;
    this.#byPrincipal.delete(key);
    this.#byPrincipal.set(key, memory);
    const oldest = this.#byPrincipal.keys().next();
    if (this.#byPrincipal.size > mostPrincipals && oldest.done !== true) this.#byPrincipal.delete(oldest.value);
  }

  has(name: string, principal: Principal): boolean {
    return this.#byPrincipal.get(keyOf(principal))?.names.has(name) === true;
  }
}

function keyOf(principal: Principal): string {
  return JSON.stringify([principal.tenant ?? '', principal.id]);
}
