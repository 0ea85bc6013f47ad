import type { ToolDefinition } from '../core/tool.ts';
import type { ToolNames } from './tool-names.ts';

/** Tools that a query names. */
export interface NamedTools {
  /** In the query's order. */
  readonly tools: readonly ToolDefinition[];
  /** Names that mean several tools. */
  readonly ambiguous: readonly { readonly name: string; readonly tools: readonly ToolDefinition[] }[];
  /** Words that look like names and mean no tool. */
  readonly unknown: readonly string[];
}

const maximumNames = 50;

/**
 * The tools that a query names exactly: the whole query, else those of its words that look like identifiers, else all of its words when each of them
 * is a tool's name. A plain word in a sentence is not a name: "search the web" does not ask for the tool `search`.
 */
export function namedTools(query: string, names: ToolNames): NamedTools {
  const whole = names.resolve(query);
  if (whole.length > 0) return collect([query.trim()], names);
  const words = query
    .slice(0, 5_000)
    .split(/[\s,;|"'`()[\]{}]+/u)
    .filter((word) => word !== '')
    .slice(0, maximumNames);
  const identifiers = words.filter(looksLikeIdentifier);
  const rest = words.filter((word) => !looksLikeIdentifier(word));
  if (rest.length > 0 && rest.every((word) => names.resolve(word).length > 0)) return collect(words, names);
  return collect(identifiers, names);
}

/** The tools of a list of names, each judged on its own. */
export function collect(wanted: readonly string[], names: ToolNames): NamedTools {
  const tools = new Set<ToolDefinition>();
  const ambiguous: { name: string; tools: readonly ToolDefinition[] }[] = [];
  const unknown: string[] = [];
  for (const name of new Set(wanted.slice(0, maximumNames))) {
    const meant = names.resolve(name);
    if (meant.length === 0) unknown.push(name);
    if (meant.length > 1) ambiguous.push({ name, tools: meant });
    for (const tool of meant) tools.add(tool);
  }
  return { tools: [...tools], ambiguous, unknown };
}

function looksLikeIdentifier(word: string): boolean {
  return /[\p{L}\p{N}][_\-./:]+[\p{L}\p{N}]|\p{Ll}\p{Lu}/u.test(word);
}
