import { ToolgateError, errorMessage } from '../core/errors.ts';
import { isPlainObject } from '../core/json.ts';
import type { JsonObject } from '../core/json.ts';
import type {
  ArgumentIssue,
  JsonSchema,
  ParsedArguments,
  Tool,
  ToolAnnotations,
  ToolContext,
  ToolServer,
} from '../core/tool.ts';
import { convertStandardSchema } from '../schema/convert-schema.ts';
import type { DeliveredInputs } from './delivered-inputs.ts';
import { hasStandardProperty } from '../schema/standard-schema.ts';
import type { StandardSchema } from '../schema/standard-schema.ts';

/** What the SDK tells a tool and its `needsApproval`. */
export interface SdkCallOptions {
  readonly toolCallId: string;
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly abortSignal?: AbortSignal | undefined;
}

/** A tool of the AI SDK, as far as it is looked at. */
export interface SdkTool {
  readonly type?: string;
  readonly title?: string;
  readonly description?: unknown;
  readonly inputSchema?: unknown;
  readonly needsApproval?: boolean | ((input: unknown, options: SdkCallOptions) => boolean | PromiseLike<boolean>);
  readonly execute?: (input: unknown, options: SdkCallOptions) => unknown;
  readonly toModelOutput?: (options: {
    readonly toolCallId: string;
    readonly input: unknown;
    readonly output: unknown;
  }) => unknown;
  readonly metadata?: unknown;
}

/** True for tools that the provider defines and runs; they are passed through untouched. */
export function isProviderTool(tool: SdkTool): boolean {
  return tool.type === 'provider' || tool.type === 'provider-defined';
}

/** The SDK's tool as the gate takes it. `server` says where a tool of an MCP client comes from. */
export async function toGateTool(
  name: string,
  tool: SdkTool,
  delivered: DeliveredInputs,
  server: ToolServer | undefined,
): Promise<Tool> {
  const { inputSchema, validate } = await readSchema(name, tool.inputSchema);
  const { needsApproval } = tool;
  const annotations = annotationsOf(tool);
  const origin = server ?? serverOf(tool);
  return {
    name,
    ...(tool.title === undefined ? {} : { title: tool.title }),
    ...(typeof tool.description === 'string' ? { description: tool.description } : {}),
    inputSchema,
    ...(annotations === undefined ? {} : { annotations }),
    ...(origin === undefined ? {} : { server: origin }),
    ...(needsApproval === undefined
      ? {}
      : {
          requiresConfirmation:
            typeof needsApproval === 'boolean'
              ? needsApproval
              : async (args: unknown, context) =>
                  await needsApproval(args, {
                    toolCallId: context.toolCallId,
                    messages: context.messages,
                    abortSignal: context.signal,
                  }),
        }),
    ...(validate === undefined
      ? {}
      : {
          parse: (input: unknown) => (delivered.has(name, input) ? { ok: true, value: input } : validate(input)),
        }),
    execute: async (args: unknown, context: ToolContext) => {
      if (tool.execute === undefined)
        throw new ToolgateError('invalid-tool', `The tool ${name} is run by the client, not here.`, {
          data: { tool: name },
        });
      return await runSdkTool(tool, args, {
        toolCallId: context.toolCallId,
        messages: context.messages,
        abortSignal: context.signal,
      });
    },
  };
}

/** Runs a tool of the SDK. Of a tool that streams its result the last part is the result. */
export async function runSdkTool(tool: SdkTool, args: unknown, options: SdkCallOptions): Promise<unknown> {
  const value: unknown = await tool.execute?.(args, options);
  if (typeof value !== 'object' || value === null || !(Symbol.asyncIterator in value)) return value;
  let last: unknown;
  for await (const part of value as AsyncIterable<unknown>) last = part;
  return last;
}

interface ReadSchema {
  readonly inputSchema: JsonSchema;
  readonly validate?: (input: unknown) => Promise<ParsedArguments>;
}

