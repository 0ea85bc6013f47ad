import type { Client } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { mcpToolDefinition } from '../adapters/mcp.ts';
import type { ServerConfig } from '../config/types.ts';
import { ToolgateError } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import type { ToolDefinition, ToolServer } from '../core/tool.ts';
import { matchesAny } from './name-pattern.ts';

/** Loose on purpose: one careless entry must not take the list down. */
const page = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });
const maximumPages = 1_000;

/** A tool as a server lists it. */
export interface UpstreamTool {
  readonly definition: ToolDefinition;
  /** The entry as it came, with fields that nobody here knows. */
  readonly raw: JsonObject;
}

/** What a server offers, and what was left out and why. */
export interface UpstreamList {
  readonly tools: readonly UpstreamTool[];
  readonly notes: readonly string[];
}

/** Reads every page of a server's tool list. Filters apply after all pages were read. */
export async function listUpstreamTools(
  client: Client,
  config: ServerConfig,
  server: ToolServer,
  signal: AbortSignal,
): Promise<UpstreamList> {
  if (client.getServerCapabilities()?.tools === undefined) return { tools: [], notes: ['It offers no tools.'] };
  const entries: unknown[] = [];
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let count = 0; ; count += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const answer = await client.request({ method: 'tools/list', params }, page, {
      signal,
      timeout: config.timeouts.listMs ?? 2_147_483_647,
    });
    entries.push(...answer.tools);
    if (answer.nextCursor === undefined) break;
    if (cursors.has(answer.nextCursor) || count >= maximumPages) {
      throw new ToolgateError('upstream-failed', 'its tool list does not end: it gives the same page again', {
        data: { server: config.name },
      });
    }
    cursor = answer.nextCursor;
    cursors.add(cursor);
  }
  const notes: string[] = [];
  const tools: UpstreamTool[] = [];
  let unusable = 0;
  for (const entry of entries) {
    const definition = mcpToolDefinition(entry, server);
    if (definition === undefined) unusable += 1;
    else if (isWanted(definition.name, config)) tools.push({ definition, raw: entry as JsonObject });
  }
  if (unusable > 0) notes.push(`${unusable} of its tools have no name and are left out.`);
  if (tools.length > config.maxTools) {
    notes.push(`It has ${tools.length} tools; only the first ${config.maxTools} are taken (maxTools).`);
    tools.length = config.maxTools;
  }
  return { tools, notes };
}

function isWanted(name: string, config: ServerConfig): boolean {
  if (matchesAny(name, config.excludeTools)) return false;
  return config.includeTools === undefined || matchesAny(name, config.includeTools);
}
