import type { UpstreamState } from './types.ts';

/** Something that a page or program may want to look at again. Hints: they carry no arguments and may be lost. */
export type GatewayEvent =
  | { readonly type: 'confirmation'; readonly id: string; readonly what: 'waiting' | 'decided' | 'settled' }
  | { readonly type: 'upstream'; readonly name: string; readonly state: UpstreamState }
  | { readonly type: 'tools' };

/** Tells every listener. A listener that throws does not keep others from being told. */
export class EventHub {
  readonly #listeners = new Set<(event: GatewayEvent) => void>();

  publish(event: GatewayEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch {
        // A hint that one listener cannot take is still a hint for the others.
      }
    }
  }

  subscribe(listener: (event: GatewayEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get size(): number {
    return this.#listeners.size;
  }
}
