import type { ToolDefinition } from '../core/tool.ts';

const known = new WeakMap<ToolDefinition, number>();

/**
 * Rough size of a definition in a prompt: the characters of the JSON of what a model is shown (name, description, input schema)
 * divided by 4, rounded up. Measured once for each tool object.
 */
export function toolTokens(tool: ToolDefinition): number {
  const before = known.get(tool);
  if (before !== undefined) return before;
  const { name, description, inputSchema } = tool;
  let length: number;
  try {
    length = JSON.stringify({ name, description, inputSchema }).length;
  } catch {
    length = name.length + (description?.length ?? 0);
  }
  const tokens = Math.ceil(length / 4);
  known.set(tool, tokens);
  return tokens;
}
