import { isPlainObject } from '../core/json.ts';
import type { ToolDefinition } from '../core/tool.ts';
import { argumentText } from './search-arguments.ts';

/** Results in one answer, whatever a model asks for. */
export const mostResults = 50;

/**
 * A search tool with the optional arguments that the search service reads beside the strategy's own, and with a word on what is behind it. Arguments of
 * these names that the strategy has already stay its own.
 */
export function withFilters(tool: ToolDefinition, note: string): ToolDefinition {
  const own = isPlainObject(tool.inputSchema['properties']) ? tool.inputSchema['properties'] : {};
  return {
    ...tool,
    description: note === '' ? tool.description : `${tool.description ?? ''} ${note}`.trim(),
    inputSchema: {
      ...tool.inputSchema,
      properties: {
        server: { type: 'string', description: 'Only tools of this server' },
        limit: { type: 'integer', minimum: 1, maximum: mostResults, description: 'At most this many tools' },
        offset: { type: 'integer', minimum: 0, description: 'Skip this many of the best matches' },
        ...(own as ToolDefinition['inputSchema']),
      } as ToolDefinition['inputSchema'],
    },
  };
}

/** The argument through which a search tool gets its query: the first required one, else the first one, else `query`. */
export function mainArgument(tool: ToolDefinition | undefined): { readonly name: string; readonly isList: boolean } {
  const required = tool?.inputSchema['required'];
  const properties = tool?.inputSchema['properties'];
  const members = isPlainObject(properties) ? properties : {};
  const first: unknown = Array.isArray(required) ? required[0] : undefined;
  const name = typeof first === 'string' ? first : (Object.keys(members)[0] ?? 'query');
  const schema = Object.hasOwn(members, name) ? members[name] : undefined;
  return { name, isList: isPlainObject(schema) && schema['type'] === 'array' };
}

/** A whole number from whatever a model gave, brought into the range; undefined when it is none. */
export function countFrom(value: unknown, least: number, most: number): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || Number.isNaN(number)) return undefined;
  return Math.min(most, Math.max(least, Math.trunc(number)));
}

/** A query from whatever a model gave: a list of words becomes one text, nothing becomes the empty one. */
export function queryFrom(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = Array.isArray(value) ? value.slice(0, 1_000).map(argumentText).join(' ') : argumentText(value);
  return text.slice(0, 20_000).trim();
}

/** The names that are asked for one by one: `select:a,b`; undefined for an ordinary query. */
export function selectedNames(query: string): readonly string[] | undefined {
  if (!/^select:/iu.test(query)) return undefined;
  return query
    .slice('select:'.length)
    .split(/[\s,]+/u)
    .filter((name) => name !== '');
}
