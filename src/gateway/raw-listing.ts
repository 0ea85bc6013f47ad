import type { JsonObject } from '../core/json.ts';
import type { Tool } from '../core/tool.ts';

const listings = new WeakMap<Tool, JsonObject>();

/** Keeps what a server listed for a tool, with the fields that nobody here knows, so that they can be passed on. */
export function rememberListing(tool: Tool, raw: JsonObject): void {
  listings.set(tool, raw);
}

/** What the tool's server listed for it; undefined for tools that come from elsewhere. */
export function listingOf(tool: Tool): JsonObject | undefined {
  return listings.get(tool);
}
