import type { ToolDefinition } from '../core/tool.ts';

/** Rough size of a tool in a prompt: characters of the JSON of name, description and schema divided by 4, rounded up. */
export function estimateToolTokens(definition: ToolDefinition): number {
  const { name, description, inputSchema } = definition;
  return Math.ceil(JSON.stringify({ name, description, inputSchema }).length / 4);
}
