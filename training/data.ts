import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Message } from '../src/core/message.ts';
import type { ToolDefinition } from '../src/core/tool.ts';
import { dataDirectory } from './paths.ts';
import { createRandom, shuffled } from './random.ts';

/** One question to the model with its answer. */
export interface Case {
  readonly id: string;
  readonly kind: string;
  readonly messages: readonly Message[];
  /** Positions in the set's tools. Empty: no tool fits. */
  readonly relevant: readonly number[];
  /** Other positions that are as good as one of the relevant ones. */
  readonly alternatives: readonly number[];
  /** Positions within which a case without a fitting tool holds; absent: the whole catalogue. */
  readonly candidates?: readonly number[];
}

/** A catalogue with cases. */
export interface DataSet {
  readonly name: string;
  readonly tools: readonly ToolDefinition[];
  readonly cases: readonly Case[];
  /** SHA-256 of both files. */
  readonly hash: string;
}

/** The groups of the cross-validation. The weights behind a set's figures come from the three other groups. */
export const groups: readonly (readonly string[])[] = [
  ['metatool', 'toolalpaca'],
  ['bfcl'],
  ['sealtools', 'apibank'],
  // nestful holds requests that were made from sgd's schemas.
  ['toolret-apigen', 'nestful', 'sgd'],
];

/** Never trained on: its licence (CC BY-SA) would bind the weights. */
export const evaluationOnly: ReadonlySet<string> = new Set(['sgd']);

/** Catalogues without cases, for pairs of name and description and as distractors. MIT, MIT and Apache-2.0. */
export const catalogueNames: readonly string[] = ['toucan-mcp', 'docker-mcp', 'aci-tools'];

interface ToolRow {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly inputSchema?: ToolDefinition['inputSchema'];
  readonly server?: string;
  readonly serverDescription?: string;
}

interface CaseRow {
  readonly id: string;
  readonly kind: string;
  readonly messages: readonly Message[];
  readonly relevant: readonly string[];
  readonly alternatives?: Readonly<Record<string, readonly string[]>>;
  readonly candidates?: readonly string[];
}

/** Reads a catalogue. */
export function loadTools(name: string): { tools: ToolDefinition[]; ids: string[]; text: string } {
  const text = readFileSync(`${dataDirectory()}/${name}/tools.jsonl`, 'utf8');
  const rows = lines<ToolRow>(text);
  return { tools: withDistinctNames(rows.map(toDefinition)), ids: rows.map((row) => row.id), text };
}

/** Reads a set; at most `limit` cases that need a tool and `limit` that need none, drawn with a fixed seed and spread evenly over their kinds' shares. */
export function loadSet(name: string, limit: number = Number.POSITIVE_INFINITY): DataSet {
  const { tools, ids, text } = loadTools(name);
  const caseText = readFileSync(`${dataDirectory()}/${name}/cases.jsonl`, 'utf8');
  const positions = new Map(ids.map((id, position) => [id, position]));
  const place = (id: string): number[] => {
    const position = positions.get(id);
    return position === undefined ? [] : [position];
  };
  const all = lines<CaseRow>(caseText).map((row): Case => ({
    id: row.id,
    kind: row.kind,
    messages: row.messages,
    relevant: [...new Set(row.relevant.flatMap(place))],
    alternatives: Object.values(row.alternatives ?? {}).flatMap((others) => others.flatMap(place)),
    ...(row.candidates === undefined ? {} : { candidates: row.candidates.flatMap(place) }),
  }));
  const needing = all.filter((one) => one.relevant.length > 0);
  const free = all.filter((one) => one.relevant.length === 0);
  const draw = (cases: readonly Case[]): Case[] =>
    cases.length <= limit ? [...cases] : shuffled(cases, createRandom(17)).slice(0, limit);
  const hash = createHash('sha256').update(text).update(caseText).digest('hex');
  return { name, tools, cases: [...draw(needing), ...draw(free)], hash };
}

/** As tools are exposed: the second tool of one name gets the ending `_2`. */
function withDistinctNames(tools: readonly ToolDefinition[]): ToolDefinition[] {
  const taken = new Set(tools.map((tool) => tool.name));
  const seen = new Set<string>();
  return tools.map((tool) => {
    let name = tool.name;
    for (let number = 2; seen.has(name); number += 1) {
      const next = `${tool.name}_${number}`;
      if (!taken.has(next)) name = next;
    }
    seen.add(name);
    taken.add(name);
    return name === tool.name ? tool : { ...tool, name };
  });
}

function toDefinition(row: ToolRow): ToolDefinition {
  return {
    name: row.name,
    description: row.description ?? '',
    inputSchema: row.inputSchema ?? { type: 'object' },
    ...(row.server === undefined
      ? {}
      : {
          server: {
            name: row.server,
            identity: row.server,
            ...(row.serverDescription === undefined ? {} : { description: row.serverDescription }),
          },
        }),
  };
}

function lines<T>(text: string): T[] {
  return text
    .split('\n')
    .filter((line) => line.length > 0)
    .map((line) => JSON.parse(line) as T);
}
