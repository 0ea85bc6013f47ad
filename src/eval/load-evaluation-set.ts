import { basename, join, resolve } from 'node:path';
import type { ToolDefinition } from '../core/tool.ts';
import { toolTokens } from '../select/tool-tokens.ts';
import { parseEvaluationCase } from './parse-evaluation-case.ts';
import { parseEvaluationTool } from './parse-evaluation-tool.ts';
import { datasetError, readJsonLines } from './read-json-lines.ts';
import type { EvaluationCase, EvaluationSet, EvaluationTool } from './types.ts';

/**
 * Loads `tools.jsonl` and `cases.jsonl` of a folder. Everything is checked before anything is measured: throws
 * `dataset-invalid`, which says file, line and what to mend, for the first thing that is wrong.
 * @param name Default: the folder's own name.
 */
export async function loadEvaluationSet(directory: string, name?: string): Promise<EvaluationSet> {
  const tools = await loadEvaluationTools(join(directory, 'tools.jsonl'));
  const positions = new Map(tools.map((tool, index) => [tool.id, index]));
  const file = join(directory, 'cases.jsonl');
  const cases: EvaluationCase[] = [];
  const lines = new Map<string, number>();
  for await (const { value, line } of readJsonLines(file)) {
    const parsed = parseEvaluationCase(value, (id) => positions.has(id));
    if (!parsed.ok) throw datasetError(file, line, parsed.problem);
    const first = lines.get(parsed.case.id);
    if (first !== undefined)
      throw datasetError(file, line, `Case ${parsed.case.id} stands already in line ${first}. Ids must be unique.`);
    lines.set(parsed.case.id, line);
    cases.push(parsed.case);
  }
  if (cases.length === 0) throw datasetError(file, 1, 'The file holds no case.');
  return { name: name ?? basename(resolve(directory)), tools, cases, positions };
}

/** Loads a catalogue in the form of `tools.jsonl`. Throws `dataset-invalid` like {@link loadEvaluationSet}. */
export async function loadEvaluationTools(file: string): Promise<readonly EvaluationTool[]> {
  const tools: EvaluationTool[] = [];
  const lines = new Map<string, number>();
  const names = new Set<string>();
  for await (const { value, line } of readJsonLines(file)) {
    const parsed = parseEvaluationTool(value);
    if (!parsed.ok) throw datasetError(file, line, parsed.problem);
    const first = lines.get(parsed.id);
    if (first !== undefined)
      throw datasetError(file, line, `Tool ${parsed.id} stands already in line ${first}. Ids must be unique.`);
    lines.set(parsed.id, line);
    const definition = withUniqueName(parsed.definition, names);
    tools.push({ id: parsed.id, definition, tokens: toolTokens(definition) });
  }
  if (tools.length === 0) throw datasetError(file, 1, 'The file holds no tool.');
  return tools;
}

/** As in a gate, where a name is given once: found tools are told apart by name. */
function withUniqueName(definition: ToolDefinition, names: Set<string>): ToolDefinition {
  let name = definition.name;
  for (let count = 2; names.has(name); count++) name = `${definition.name}_${count}`;
  names.add(name);
  return name === definition.name ? definition : { ...definition, name };
}
