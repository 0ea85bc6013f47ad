import { isDestructive } from '../confirm/default-policy.ts';
import type { Tool } from '../core/tool.ts';

/** What a call may do, as far as it may be believed. */
export type ToolClass = 'read' | 'write' | 'destructive';

const rank: Readonly<Record<ToolClass, number>> = { read: 0, write: 1, destructive: 2 };

/**
 * `read` only when the tool's server is trusted and says so; `destructive` when the tool says so or nothing that may be
 * believed says otherwise.
 */
export function toolClass(tool: Tool): ToolClass {
  const believed = tool.server === undefined || tool.server.trust === 'annotations';
  if (isDestructive(tool)) return 'destructive';
  return believed && tool.annotations?.readOnlyHint === true ? 'read' : 'write';
}

/** True when an entry of class `entry` may be used for a tool of class `tool`: a stronger one may, a weaker one may not. */
export function entryCovers(entry: ToolClass, tool: ToolClass): boolean {
  return rank[entry] >= rank[tool];
}
