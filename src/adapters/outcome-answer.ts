import { ToolgateError } from '../core/errors.ts';
import type { Outcome } from '../core/outcome.ts';
import { resultText } from '../core/result.ts';

/**
 * `src/adapters` holds one thin file for each framework and the little that they share: translation only, no policy and no
 * state of their own. They import the gate and what is below it, and no framework.
 */

/** What the model reads of a call: the note that its arguments were changed, then the result's text, then what text cannot carry. */
export function outcomeText(outcome: Outcome): string {
  const { result, note } = outcome;
  const lost = result.content.filter(({ type }) => type !== 'text');
  const notes = lost.map(({ type, mimeType }) => `[${type}${mimeType === undefined ? '' : ` ${mimeType}`} not shown]`);
  return [note, resultText(result), ...notes].filter((text) => text !== undefined && text !== '').join('\n');
}

/** True when the result is the tool's own, or a person's in its place. */
export function hasResult(outcome: Outcome): boolean {
  return outcome.status === 'succeeded' || outcome.status === 'responded';
}

/** The value of a result as the tool gave it: a structure, a text, or a result in the protocol's form. */
export function outcomeValue(outcome: Outcome): unknown {
  const { result } = outcome;
  if (result.structured !== undefined && result.meta === undefined) return result.structured;
  if (result.content.every(({ type }) => type === 'text')) return resultText(result);
  return result;
}

/** Says that an adapter would believe what a client claims. Throws `invalid-option`. */
export function requireStoreOrSecret(
  adapter: string,
  options: { readonly store?: unknown; readonly secret?: unknown },
): void {
  if (options.store !== undefined || options.secret !== undefined) return;
  throw new ToolgateError(
    'invalid-option',
    `${adapter} reads approvals from a history that clients hold, so it needs a store (for a start: store: memoryStore()) or a secret ` +
      '(confirm: { secret }). Without either anybody who can write the history could approve calls.',
    { data: { option: 'store' } },
  );
}

/** Says that a framework cannot hold free siblings of a call that waits. Throws `invalid-option`. */
export function refuseHold(adapter: string, siblings: 'hold' | 'run-now' | undefined): void {
  if (siblings !== 'hold') return;
  throw new ToolgateError(
    'invalid-option',
    `${adapter} cannot hold the free calls of a reply while another one waits: the framework runs them at once. ` +
      "Leave confirm.siblings out, or use the plain gate, the assistant or the LangChain adapter for 'hold'.",
    { data: { option: 'confirm.siblings' } },
  );
}
