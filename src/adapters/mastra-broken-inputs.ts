import { isPlainObject } from '../core/json.ts';

const remembered = 1000;

/**
 * Calls whose arguments are no JSON. Mastra mends what comes in pieces (`{"amount":1` of `{"amount":100}`) and would run it; here the
 * pieces are read along, so that such a call is answered and not run.
 */
export class BrokenInputs {
  readonly #pieces = new WeakMap<object, Map<string, string>>();
  readonly #broken = new Map<string, string>();

  /** Reads one part of a reply. */
  read(part: { readonly type: string; readonly payload?: unknown }, state: object): void {
    if (part.type !== 'tool-call-delta' || !isPlainObject(part.payload)) return;
    const { toolCallId, argsTextDelta } = part.payload;
    if (typeof toolCallId !== 'string' || typeof argsTextDelta !== 'string') return;
    const pieces = this.#pieces.get(state) ?? new Map<string, string>();
    pieces.set(toolCallId, (pieces.get(toolCallId) ?? '') + argsTextDelta);
    this.#pieces.set(state, pieces);
  }

  /** The reply has ended. */
  settle(state: object): void {
    for (const [toolCallId, text] of this.#pieces.get(state) ?? []) {
      this.#broken.delete(toolCallId);
      if (text.trim() !== '' && !isJson(text)) this.#broken.set(toolCallId, text);
      const oldest = this.#broken.keys().next();
      if (this.#broken.size > remembered && oldest.done !== true) this.#broken.delete(oldest.value);
    }
    this.#pieces.delete(state);
  }

  /** What the model wrote, when it is no JSON. */
  of(toolCallId: string | undefined): string | undefined {
    return this.#broken.get(toolCallId ?? '');
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
