import type { RegisteredTool } from '../catalog/types.ts';
import type { ToolDefinition } from '../core/tool.ts';
import type { Arrangement } from './arrange-tools.ts';

/** What one call of the model is given: the search tools in front, then what is shown. */
export interface ListedTools {
  readonly definitions: readonly ToolDefinition[];
  readonly names: ReadonlySet<string>;
}

/** The same list for the same arrangement and search tools, so that whatever is made of it is made once. */
export function listTools(arranged: Arrangement, searchTools: readonly RegisteredTool[]): ListedTools {
  const known = arranged.listed;
  const isSame =
    known?.definitions.length === searchTools.length + arranged.tools.length &&
    searchTools.every(({ definition }, position) => definition === known.definitions[position]);
  if (isSame) return known;
  const listed = {
    definitions: [...searchTools, ...arranged.tools].map(({ definition }) => definition),
    names: new Set([...searchTools.map(({ name }) => name), ...arranged.names]),
  };
  arranged.listed = listed;
  return listed;
}
