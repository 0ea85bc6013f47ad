import type { ToolDefinition } from '../core/tool.ts';
import type { Catalogue } from './types.ts';

const made = new WeakMap<Catalogue, readonly ToolDefinition[]>();

/** The definitions of a catalogue's tools, the same list for the same catalogue, so that whatever is built on it is built once. */
export function definitionsOf(catalogue: Catalogue): readonly ToolDefinition[] {
  const known = made.get(catalogue);
  if (known !== undefined) return known;
  const definitions = catalogue.tools.map(({ definition }) => definition);
  made.set(catalogue, definitions);
  return definitions;
}
