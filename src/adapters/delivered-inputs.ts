import { canonicalJson } from '../core/canonical-json.ts';

/**
 * Arguments that a framework has parsed already. A schema that transforms must not be applied twice, so the gate takes these as they
 * are; what a person edits was never delivered and is parsed. Holds the newest thousand.
 */
export class DeliveredInputs {
  readonly #known = new Set<string>();

  /** Notes the arguments and gives them as JSON, which is what the gate keeps. */
  add(toolName: string, input: unknown): unknown {
    const text = JSON.stringify(input) as string | undefined;
    const json: unknown = text === undefined ? {} : JSON.parse(text);
    const key = keyOf(toolName, json);
    this.#known.delete(key);
    this.#known.add(key);
    const oldest = this.#known.values().next();
    if (this.#known.size > 1000 && oldest.done !== true) this.#known.delete(oldest.value);
    return json;
  }

  has(toolName: string, json: unknown): boolean {
    return this.#known.has(keyOf(toolName, json));
  }
}

/** True when both say the same as JSON. */
export function sameJson(a: unknown, b: unknown): boolean {
  return canonicalJson(a ?? null, { mode: 'lenient' }) === canonicalJson(b ?? null, { mode: 'lenient' });
}

function keyOf(toolName: string, json: unknown): string {
  return canonicalJson([toolName, json ?? null], { mode: 'lenient' });
}
