import { readFileSync } from 'node:fs';
import { ToolgateError, errorMessage } from '../core/errors.ts';
import { isPlainObject } from '../core/json.ts';
import type { JsonSchema, ToolAnnotations, ToolDefinition } from '../core/tool.ts';

/** A definition from a file. */
export interface FileTool extends ToolDefinition {
  readonly id?: string;
}

/**
 * Reads tools from a file: one JSON object a line, a JSON array, or an object with `tools` (an answer of MCP's
 * `tools/list`). Throws `dataset-invalid` with file and line.
 */
export function readCatalogue(file: string): FileTool[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new ToolgateError('dataset-invalid', `Cannot read the tools of ${file}: ${errorMessage(error)}`, {
      data: { file },
      cause: error,
    });
  }
  const whole = text.trimStart();
  if (whole.startsWith('[') || (whole.startsWith('{') && !isJsonLines(whole))) {
    const value = parse(whole, file, 1);
    const list: unknown = isPlainObject(value) ? value['tools'] : value;
    if (!Array.isArray(list)) throw problem(file, 1, 'expected an array of tools, or an object with `tools`');
    return list.map((entry, index) => toTool(entry, file, index + 1, 'tool'));
  }
  const tools: FileTool[] = [];
  text.split('\n').forEach((line, index) => {
    if (line.trim() === '') return;
    tools.push(toTool(parse(line, file, index + 1), file, index + 1, 'line'));
  });
  return tools;
}

function isJsonLines(text: string): boolean {
  const end = text.indexOf('\n');
  if (end < 0) return !/"tools"\s*:\s*\[/.test(text);
  try {
    JSON.parse(text.slice(0, end));
    return true;
  } catch {
    return false;
  }
}

function parse(text: string, file: string, line: number): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw problem(file, line, `not JSON: ${errorMessage(error)}`);
  }
}

function toTool(value: unknown, file: string, place: number, kind: 'line' | 'tool'): FileTool {
  if (!isPlainObject(value)) throw problem(file, place, 'expected a tool, an object with a name', kind);
  const name = value['name'];
  if (typeof name !== 'string' || name === '') throw problem(file, place, 'the tool has no name', kind);
  const schema = value['inputSchema'] ?? value['parameters'] ?? value['input_schema'] ?? { type: 'object' };
  if (!isPlainObject(schema)) throw problem(file, place, `the input schema of ${name} is not an object`, kind);
  const { description, annotations, server, id } = value;
  return {
    name,
    inputSchema: schema as JsonSchema,
    ...(typeof id === 'string' ? { id } : {}),
    ...(typeof description === 'string' ? { description } : {}),
    ...(isPlainObject(annotations) ? { annotations: annotations as ToolAnnotations } : {}),
    ...(typeof server === 'string' ? { server: { name: server, identity: server } } : {}),
  };
}

function problem(file: string, line: number, what: string, kind: 'line' | 'tool' = 'line'): ToolgateError {
  return new ToolgateError('dataset-invalid', `${file}, ${kind} ${line}: ${what}.`, { data: { file, line } });
}
