import { join } from 'node:path';
import { mcpToolDefinition } from '../adapters/mcp.ts';
import { digestText } from '../core/digest.ts';
import { isPlainObject } from '../core/json.ts';
import type { JsonObject } from '../core/json.ts';
import type { ToolServer } from '../core/tool.ts';
import type { UpstreamTool } from './list-upstream-tools.ts';
import { readJsonFile, writePrivateFile } from './state-files.ts';

/** The last good list of a server, kept over restarts. */
export interface CachedList {
  readonly tools: readonly UpstreamTool[];
  readonly era?: 'legacy' | 'modern' | undefined;
  readonly instructions?: string | undefined;
}

const format = 'toolgate-list-1';

/** Where lists are kept; one file for each server, named by its identity so that another server never gets it. */
export interface ListCache {
  load(server: ToolServer): Promise<CachedList | undefined>;
  save(server: ToolServer, list: CachedList): Promise<void>;
}

export function createListCache(directory: string): ListCache {
  const fileOf = (server: ToolServer): string =>
    join(directory, 'lists', `${digestText(`${server.name}\n${server.identity}`).slice(7, 31)}.json`);
  return {
    async load(server) {
      const value = await readJsonFile(fileOf(server));
      if (
        !isPlainObject(value) ||
        value['format'] !== format ||
        value['identity'] !== server.identity ||
        !Array.isArray(value['tools'])
      )
        return undefined;
      const tools = (value['tools'] as unknown[]).flatMap((entry) => {
        const definition = mcpToolDefinition(entry, server);
        return definition === undefined ? [] : [{ definition, raw: entry as JsonObject }];
      });
      const { era, instructions } = value;
      return {
        tools,
        ...(era === 'legacy' || era === 'modern' ? { era } : {}),
        ...(typeof instructions === 'string' ? { instructions } : {}),
      };
    },
    async save(server, list) {
      const tools = list.tools.map((tool) => tool.raw);
      await writePrivateFile(
        fileOf(server),
        JSON.stringify({ format, identity: server.identity, era: list.era, instructions: list.instructions, tools }),
      );
    },
  };
}