/** The schema of a tool: one of the SDK's own, a function that makes one, or a Standard Schema. */
async function readSchema(name: string, given: unknown): Promise<ReadSchema> {
  const schema: unknown =
    typeof given === 'function' && !hasStandardProperty(given) ? (given as () => unknown)() : given;
  if (schema === undefined || schema === null) return { inputSchema: { type: 'object', properties: {} } };
  if (typeof schema === 'object' && 'jsonSchema' in schema) {
    const own = schema as { readonly jsonSchema: unknown; readonly validate?: (value: unknown) => unknown };
    const inputSchema = (await own.jsonSchema) as JsonSchema;
    if (own.validate === undefined) return { inputSchema };
    return { inputSchema, validate: async (input) => readValidation(await own.validate?.(input)) };
  }
  if (hasStandardProperty(schema)) {
    const standard = schema as StandardSchema;
    return {
      inputSchema: convertStandardSchema(standard, name).schema,
      validate: async (input) => readStandard(await standard['~standard'].validate(input)),
    };
  }
  return await readWithSdk(name, schema);
}

/** Schemas of older libraries (zod 3) are read by the SDK itself. */
async function readWithSdk(name: string, schema: unknown): Promise<ReadSchema> {
  const sdk = await loadSdk().catch((error: unknown) => {
    throw new ToolgateError(
      'peer-missing',
      `The schema of the tool ${name} needs the package "ai" (6 or newer) to be read: npm install ai. (${errorMessage(error)})`,
      { data: { package: 'ai', range: '>=6' }, cause: error },
    );
  });
  return await readSchema(name, sdk.asSchema(schema));
}

async function loadSdk(): Promise<{ asSchema(schema: unknown): unknown }> {
  return (await import('ai')) as unknown as { asSchema(schema: unknown): unknown };
}

/**
 * The schemas of tools as the SDK reads them. It writes each of them anew for every step of the model, which at a hundred tools takes
 * most of a step's time; one that it has read already it keeps. Empty where the SDK cannot be found.
 */
export async function readSchemasOnce(tools: ReadonlyMap<string, SdkTool>): Promise<ReadonlyMap<string, unknown>> {
  try {
    const sdk = await loadSdk();
    const schemas = new Map<string, unknown>();
    for (const [name, { inputSchema }] of tools) {
      if (inputSchema !== undefined && inputSchema !== null) schemas.set(name, sdk.asSchema(inputSchema));
    }
    return schemas;
  } catch {
    return new Map();
  }
}

function readValidation(result: unknown): ParsedArguments {
  if (!isPlainObject(result)) return { ok: false, issues: [{ path: '', message: 'The schema gave no answer.' }] };
  if (result['success'] === true) return { ok: true, value: result['value'] };
  return { ok: false, issues: [{ path: '', message: errorMessage(result['error']) }] };
}

function readStandard(result: Awaited<ReturnType<StandardSchema['~standard']['validate']>>): ParsedArguments {
  if (result.issues === undefined) return { ok: true, value: result.value };
  const issues = result.issues.map(({ message, path }): ArgumentIssue => ({
    path: (path ?? [])
      .map(
        (part) =>
          `/${String(typeof part === 'object' ? part.key : part)
            .replaceAll('~', '~0')
            .replaceAll('/', '~1')}`,
      )
      .join(''),
    message,
  }));
  return { ok: false, issues };
}

/** What the SDK's MCP client notes of a server's tool. */
function annotationsOf(tool: SdkTool): ToolAnnotations | undefined {
  if (!isPlainObject(tool.metadata) || !isPlainObject(tool.metadata['annotations'])) return undefined;
  return tool.metadata['annotations'] as ToolAnnotations;
}

function serverOf(tool: SdkTool): ToolServer | undefined {
  const client = isPlainObject(tool.metadata) ? tool.metadata['clientName'] : undefined;
  return typeof client === 'string' ? { name: client, identity: `mcp:${client}`, trust: 'none' } : undefined;
}

/** A JSON Schema as the Standard Schema that both versions of the SDK take; arguments are checked by the gate. */
export function standardOf(schema: JsonSchema): StandardSchema {
  return {
    '~standard': {
      version: 1,
      vendor: 'toolgate',
      validate: (value) => ({ value }),
      jsonSchema: {
        input: () => schema as Record<string, unknown>,
        output: () => schema as Record<string, unknown>,
      } as StandardSchema['~standard']['jsonSchema'] & { output: () => JsonObject },
    },
  };
}
