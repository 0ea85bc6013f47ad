import type { Tool } from '../core/tool.ts';
import type { PolicyVerdict } from './types.ts';

/**
 * What counts where no policy has an opinion: the host's own tools run; a server's tools wait, unless the server is
 * trusted to say of itself that a tool is read-only or not destructive. Hints of other servers lower nothing.
 */
export function defaultVerdict(tool: Tool): PolicyVerdict {
  if (tool.server === undefined) return 'allow';
  if (isUnannotated(tool)) return { confirm: { reason: whyUnannotated(tool, tool.server.name) } };
  if (isDestructive(tool)) return { confirm: { reason: 'This tool may destroy or overwrite.' } };
  return 'allow';
}

/** A server that said something must not be told that it did not: its word is there, and only not believed. */
function whyUnannotated(tool: Tool, server: string): string {
  const hints = tool.annotations;
  const unbelieved = 'its word is not believed until the configuration says "trust": "annotations".';
  if (hints?.readOnlyHint === true) return `${server} says that this tool only reads; ${unbelieved}`;
  if (hints?.destructiveHint === false) return `${server} says that this tool destroys nothing; ${unbelieved}`;
  return `${server} does not say what this tool may change.`;
}

/** True when a foreign tool says nothing that may be believed. The host's own tools are never unannotated. */
export function isUnannotated(tool: Tool): boolean {
  if (tool.server === undefined) return false;
  const hints = tool.annotations;
  if (hints?.destructiveHint === true) return false;
  if (tool.server.trust !== 'annotations') return true;
  return hints?.readOnlyHint === undefined && hints?.destructiveHint === undefined;
}

/**
 * True when the tool may destroy: it says so, or it is foreign and nothing that may be believed says otherwise (the
 * protocol's default). Of the host's own tools only those that say so.
 */
export function isDestructive(tool: Tool): boolean {
  const hints = tool.annotations;
  if (tool.server === undefined) return hints?.destructiveHint === true && hints.readOnlyHint !== true;
  if (hints?.destructiveHint === true) return true;
  if (tool.server.trust !== 'annotations') return true;
  return hints?.readOnlyHint !== true && hints?.destructiveHint !== false;
}

/** True when calling the tool again with the same arguments changes nothing more, as far as its word may be believed. */
export function isIdempotent(tool: Tool): boolean {
  const believed = tool.server === undefined || tool.server.trust === 'annotations';
  return believed && (tool.annotations?.idempotentHint === true || tool.annotations?.readOnlyHint === true);
}
