import { appendShownTools } from './order.ts';
import type { ShownTool, WantedTool } from './order.ts';

/** What the tools of one model call are planned from. */
export interface ShownToolsRequest {
  /** What the conversation has been shown, in that order. */
  readonly shown: readonly ShownTool[];
  /** What shall be shown now, in the catalogue's order. */
  readonly wanted: readonly WantedTool[];
  /** Whether a tool of this name is still there and allowed. What is not is taken out, at any time. */
  readonly isAvailable: (name: string) => boolean;
  /** Most tokens of all shown definitions together. Default: no limit. */
  readonly tokenBudget?: number | undefined;
  /** Most tools. Default: no limit. */
  readonly maxTools?: number | undefined;
  /** True at a new user message: the only time at which shown tools may be evicted. */
  readonly isNewUserMessage: boolean;
  /** Counts upwards with every call. */
  readonly turn: number;
}

/** Which tools are shown, in order, and what changed. */
export interface ShownToolsPlan {
  readonly shown: readonly ShownTool[];
  readonly added: readonly string[];
  /** Shown before, and taken out to keep the budget. */
  readonly evicted: readonly string[];
  /** Wanted now, never shown, and left out to keep the budget. */
  readonly overBudget: readonly string[];
  /** Shown before, and no longer there. */
  readonly gone: readonly string[];
  /** True when anything but the end of the list changed, so that a provider's prompt cache starts anew. */
  readonly breaksCache: boolean;
  readonly tokens: number;
}

/**
 * Plans what is shown: append-only, within the budget. Room is made by taking out, least recently used first, among equally recent ones the
 * least probable, among those the last of the list, so that as much as possible of the front stays. Protected tools are never taken out, also
 * when the budget is exceeded by them alone. In the middle of a turn only tools that were never shown are left out.
 */
export function planShownTools(request: ShownToolsRequest): ShownToolsPlan {
  const { shown, wanted, isAvailable, isNewUserMessage, turn } = request;
  const before = new Set(shown.map((tool) => tool.name));
  const gone = shown.filter((tool) => !isAvailable(tool.name)).map((tool) => tool.name);
  const present = appendShownTools(
    shown.filter((tool) => isAvailable(tool.name)),
    wanted.filter((tool) => isAvailable(tool.name)),
    turn,
  );
  const wantedNow = new Map(wanted.map((tool) => [tool.name, tool]));
  const out = new Set(
    excess(present, request, (tool) => {
      if (wantedNow.get(tool.name)?.isProtected === true) return undefined;
      if (!isNewUserMessage && before.has(tool.name)) return undefined;
      return wantedNow.get(tool.name)?.probability ?? 0;
    }),
  );
  const kept = present.filter((tool) => !out.has(tool.name));
  const evicted = [...out].filter((name) => before.has(name));
  return {
    shown: kept,
    added: kept.filter((tool) => !before.has(tool.name)).map((tool) => tool.name),
    evicted,
    overBudget: [...out].filter((name) => !before.has(name)),
    gone,
    breaksCache: evicted.length + gone.length > 0,
    tokens: kept.reduce((sum, tool) => sum + tool.tokens, 0),
  };
}

/** Names to take out, in that order, until the limits are kept or nothing more may go. */
function excess(
  tools: readonly ShownTool[],
  limits: Pick<ShownToolsRequest, 'tokenBudget' | 'maxTools'>,
  worth: (tool: ShownTool) => number | undefined,
): readonly string[] {
  let tokens = tools.reduce((sum, tool) => sum + tool.tokens, 0) - (limits.tokenBudget ?? Number.POSITIVE_INFINITY);
  let count = tools.length - (limits.maxTools ?? Number.POSITIVE_INFINITY);
  if (tokens <= 0 && count <= 0) return [];
  const candidates = tools
    .map((tool, position) => ({ tool, position, worth: worth(tool) }))
    .filter((entry): entry is { tool: ShownTool; position: number; worth: number } => entry.worth !== undefined)
    .sort((a, b) => a.tool.usedAt - b.tool.usedAt || a.worth - b.worth || b.position - a.position);
  const names: string[] = [];
  for (const { tool } of candidates) {
    if (tokens <= 0 && count <= 0) break;
    names.push(tool.name);
    tokens -= tool.tokens;
    count -= 1;
  }
  return names;
}
