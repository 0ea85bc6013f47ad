import { isPlainObject } from '../core/json.ts';
import type { JsonSchema, ToolDefinition, ToolServer } from '../core/tool.ts';

/** A tool as a line of `tools.jsonl` holds it, or what is wrong with it. */
export type ParsedTool =
  | { readonly ok: true; readonly id: string; readonly definition: ToolDefinition }
  | { readonly ok: false; readonly problem: string };

/**
 * Checks one line of `tools.jsonl`: `{ id, name, description?, inputSchema?, server?, serverDescription?, annotations?, aliases? }`.
 * `server` is a name. Unknown keys are ignored.
 */
export function parseEvaluationTool(value: unknown): ParsedTool {
  if (!isPlainObject(value)) return wrong('A tool must be a JSON object.');
  const { id, name, description, inputSchema, server, serverDescription, annotations, aliases } = value;
  if (typeof id !== 'string' || id.trim() === '') return wrong('`id` must be a text that is not blank.');
  if (typeof name !== 'string' || name.trim() === '')
    return wrong(`Tool ${id}: \`name\` must be a text that is not blank.`);
  if (!absent(description) && typeof description !== 'string')
    return wrong(`Tool ${id}: \`description\` must be a text.`);
  if (!absent(inputSchema) && !isPlainObject(inputSchema))
    return wrong(`Tool ${id}: \`inputSchema\` must be a JSON Schema object.`);
  if (!absent(server) && typeof server !== 'string') return wrong(`Tool ${id}: \`server\` must be a name.`);
  if (!absent(serverDescription) && typeof serverDescription !== 'string')
    return wrong(`Tool ${id}: \`serverDescription\` must be a text.`);
  if (!absent(annotations) && !isPlainObject(annotations))
    return wrong(`Tool ${id}: \`annotations\` must be an object.`);
  if (!absent(aliases) && !isTextList(aliases)) return wrong(`Tool ${id}: \`aliases\` must be a list of texts.`);
  const from: ToolServer | undefined =
    typeof server === 'string'
      ? {
          name: server,
          identity: server,
          ...(typeof serverDescription === 'string' ? { description: serverDescription } : {}),
        }
      : undefined;
  return {
    ok: true,
    id,
    definition: {
      name,
      inputSchema: (isPlainObject(inputSchema) ? inputSchema : { type: 'object', properties: {} }) as JsonSchema,
      ...(typeof description === 'string' ? { description } : {}),
      ...(isPlainObject(annotations) ? { annotations } : {}),
      ...(isTextList(aliases) ? { aliases } : {}),
      ...(from === undefined ? {} : { server: from }),
    },
  };
}

function absent(value: unknown): boolean {
  return value === undefined || value === null;
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function wrong(problem: string): ParsedTool {
  return { ok: false, problem };
}
