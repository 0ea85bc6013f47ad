import type { Principal } from '../core/principal.ts';

/** In whose name and in which conversation something is remembered. */
export interface CallOwner {
  readonly conversation?: string | undefined;
  readonly principal?: Principal | undefined;
}

/**
 * What is known of calls or replies between two hooks of a framework. Ids of providers repeat (some count from 0 in every reply), so each is kept
 * apart by conversation and principal: one conversation never gets what belongs to another. The oldest goes when there are too many.
 */
export class RecentByCall<VALUE> {
  readonly #values = new Map<string, VALUE>();
  readonly #maximum: number;

  constructor(maximum = 1000) {
    this.#maximum = maximum;
  }

  get(owner: CallOwner, id: string | undefined): VALUE | undefined {
    return this.#values.get(keyOf(owner, id));
  }

  set(owner: CallOwner, id: string | undefined, value: VALUE): void {
    const key = keyOf(owner, id);
    this.#values.delete(key);
    this.#values.set(key, value);
    const oldest = this.#values.keys().next();
    if (this.#values.size > this.#maximum && oldest.done !== true) this.#values.delete(oldest.value);
  }

  delete(owner: CallOwner, id: string | undefined): void {
    this.#values.delete(keyOf(owner, id));
  }
}

function keyOf({ conversation, principal }: CallOwner, id: string | undefined): string {
  return JSON.stringify([principal?.tenant ?? '', principal?.id ?? '', conversation ?? '', id ?? '']);
}
