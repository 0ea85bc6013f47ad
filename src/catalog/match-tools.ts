import type { Catalogue, RegisteredTool } from './types.ts';

/**
 * The tools that a loosely written name may mean, in the catalogue's order: exposed name, own name, alias, title-free
 * `server.tool`, `server/tool`, `server:tool` or `server__tool` forms. What matches as written beats what matches in another
 * case style (`createIssue`, `create-issue`, `CREATE_ISSUE`). More than one: the name is ambiguous, tell all and guess none.
 */
export function matchingTools(catalogue: Catalogue, name: string): readonly RegisteredTool[] {
  const exact = catalogue.get(name);
  return exact === undefined ? matchTools(catalogue.tools, name) : [exact];
}

interface NameIndex {
  readonly asWritten: ReadonlyMap<string, readonly RegisteredTool[]>;
  readonly loose: ReadonlyMap<string, readonly RegisteredTool[]>;
}

const indexes = new WeakMap<readonly RegisteredTool[], NameIndex>();

/** As {@link matchingTools}, for a list of tools. */
export function matchTools(tools: readonly RegisteredTool[], name: string): readonly RegisteredTool[] {
  if (typeof name !== 'string' || name.length === 0 || name.length > 512) return [];
  let index = indexes.get(tools);
  if (index === undefined) {
    index = buildIndex(tools);
    indexes.set(tools, index);
  }
  return index.asWritten.get(name) ?? index.loose.get(looseForm(name)) ?? [];
}

function buildIndex(tools: readonly RegisteredTool[]): NameIndex {
  const asWritten = new Map<string, RegisteredTool[]>();
  const loose = new Map<string, RegisteredTool[]>();
  for (const tool of tools) {
    for (const form of formsOf(tool)) {
      add(asWritten, form, tool);
      add(loose, looseForm(form), tool);
    }
  }
  return { asWritten, loose };
}

function formsOf(registered: RegisteredTool): ReadonlySet<string> {
  const { tool, name, provider } = registered;
  const aliases: unknown = tool.aliases;
  const own = [
    tool.name,
    ...(Array.isArray(aliases) ? aliases.filter((alias): alias is string => typeof alias === 'string') : []),
  ];
  const server = tool.server?.name ?? (registered.direct ? undefined : provider);
  const prefixed =
    server === undefined
      ? []
      : own.flatMap((one) => ['.', '/', ':', '__', '_'].map((separator) => `${server}${separator}${one}`));
  return new Set([name, ...own, ...prefixed]);
}

function add(map: Map<string, RegisteredTool[]>, key: string, tool: RegisteredTool): void {
  if (key === '') return;
  const list = map.get(key);
  if (list === undefined) map.set(key, [tool]);
  else if (!list.includes(tool)) list.push(tool);
}

/** Letters and digits only, in lower case: what all case styles of one name have in common. */
function looseForm(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
}
