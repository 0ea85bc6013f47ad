import { canonicalJson } from '../core/canonical-json.ts';
import { isPlainObject } from '../core/json.ts';
import type { ConfirmationDemand } from './types.ts';

/** What is wrong with an edit that touches arguments that are to stay, or undefined. */
export function checkEditable(
  demand: ConfirmationDemand | null,
  proposed: unknown,
  edited: unknown,
): string | undefined {
  const editable = demand?.editable;
  if (editable === undefined) return undefined;
  if (!isPlainObject(proposed) || !isPlainObject(edited)) {
    return same(proposed, edited) ? undefined : 'these arguments may not be edited.';
  }
  const names = new Set([...Object.keys(proposed), ...Object.keys(edited)]);
  const fixed = [...names].filter((name) => !editable.includes(name) && !same(own(proposed, name), own(edited, name)));
  if (fixed.length === 0) return undefined;
  return `${fixed.map((name) => JSON.stringify(name)).join(', ')} may not be edited; only ${editable.length === 0 ? 'nothing' : editable.join(', ')} may.`;
}

function own(value: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

function same(a: unknown, b: unknown): boolean {
  return (
    canonicalJson([a], { mode: 'lenient' }) === canonicalJson([b], { mode: 'lenient' }) &&
    (a === undefined) === (b === undefined)
  );
}
