import type { RegisteredTool } from '../catalog/types.ts';
import { isPlainObject } from '../core/json.ts';
import type { JsonObject } from '../core/json.ts';
import { listingOf } from './raw-listing.ts';
import type { ListedTool } from './surface.ts';

/**
 * A tool behind the gateway as `tools/list` shows it under its own name: fields nobody here knows pass through. Hints of a
 * server that is not trusted are passed on only where they raise caution. A tool whose calls may wait is listed without its output schema:
 * "waiting" does not fit it, and clients check. Tasks of the server are not offered: the gateway has its own way to wait.
 */
export function listTool(registered: RegisteredTool, options?: { readonly mayWait?: boolean }): ListedTool {
  const { tool, definition, name } = registered;
  const raw = listingOf(tool) ?? {};
  const {
    annotations: rawAnnotations,
    name: _name,
    description: _description,
    inputSchema: _input,
    outputSchema: _output,
    execution: _execution,
    ...rest
  } = raw;
  return {
    ...rest,
    name,
    ...(definition.title === undefined ? {} : { title: definition.title }),
    ...(definition.description === undefined ? {} : { description: definition.description }),
    inputSchema: definition.inputSchema,
    ...(definition.outputSchema === undefined || options?.mayWait === true
      ? {}
      : { outputSchema: definition.outputSchema }),
    ...(rawAnnotations === undefined && definition.annotations === undefined
      ? {}
      : { annotations: honestHints(registered, rawAnnotations) }),
  };
}

function honestHints(registered: RegisteredTool, raw: unknown): JsonObject {
  const hints = {
    ...(isPlainObject(raw) ? (raw as JsonObject) : {}),
    ...(registered.definition.annotations as JsonObject | undefined),
  };
  if (registered.tool.server === undefined || registered.tool.server.trust === 'annotations') return hints;
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint, ...others } = hints;
  return {
    ...others,
    ...(readOnlyHint === false ? { readOnlyHint } : {}),
    ...(destructiveHint === true ? { destructiveHint } : {}),
    ...(idempotentHint === false ? { idempotentHint } : {}),
    ...(openWorldHint === true ? { openWorldHint } : {}),
  };
}
