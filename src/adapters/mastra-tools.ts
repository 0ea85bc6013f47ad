import { isPlainObject } from '../core/json.ts';
import type { Tool, ToolAnnotations, ToolDefinition, ToolServer } from '../core/tool.ts';
import { isSameJson } from './copy-json.ts';
import { standardOf } from './ai-sdk-tools.ts';
import { readFrameworkSchema } from './framework-schema.ts';
import type { FrameworkSchema } from './framework-schema.ts';
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
  const { inputSchema, parse } = schemaOf(name, tool);
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

/**
 * True when nothing that the gate knows of the tool has changed since it was converted. A mark that is a function may close over the run,
 * so it never counts as the same.
 */
export function isUnchanged(earlier: Tool, tool: MastraTool, server: ToolServer | undefined): boolean {
  const { description, mcp, needsApprovalFn, requireApproval } = tool;
  if (typeof requireApproval === 'function' || typeof needsApprovalFn === 'function') return false;
  return (
    earlier.server === server &&
    earlier.description === (typeof description === 'string' ? description : undefined) &&
    earlier.requiresConfirmation === (requireApproval === true ? true : undefined) &&
    isSameJson(earlier.annotations, isPlainObject(mcp?.annotations) ? mcp.annotations : undefined) &&
    textOfSchema(earlier) === JSON.stringify(schemaOf(earlier.name, tool).inputSchema)
  );
}

const texts = new WeakMap<Tool, string>();

/** Written once. Of all ways to compare a hundred schemas in every run this is the fastest: one side is a text already, and writing is native. */
function textOfSchema(tool: Tool): string {
  const text = texts.get(tool) ?? JSON.stringify(tool.inputSchema);
  texts.set(tool, text);
  return text;
}

function schemaOf(name: string, { inputSchema, parameters }: MastraTool): FrameworkSchema {
  return readFrameworkSchema(name, inputSchema ?? parameters);
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
