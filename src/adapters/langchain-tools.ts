import { canonicalJson } from '../core/canonical-json.ts';
import { ToolgateError } from '../core/errors.ts';
import { isPlainObject } from '../core/json.ts';
import type { JsonSchema, ParsedArguments, Tool, ToolAnnotations, ToolServer } from '../core/tool.ts';
import { convertStandardSchema } from '../schema/convert-schema.ts';
import { hasStandardProperty } from '../schema/standard-schema.ts';
import type { StandardSchema } from '../schema/standard-schema.ts';
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
  const { inputSchema, parse } = readSchema(tool);
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

interface ReadSchema {
  readonly inputSchema: JsonSchema;
  readonly parse?: (input: unknown) => Promise<ParsedArguments>;
}

function readSchema({ name, schema }: LangchainTool): ReadSchema {
  if (!hasStandardProperty(schema)) {
    const isJsonSchema = isPlainObject(schema) && ('type' in schema || 'properties' in schema);
    return { inputSchema: isJsonSchema ? (schema as JsonSchema) : { type: 'object' } };
  }
  const standard = schema as StandardSchema;
  return {
    inputSchema: hasJsonSchema(standard) ? convertStandardSchema(standard, name).schema : shapeOf(schema),
    async parse(input) {
      const answer = await standard['~standard'].validate(input);
      if (answer.issues === undefined) return { ok: true, value: answer.value };
      return {
        ok: false,
        issues: answer.issues.map(({ message, path }) => ({ message, path: pointer(path ?? []) })),
      };
    },
  };
}

function hasJsonSchema(schema: StandardSchema): boolean {
  return typeof (schema['~standard'] as Partial<StandardSchema['~standard']>).jsonSchema?.input === 'function';
}

/** Of a schema that cannot be written as JSON Schema (zod 3) the names of the arguments: enough to be found by. The model gets the tool's own. */
function shapeOf(schema: unknown): JsonSchema {
  const { shape } = schema as { readonly shape?: unknown };
  const own: unknown = typeof shape === 'function' ? (shape as () => unknown)() : shape;
  if (typeof own !== 'object' || own === null) return { type: 'object' };
  const properties = Object.entries(own).map(([name, part]) => {
    const description: unknown = (part as { readonly description?: unknown } | null)?.description;
    return [name, typeof description === 'string' ? { description } : {}] as const;
  });
  return { type: 'object', properties: Object.fromEntries(properties) };
}

function pointer(path: readonly (PropertyKey | { readonly key: PropertyKey })[]): string {
  return path
    .map((part) => String(typeof part === 'object' ? part.key : part))
    .map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}

/** What to hand to the tool, which parses for itself: the model's own arguments, except where a person changed them. */
export async function argumentsToRun(tool: Tool, input: unknown, effective: unknown): Promise<unknown> {
  if (tool.parse === undefined) return effective;
  const parsed = await tool.parse(input);
  const isUnchanged =
    parsed.ok && canonicalJson(parsed.value, { mode: 'lenient' }) === canonicalJson(effective, { mode: 'lenient' });
  return isUnchanged ? input : effective;
}
