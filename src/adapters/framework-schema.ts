import { canonicalJson } from '../core/canonical-json.ts';
import { isPlainObject } from '../core/json.ts';
import type { JsonSchema, ParsedArguments, Tool } from '../core/tool.ts';
import { isSameJson } from './copy-json.ts';
import { convertStandardSchema } from '../schema/convert-schema.ts';
import { hasStandardProperty } from '../schema/standard-schema.ts';
import type { StandardSchema } from '../schema/standard-schema.ts';

/** A framework's schema as the gate uses it. */
export interface FrameworkSchema {
  readonly inputSchema: JsonSchema;
  readonly parse?: (input: unknown) => Promise<ParsedArguments>;
}

/** Reads what frameworks take as a tool's schema: a Standard Schema, the AI SDK's own kind, or a JSON Schema. Anything else takes any object. */
export function readFrameworkSchema(toolName: string, schema: unknown): FrameworkSchema {
  if (hasStandardProperty(schema)) {
    const standard = schema as StandardSchema;
    return {
      inputSchema: hasJsonSchema(standard) ? convertStandardSchema(standard, toolName).schema : shapeOf(schema),
      parse: async (input) => {
        const answer = readAnswer(await standard['~standard'].validate(input));
        if (answer.ok && typeof answer.value === 'object' && answer.value !== null) parsedFrom.set(answer.value, input);
        return answer;
      },
    };
  }
  if (isPlainObject(schema) && isPlainObject(schema['jsonSchema']))
    return { inputSchema: schema['jsonSchema'] as JsonSchema };
  const isJsonSchema = isPlainObject(schema) && ('type' in schema || 'properties' in schema);
  return { inputSchema: isJsonSchema ? (schema as JsonSchema) : { type: 'object' } };
}

/** What arguments were parsed from, as long as somebody has them. */
const parsedFrom = new WeakMap<object, unknown>();

function readAnswer(answer: Awaited<ReturnType<StandardSchema['~standard']['validate']>>): ParsedArguments {
  if (answer.issues === undefined) return { ok: true, value: answer.value };
  return { ok: false, issues: answer.issues.map(({ message, path }) => ({ message, path: pointer(path ?? []) })) };
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

/**
 * What to hand to a tool that parses for itself: the model's own arguments, except where a person changed them. A transform is not applied
 * twice to what nobody touched.
 */
export async function argumentsToRun(tool: Pick<Tool, 'parse'>, input: unknown, effective: unknown): Promise<unknown> {
  if (tool.parse === undefined) return effective;
  const from = typeof effective === 'object' && effective !== null ? parsedFrom.get(effective) : undefined;
  if (from !== undefined && isSameJson(from, input)) return input;
  const parsed = await tool.parse(input);
  const isUnchanged =
    parsed.ok && canonicalJson(parsed.value, { mode: 'lenient' }) === canonicalJson(effective, { mode: 'lenient' });
  return isUnchanged ? input : effective;
}
