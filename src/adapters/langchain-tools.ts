import { ToolgateError } from '../core/errors.ts';
import { isPlainObject } from '../core/json.ts';
import type { Tool, ToolAnnotations, ToolServer } from '../core/tool.ts';
import { readFrameworkSchema } from './framework-schema.ts';
import type { LangchainTool } from './langchain-types.ts';

/** True for tools that LangChain runs; what a provider runs itself is handed through untouched. */
export function isClientTool(
  tool: unknown,
): tool is LangchainTool & { invoke(input: unknown, config?: unknown): unknown } {
  return (
    typeof tool === 'object' &&
    tool !== null &&
    typeof (tool as LangchainTool).invoke === 'function' &&
    typeof (tool as LangchainTool).name === 'string'
  );
}

const converted = new WeakMap<object, Tool>();

/** LangChain's tool as the gate takes it. Converted once. Throws `invalid-tool` for a name that providers do not take. */
export function toGateTool(tool: LangchainTool, server: ToolServer | undefined): Tool {
  const earlier = converted.get(tool);
  if (earlier !== undefined && earlier.server === server) return earlier;
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(tool.name)) {
    throw new ToolgateError(
      'invalid-tool',
      `The tool ${JSON.stringify(tool.name)} needs a name of letters, digits, _ and -, at most 64.`,
      { data: { tool: tool.name } },
    );
  }
  const { inputSchema, parse } = readFrameworkSchema(tool.name, tool.schema);
  const annotations = tool.metadata?.['annotations'];
  const made: Tool = {
    name: tool.name,
    ...(tool.description === undefined ? {} : { description: tool.description }),
    inputSchema,
    ...(isPlainObject(annotations) ? { annotations: annotations as ToolAnnotations } : {}),
    ...(server === undefined ? {} : { server }),
    ...(parse === undefined ? {} : { parse }),
    execute: async (args: unknown, context) => await tool.invoke?.(args, { signal: context.signal }),
  };
  converted.set(tool, made);
  return made;
}
