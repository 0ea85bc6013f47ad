import type { ToolDefinition } from '../core/tool.ts';
import { squash } from './tool-names.ts';

/** A server with the number of its tools. */
export interface SearchArea {
  readonly name: string;
  readonly tools: number;
}

/** The servers of some tools by name, with their numbers of tools. Tools without a server belong to no area. */
export function searchAreas(tools: readonly ToolDefinition[]): readonly SearchArea[] {
  const counts = new Map<string, number>();
  for (const { server } of tools) if (server !== undefined) counts.set(server.name, (counts.get(server.name) ?? 0) + 1);
  return [...counts].map(([name, count]) => ({ name, tools: count })).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * The tools of the servers that `wanted` means. Exact identity beats partial: the server of exactly this name, else in any case style, else
 * those whose names contain it. Undefined when no server is meant.
 */
export function toolsOfServer(tools: readonly ToolDefinition[], wanted: string): readonly ToolDefinition[] | undefined {
  const name = wanted.trim();
  const squashed = squash(name);
  const tests: ((server: string) => boolean)[] = [
    (server) => server === name,
    (server) => squash(server) === squashed,
    (server) => squashed !== '' && squash(server).includes(squashed),
  ];
  for (const test of tests) {
    const found = tools.filter((tool) => tool.server !== undefined && test(tool.server.name));
    if (found.length > 0) return found;
  }
  return undefined;
}

/** `github (40 tools), mail (1 tool)`, at most `most` of them. Names come from servers' configurations and are kept to one short line. */
export function describeAreas(areas: readonly SearchArea[], most = 20): string {
  const named = areas
    .slice(0, most)
    .map(({ name, tools }) => `${shortLine(name)} (${tools} ${tools === 1 ? 'tool' : 'tools'})`);
  if (areas.length > most) named.push(`${areas.length - most} more`);
  return named.join(', ');
}

/** Text of strangers for a line of a result: no control or formatting characters, at most 80 characters. */
export function shortLine(text: string): string {
  const line = text.replace(/[\p{C}\s]+/gu, ' ').trim();
  return line.length > 80 ? `${Array.from(line).slice(0, 79).join('')}…` : line;
}
