/**
 * A tool that a conversation has been shown. The list of them is plain data, oldest first, and belongs to whoever keeps the
 * conversation: nothing here has a state.
 */
export interface ShownTool {
  readonly name: string;
  /** Size of the definition in a prompt. */
  readonly tokens: number;
  /** The turn in which it was last selected, called or found; turns count upwards. */
  readonly usedAt: number;
}

/** A tool that shall be shown now. */
export interface WantedTool {
  readonly name: string;
  readonly tokens: number;
  readonly probability?: number | undefined;
  /** Never evicted and never over budget: called, found, forced, pending, always shown, or the search tool. */
  readonly isProtected?: boolean | undefined;
}

/**
 * The order in which tools are shown: what was shown before stays exactly where it was, whether it is wanted now or not, and new
 * tools follow in the order they are given. Nothing changes in front of what a provider has already in its prompt cache.
 */
export function appendShownTools(
  shown: readonly ShownTool[],
  wanted: readonly WantedTool[],
  turn: number,
): readonly ShownTool[] {
  const now = new Map(wanted.map((tool) => [tool.name, tool]));
  const before = new Set(shown.map((tool) => tool.name));
  const kept = shown.map((tool) => {
    const again = now.get(tool.name);
    return again === undefined ? tool : { name: tool.name, tokens: again.tokens, usedAt: Math.max(turn, tool.usedAt) };
  });
  const added: ShownTool[] = [];
  for (const { name, tokens } of wanted) {
    if (before.has(name)) continue;
    before.add(name);
    added.push({ name, tokens, usedAt: turn });
  }
  return [...kept, ...added];
}
