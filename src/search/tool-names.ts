import type { ToolDefinition } from '../core/tool.ts';
import { fold } from '../text/fold.ts';

/** Looks tools up by every form of their names. */
export interface ToolNames {
  /**
   * The tools that a name means, in the catalogue's order: exposed name, else any form in any case style: without its server's
   * prefix, with it (`server.tool`, `mcp__server__tool`), title, alias. More than one when the form is ambiguous.
   */
  resolve(name: string): readonly ToolDefinition[];
}

/** Longer texts are no names. */
const longestName = 200;

/** Collects the names of tools. */
export function createToolNames(tools: readonly ToolDefinition[]): ToolNames {
  const exact = new Map<string, ToolDefinition>();
  const strict = new Map<string, ToolDefinition[]>();
  const loose = new Map<string, ToolDefinition[]>();
  for (const tool of tools) {
    if (!exact.has(tool.name)) exact.set(tool.name, tool);
    add(strict, squash(tool.name), tool);
    for (const form of looseForms(tool)) add(loose, form, tool);
  }
  return {
    resolve(name) {
      const trimmed = name.trim();
      if (trimmed === '' || trimmed.length > longestName) return [];
      const same = exact.get(trimmed);
      if (same !== undefined && (strict.get(squash(trimmed)) ?? []).length >= 1) return [same];
      const squashed = squash(trimmed);
      if (squashed === '') return [];
      return strict.get(squashed) ?? loose.get(squashed) ?? [];
    },
  };
}

/** A name without case, diacritics and separators: `addContact`, `add_contact` and `Add Contact` are one. */
export function squash(name: string): string {
  return fold(name).replace(/[^\p{L}\p{M}\p{N}]+/gu, '');
}

function looseForms(tool: ToolDefinition): ReadonlySet<string> {
  const forms = new Set<string>();
  const own = squash(tool.name);
  const server = squash(tool.server?.name ?? '');
  const short = server === '' ? own : withoutServer(own, server);
  forms.add(short);
  if (server !== '') {
    forms.add(server + short);
    forms.add(`mcp${server}${short}`);
  }
  for (const other of [tool.title, tool.annotations?.title, ...(Array.isArray(tool.aliases) ? tool.aliases : [])]) {
    if (typeof other === 'string') forms.add(squash(other));
  }
  // A client's own prefix: mcp__server__tool.
  const prefixed = /^mcp__(?<server>.+?)__(?<name>.+)$/u.exec(tool.name)?.groups?.['name'];
  if (prefixed !== undefined) forms.add(squash(prefixed));
  forms.delete('');
  return forms;
}

function withoutServer(name: string, server: string): string {
  for (const prefix of [`mcp${server}`, server]) {
    if (name.length > prefix.length && name.startsWith(prefix)) return name.slice(prefix.length);
    if (name.length > prefix.length && name.endsWith(prefix)) return name.slice(0, -prefix.length);
  }
  return name;
}

function add(forms: Map<string, ToolDefinition[]>, form: string, tool: ToolDefinition): void {
  const known = forms.get(form);
  if (known === undefined) forms.set(form, [tool]);
  else if (!known.includes(tool)) known.push(tool);
}
