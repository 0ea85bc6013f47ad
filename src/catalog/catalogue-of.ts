import { ToolgateError } from '../core/errors.ts';
import type { Tool } from '../core/tool.ts';
import { createCatalogue } from './catalogue.ts';
import { checkTool, registerTool } from './registered-tool.ts';
import type { Catalogue, RegisteredTool } from './types.ts';

const catalogues = new WeakMap<readonly Tool[], { readonly members: readonly Tool[]; readonly catalogue: Catalogue }>();

/**
 * A catalogue of the host's own tools, where own names are the exposed ones. The same list gives the same catalogue.
 * Throws `duplicate-tool` when two tools have one name, and `invalid-tool` for one that cannot be used.
 */
export function catalogueOf(tools: readonly Tool[]): Catalogue {
  const known = catalogues.get(tools);
  if (
    known !== undefined &&
    known.members.length === tools.length &&
    known.members.every((member, index) => member === tools[index])
  )
    return known.catalogue;
  const names = new Set<string>();
  const registered = tools.map((tool): RegisteredTool => {
    const check = checkTool(tool, 'common');
    if (!check.ok) throw new ToolgateError('invalid-tool', check.message, { data: { tool: ownNameOf(tool) } });
    if (names.has(tool.name)) throw duplicateTool(tool.name);
    names.add(tool.name);
    return registerTool(tool, { name: tool.name, provider: 'tools', direct: true, dialect: 'common' });
  });
  const catalogue = createCatalogue(registered, []);
  catalogues.set(tools, { members: [...tools], catalogue });
  return catalogue;
}

/** Two of the host's own tools have one name. */
export function duplicateTool(name: string): ToolgateError {
  return new ToolgateError('duplicate-tool', `Two tools are named "${name}". Rename one of them.`, {
    data: { tool: name },
  });
}

/** The name of something that may not be a tool, for messages. */
export function ownNameOf(tool: unknown): string {
  try {
    const name: unknown = typeof tool === 'object' && tool !== null ? (tool as { name?: unknown }).name : undefined;
    return typeof name === 'string' ? name : '';
  } catch {
    return '';
  }
}
