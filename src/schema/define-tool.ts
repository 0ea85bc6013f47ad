import { ToolgateError } from '../core/errors.ts';
import type { JsonObject, JsonValue } from '../core/json.ts';
import type {
  JsonSchema,
  ReturnBehavior,
  Tool,
  ToolAnnotations,
  ToolCallContext,
  ToolContext,
  ToolServer,
} from '../core/tool.ts';
import { checkSchema } from './check-schema.ts';
import { convertStandardSchema } from './convert-schema.ts';
import { parserFor } from './parse-with-standard.ts';
import { hasStandardProperty } from './standard-schema.ts';
import type { StandardOutput, StandardSchema } from './standard-schema.ts';

/** What a tool is made of, apart from its input. `Arguments` is what `execute` gets: parsed, defaulted and validated. */
export interface ToolOptions<Arguments> {
  /** Not empty. Shown to models as it is when it fits `[A-Za-z0-9_-]{1,64}`, else in a form that does. */
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** Runs the tool. A string or plain JSON is wrapped as a result; a throw becomes a failed outcome. */
  readonly execute: (args: Arguments, context: ToolContext) => unknown;
  /** JSON Schema of the structured result. */
  readonly outputSchema?: JsonSchema | undefined;
  readonly annotations?: ToolAnnotations | undefined;
  /** Other names by which people and models look for it. */
  readonly aliases?: readonly string[] | undefined;
  /** `always`: passed to the model without a question. Default `searchable`. */
  readonly visibility?: 'searchable' | 'always' | undefined;
  /** Marks calls that wait for a person. A predicate that throws counts as true. Default false. */
  readonly requiresConfirmation?:
    | boolean
    | ((args: Arguments, context: ToolCallContext) => boolean | Promise<boolean>)
    | undefined;
  /** Read-only: says what would happen, for the person who decides. */
  readonly preview?: ((args: Arguments, context: ToolCallContext) => unknown) | undefined;
  /** Default `to-model`. */
  readonly returnBehavior?: ReturnBehavior | undefined;
  /** Only for tools of a server. */
  readonly server?: ToolServer | undefined;
}

/** A tool whose input is a Standard Schema with `~standard.jsonSchema` (zod 4.2 or newer, Valibot, ArkType). */
export interface StandardToolOptions<Schema extends StandardSchema> extends ToolOptions<StandardOutput<Schema>> {
  readonly input: Schema;
}

/** A tool whose input is a JSON Schema (draft-07 or 2020-12) of an object. */
export interface JsonSchemaToolOptions<Arguments = Readonly<Record<string, JsonValue>>> extends ToolOptions<Arguments> {
  readonly input: JsonSchema & { readonly '~standard'?: never };
}

/**
 * Makes a tool. With a Standard Schema the type of `execute`'s arguments is the schema's output type; with a JSON Schema
 * it is a record of JSON values. Throws `invalid-tool` without a name or `execute`, and `invalid-schema` for an input that is
 * not a schema of an object.
 */
export function tool<Schema extends StandardSchema>(options: StandardToolOptions<Schema>): Tool;
export function tool<Arguments = Readonly<Record<string, JsonValue>>>(options: JsonSchemaToolOptions<Arguments>): Tool;
export function tool(options: ToolOptions<never> & { readonly input: unknown }): Tool {
  const { input, ...rest } = options;
  const name: unknown = rest.name;
  if (typeof name !== 'string' || name.trim() === '') {
    throw new ToolgateError('invalid-tool', 'A tool needs a name: a string that is not empty.', {
      data: { tool: String(name) },
    });
  }
  if (typeof rest.execute !== 'function') {
    throw new ToolgateError('invalid-tool', `Tool "${name}" needs a function execute(args, context).`, {
      data: { tool: name },
    });
  }
  if (hasStandardProperty(input)) {
    const schema = input as StandardSchema;
    const converted = convertStandardSchema(schema, name);
    requireObjectSchema(converted.schema, name);
    return { ...rest, inputSchema: converted.schema, parse: parserFor(schema, converted.hasDates) };
  }
  requireObjectSchema(input, name);
  return { ...rest, inputSchema: input as JsonObject };
}

function requireObjectSchema(schema: unknown, name: string): void {
  const checked = checkSchema(schema);
  if (checked.ok) return;
  throw new ToolgateError('invalid-schema', `The input of tool "${name}" cannot be used. ${checked.message}`, {
    data: { tool: name, path: checked.path },
  });
}
