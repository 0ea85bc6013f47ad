import { isPlainObject } from '../core/json.ts';
import type { Tool, ToolAnnotations, ToolDefinition, ToolServer } from '../core/tool.ts';
import { standardOf } from './ai-sdk-tools.ts';
import { readFrameworkSchema } from './framework-schema.ts';
import type { MastraTool } from './mastra-types.ts';

/** True for tools that the provider defines and runs; they are passed through untouched. */
export function isProviderTool(tool: MastraTool): boolean {
  return tool.type === 'provider' || tool.type === 'provider-defined';
}

const converted = new WeakMap<object, Tool>();

/** Mastra's tool as the gate takes it. Converted once. */
export function toGateTool(name: string, tool: MastraTool, server: ToolServer | undefined): Tool {
  const earlier = converted.get(tool);
  if (earlier !== undefined && earlier.name === name && earlier.server === server) return earlier;
  const { inputSchema, parse } = readFrameworkSchema(name, tool.inputSchema ?? tool.parameters);
  const annotations = tool.mcp?.annotations;
  const { needsApprovalFn, requireApproval } = tool;
  const asks = typeof requireApproval === 'function' ? requireApproval : needsApprovalFn;
  const made: Tool = {
    name,
    ...(typeof tool.description === 'string' ? { description: tool.description } : {}),
    inputSchema,
    ...(parse === undefined ? {} : { parse }),
    ...(isPlainObject(annotations) ? { annotations: annotations as ToolAnnotations } : {}),
    ...(server === undefined ? {} : { server }),
    ...(typeof asks === 'function'
      ? {
          requiresConfirmation: async (args: unknown, { attributes }) =>
            (await (asks as (...parts: unknown[]) => unknown)(args, {
              requestContext: plainContext(attributes['requestContext']),
            })) === true,
        }
      : requireApproval === true
        ? { requiresConfirmation: true }
        : {}),
    // Mastra runs it; the gate only has it run where a hook of Mastra waits for the outcome.
    execute: () => {
      throw new Error(`The tool ${name} is run by Mastra.`);
    },
  };
  converted.set(tool, made);
  return made;
}

/** True when nothing that the gate knows of the tool has changed. A mark that is a function may close over the run, so it never counts as the same. */
export function isSameTool(one: Tool, other: Tool): boolean {
  if (one === other) return true;
  return (
    one.description === other.description &&
    one.server === other.server &&
    typeof one.requiresConfirmation !== 'function' &&
    one.requiresConfirmation === other.requiresConfirmation &&
    JSON.stringify([one.inputSchema, one.annotations]) === JSON.stringify([other.inputSchema, other.annotations])
  );
}

function plainContext(context: unknown): unknown {
  const { entries } = (context ?? {}) as { readonly entries?: () => Iterable<readonly [string, unknown]> };
  return entries === undefined ? {} : Object.fromEntries(entries.call(context));
}

/** A tool that only the gate knows, as Mastra takes it. `run` goes through the gate. */
export function toMastraTool(
  { name, description, inputSchema }: ToolDefinition,
  run: (input: unknown, context: unknown) => Promise<unknown>,
): object {
  return {
    id: name,
    ...(description === undefined ? {} : { description }),
    inputSchema: standardOf(inputSchema),
    execute: run,
    // What the search found stays in the stored result for later; the model gets the text.
    toModelOutput: (output: unknown) => ({ type: 'text', value: textOf(output) }),
  };
}

function textOf(output: unknown): string {
  if (typeof output === 'string') return output;
  return isPlainObject(output) && typeof output['text'] === 'string' ? output['text'] : JSON.stringify(output ?? null);
}
