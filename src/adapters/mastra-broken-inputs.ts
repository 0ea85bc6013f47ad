import { isPlainObject } from '../core/json.ts';

/**
 * Calls whose arguments are no JSON. Mastra mends what comes in pieces (`{"amount":1` of `{"amount":100}`) and would run it; here the
 * pieces are read along, so that such a call is answered and not run.
 */
export class BrokenInputs {
  readonly #pieces = new WeakMap<object, Map<string, string>>();

  /** Reads one part of a reply. */
  read(part: { readonly type: string; readonly payload?: unknown }, state: object): void {
    if (part.type !== 'tool-call-delta' || !isPlainObject(part.payload)) return;
    const { toolCallId, argsTextDelta } = part.payload;
    if (typeof toolCallId !== 'string' || typeof argsTextDelta !== 'string') return;
    const pieces = this.#pieces.get(state) ?? new Map<string, string>();
    pieces.set(toolCallId, (pieces.get(toolCallId) ?? '') + argsTextDelta);
    this.#pieces.set(state, pieces);
  }

  /** The reply has ended: what stands in it in place of JSON, by the ids of the calls. */
  take(state: object): ReadonlyMap<string, string> {
    const pieces = this.#pieces.get(state) ?? new Map<string, string>();
    this.#pieces.delete(state);
    return new Map([...pieces].filter(([, text]) => text.trim() !== '' && !isJson(text)));
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
