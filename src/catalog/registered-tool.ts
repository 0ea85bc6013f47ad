import type { Digest } from '../core/digest.ts';
import { fingerprintTool } from '../core/fingerprint.ts';
import type { Tool, ToolDefinition } from '../core/tool.ts';
import { omitKeys } from '../schema/own.ts';
import { prepareSchema } from '../schema/prepare-schema.ts';
import type { SchemaDialect } from '../schema/repair.ts';
import type { RegisteredTool } from './types.ts';

/** A tool that can be registered, or why it cannot. */
export type ToolCheck =
  | { readonly ok: true; readonly notes: readonly string[] }
  | { readonly ok: false; readonly message: string };

/**
 * Looks at a tool from a provider, which may be anything. Never throws.
 */
export function checkTool(tool: unknown, dialect: SchemaDialect): ToolCheck {
  try {
    if (typeof tool !== 'object' || tool === null)
      return { ok: false, message: `Expected a tool, got ${tool === null ? 'null' : typeof tool}.` };
    const { name, execute, inputSchema, server } = tool as Partial<Tool>;
    if (typeof name !== 'string' || name.trim() === '')
      return { ok: false, message: 'A tool without a name was left out.' };
    if (typeof execute !== 'function')
      return {
        ok: false,
        message: `Tool ${JSON.stringify(name.slice(0, 120))} was left out: it has no function execute.`,
      };
    if (
      server !== undefined &&
      (typeof (server as Partial<typeof server> | null)?.identity !== 'string' || typeof server.name !== 'string')
    ) {
      return {
        ok: false,
        message: `Tool ${JSON.stringify(name.slice(0, 120))} was left out: its server needs a name and an identity.`,
      };
    }
    const prepared = prepareSchema(inputSchema, dialect);
    if (!prepared.ok)
      return { ok: false, message: `Tool ${JSON.stringify(name.slice(0, 120))} was left out. ${prepared.message}` };
    return { ok: true, notes: prepared.prepared.notes };
  } catch {
    return { ok: false, message: 'A tool was left out: its definition cannot be read.' };
  }
}

export interface RegistrationOptions {
  readonly name: string;
  readonly provider: string;
  readonly direct: boolean;
  readonly dialect: SchemaDialect;
}

/** A tool under its exposed name. `tool` must have passed {@link checkTool}. What is costly is computed when first asked for. */
export function registerTool(tool: Tool, options: RegistrationOptions): RegisteredTool {
  const preparation = prepareSchema(tool.inputSchema, options.dialect);
  let definition: ToolDefinition | undefined;
  let fingerprint: Digest | undefined;
  let tokens: number | undefined;
  return {
    name: options.name,
    tool,
    provider: options.provider,
    direct: options.direct,
    get definition(): ToolDefinition {
      definition ??= defineTool(tool, options.name, preparation.ok ? preparation.prepared.shown : tool.inputSchema);
      return definition;
    },
    get fingerprint(): Digest {
      fingerprint ??= fingerprintTool(tool);
      return fingerprint;
    },
    get tokens(): number {
      tokens ??= estimateTokens(this.definition);
      return tokens;
    },
    parse: async (input) => {
      if (!preparation.ok) return { ok: false, issues: [{ path: '', message: preparation.message }] };
      return preparation.prepared.parse(input, tool.parse?.bind(tool));
    },
  };
}

/** Everything of a tool but how to run it; unknown fields pass through. */
function defineTool(tool: Tool, name: string, inputSchema: Tool['inputSchema']): ToolDefinition {
  const description: unknown = tool.description;
  const title: unknown = tool.title;
  return {
    ...omitKeys(tool, ['execute', 'preview', 'parse', 'description', 'title']),
    name,
    inputSchema,
    ...(typeof description === 'string' ? { description } : {}),
    ...(typeof title === 'string' ? { title } : {}),
  };
}

function estimateTokens(definition: ToolDefinition): number {
  const { name, description, inputSchema } = definition;
  try {
    return Math.ceil(JSON.stringify({ name, description, inputSchema }).length / 4);
  } catch {
    return 0;
  }
}
