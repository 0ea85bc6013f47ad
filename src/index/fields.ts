import { isPlainObject } from '../core/json.ts';
import type { ToolDefinition } from '../core/tool.ts';

/**
 * `src/index` is the lexical index over tools: fielded BM25 on typed arrays, with the parts of every score open for
 * others to use. It imports core and text only and does no I/O: its bytes are the caller's to keep.
 */

/** What a tool is indexed by. `values` are the texts of `enum` and `const`; `aliases` holds the title too; `server` the server's name and its own words. */
export const indexFields = [
  'name',
  'aliases',
  'description',
  'parameterNames',
  'parameterDescriptions',
  'values',
  'server',
] as const;

/** A name of {@link indexFields}. */
export type IndexField = (typeof indexFields)[number];

/** The texts of one tool by field. */
export type FieldTexts = Readonly<Record<IndexField, string>>;

/** Limits on what is read of a schema from a stranger. */
const maximumNodes = 2_000;
const maximumDepth = 12;
const maximumValues = 30;

/** The texts of a tool that the index reads. Total: odd schemas give less text, never an error. */
export function fieldTexts(tool: ToolDefinition): FieldTexts {
  const found: SchemaTexts = { names: [], descriptions: [], values: [], nodes: 0 };
  readSchema(tool.inputSchema, 0, found);
  return {
    name: text(tool.name),
    aliases: [tool.title, tool.annotations?.title, ...(Array.isArray(tool.aliases) ? tool.aliases : [])]
      .map(text)
      .join('\n'),
    description: text(tool.description),
    parameterNames: found.names.join('\n'),
    parameterDescriptions: found.descriptions.join('\n'),
    values: found.values.join('\n'),
    server: [tool.server?.name, tool.server?.description].map(text).join('\n'),
  };
}

interface SchemaTexts {
  readonly names: string[];
  readonly descriptions: string[];
  readonly values: string[];
  nodes: number;
}

const nested = ['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains'] as const;
const nestedLists = ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const;
const nestedMaps = ['properties', '$defs', 'definitions', 'patternProperties'] as const;

function readSchema(schema: unknown, depth: number, found: SchemaTexts): void {
  if (!isPlainObject(schema) || depth > maximumDepth) return;
  found.nodes += 1;
  if (found.nodes > maximumNodes) return;
  // The description of the whole is the tool's business, not a parameter's.
  if (depth > 0) {
    for (const key of ['title', 'description'] as const) {
      const value = own(schema, key);
      if (typeof value === 'string') found.descriptions.push(value);
    }
  }
  const values = own(schema, 'enum');
  if (Array.isArray(values)) {
    for (const value of values.slice(0, maximumValues)) if (typeof value === 'string') found.values.push(value);
  }
  const constant = own(schema, 'const');
  if (typeof constant === 'string') found.values.push(constant);
  for (const key of nestedMaps) {
    const members = own(schema, key);
    if (!isPlainObject(members)) continue;
    for (const [name, member] of Object.entries(members)) {
      if (key === 'properties') found.names.push(name);
      readSchema(member, depth + 1, found);
    }
  }
  for (const key of nested) readSchema(own(schema, key), depth + 1, found);
  for (const key of nestedLists) {
    const members = own(schema, key);
    if (Array.isArray(members)) for (const member of members) readSchema(member, depth + 1, found);
  }
}

function own(object: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
