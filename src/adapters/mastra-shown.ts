import type { ToolDefinition } from '../core/tool.ts';

const nameSets = new WeakMap<object, ReadonlySet<string>>();

/** The names of a list; the gate gives the same list as long as nothing changes. */
export function namesOf(definitions: readonly ToolDefinition[]): ReadonlySet<string> {
  const names = nameSets.get(definitions) ?? new Set(definitions.map(({ name }) => name));
  nameSets.set(definitions, names);
  return names;
}

/** True when the model sees the tools in the order of `shown` anyway. */
export function isInOrder(shown: readonly string[], names: readonly string[]): boolean {
  let at = 0;
  for (const name of names) if (name === shown[at]) at += 1;
  return at === shown.length;
}

/** The order of the record is the order in which the model sees them. */
export function inOrder(
  shown: readonly string[],
  names: readonly string[],
  given: Record<string, unknown>,
  added: Record<string, object>,
): Record<string, unknown> {
  const all: Record<string, unknown> = {};
  for (const name of [...shown, ...names]) all[name] ??= given[name] ?? added[name];
  return all;
}
