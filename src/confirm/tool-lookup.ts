import { catalogueOf } from '../catalog/catalogue-of.ts';
import type { ToolLookup } from '../catalog/types.ts';
import type { ManagerSetup, ToolsInput } from './manager-options.ts';

/** Tools as a lookup by exposed name. Throws what `catalogueOf` throws: duplicate names, unusable tools. */
export function lookupOf(tools: ToolsInput): ToolLookup {
  return 'get' in tools && typeof tools.get === 'function'
    ? tools
    : catalogueOf(tools as Exclude<ToolsInput, ToolLookup>);
}

/** The tools the manager was made with, when it was. */
export async function defaultLookup(setup: ManagerSetup): Promise<ToolLookup | undefined> {
  const { tools } = setup.options;
  if (tools === undefined) return undefined;
  return lookupOf(typeof tools === 'function' ? await tools() : tools);
}
