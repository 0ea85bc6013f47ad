import type { ToolDefinition } from '../core/tool.ts';
import type { FoundTool } from './port.ts';
import { foundToolsText } from './search-tool-options.ts';
import { describeAreas, shortLine } from './servers.ts';
import type { SearchArea } from './servers.ts';

/** A name that several tools could be meant by. */
export interface AmbiguousName {
  readonly name: string;
  /** Exposed names. */
  readonly candidates: readonly string[];
}

/** What a search gave. */
export interface SearchOutcome {
  readonly query: string;
  /** Best first: exactly named ones (1 more in their score, as `parts.exact`), then by the strategy's score. */
  readonly found: readonly FoundTool[];
  /** How many match, of which `found` is a part. */
  readonly total: number;
  /** How many of the best were skipped. */
  readonly offset: number;
  /** Where the next search goes on, when there are more. */
  readonly nextOffset?: number | undefined;
  /** Names of tools that are looked for and that the model sees already. */
  readonly alreadyAvailable: readonly string[];
  /** Only where tools were asked for by name: these are not found, their candidates are told. */
  readonly ambiguous: readonly AmbiguousName[];
  /** Names in the query that no tool has. */
  readonly unknown: readonly string[];
  /** Where was searched. */
  readonly areas: readonly SearchArea[];
  /** Why the query could not be used, in words for the model. */
  readonly problem?: string | undefined;
  /** True when the strategy failed and words alone decided. */
  readonly degraded?: boolean | undefined;
  /** What the model reads. */
  readonly text: string;
}

/** How an outcome is put into words. */
export interface OutcomeWording {
  /** The line that names the found tools. Default: that of the strategies. */
  readonly foundText?: ((names: readonly string[]) => string) | undefined;
  /** The found tools, for one line each in place of one line for all. */
  readonly summaries?: readonly ToolDefinition[] | undefined;
}

/** An outcome as the model reads it: what was found, how many more there are and how to get them, and what else there is to say. */
export function describeOutcome(outcome: Omit<SearchOutcome, 'text'>, wording: OutcomeWording = {}): string {
  const { found, total, offset, nextOffset, alreadyAvailable, ambiguous, unknown, areas, problem } = outcome;
  const lines: string[] = [];
  const saysEnough = problem !== undefined || alreadyAvailable.length > 0 || ambiguous.length > 0;
  if (problem !== undefined) lines.push(problem);
  else if (found.length > 0 || !saysEnough) lines.push(foundLines(found, wording));
  if (total > found.length) {
    const rest =
      nextOffset === undefined ? '' : ` For more, search again with "offset": ${nextOffset}, or narrow the query.`;
    const first = offset === 0 ? `${found.length}` : `${offset + 1} to ${offset + found.length}`;
    lines.push(
      found.length === 0 ? `There are only ${total} matches.` : `Showing ${first} of ${total} matches.${rest}`,
    );
  }
  if (alreadyAvailable.length > 0) {
    lines.push(`Already available, call directly without searching: ${alreadyAvailable.join(', ')}`);
  }
  for (const { name, candidates } of ambiguous) {
    lines.push(`"${shortLine(name)}" could be any of: ${candidates.join(', ')}. Ask for one of them.`);
  }
  if (unknown.length > 0) lines.push(`Not found: ${unknown.slice(0, 20).map(shortLine).join(', ')}`);
  if (found.length === 0 && total === 0 && !saysEnough) {
    const searched = areas.length === 0 ? '' : `Searched: ${describeAreas(areas)}. `;
    lines.push(`${searched}Try other words, or "*" to list everything.`);
  }
  return lines.join('\n');
}

function foundLines(found: readonly FoundTool[], wording: OutcomeWording): string {
  const names = found.map((tool) => tool.name);
  if (wording.summaries === undefined || found.length === 0) return (wording.foundText ?? foundToolsText)(names);
  const tools = new Map(wording.summaries.map((tool) => [tool.name, tool]));
  return names
    .map((name) => {
      const summary = firstSentence(tools.get(name)?.description ?? '');
      return summary === '' ? `- ${name}` : `- ${name}: ${summary}`;
    })
    .join('\n');
}

function firstSentence(description: string): string {
  const line = description
    .slice(0, 1_000)
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim();
  const sentence = /^.{20,200}?[.!?。](?=\s|$)/u.exec(line)?.[0] ?? line;
  return sentence.length > 200 ? `${Array.from(sentence).slice(0, 199).join('')}…` : sentence;
}
