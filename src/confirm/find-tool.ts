import type { RegisteredTool, ToolLookup } from '../catalog/types.ts';
import type { KeyedCall } from '../core/call-identity.ts';
import type { Principal } from '../core/principal.ts';
import { activatedOutcome, goneToolOutcome, hiddenToolOutcome, unknownToolOutcome } from './outcomes.ts';
import { callName } from './prepare-call.ts';
import type { PreparedEnd } from './prepare-call.ts';

/** What happens to a call of a tool that was not shown. */
export type HiddenRule = 'activate' | 'execute' | 'refuse';

/** What is known about tools when a call is looked up. */
export interface ToolFinder {
  readonly lookup: ToolLookup;
  /** Names that were shown; absent: all. */
  readonly shown?: ReadonlySet<string> | undefined;
  readonly hidden: HiddenRule;
  readonly principal?: Principal | undefined;
  readonly wasKnown?: ((name: string, principal: Principal | undefined) => boolean) | undefined;
  readonly authorise?:
    | ((tool: RegisteredTool, principal: Principal | undefined) => boolean | Promise<boolean>)
    | undefined;
}

/**
 * The tool, or the end of the call. Four different answers: hidden, gone, unknown, and not permitted, which looks exactly
 * like unknown, also in the list of what is there instead. An `authorise` that throws counts as no.
 */
export async function findTool(call: KeyedCall, finder: ToolFinder): Promise<RegisteredTool | PreparedEnd> {
  const name = callName(call);
  const tool = finder.lookup.get(name.toolName);
  const end = (outcome: PreparedEnd['outcome']): PreparedEnd => ({ kind: 'invalid', call, outcome });
  if (tool !== undefined && !(await isPermitted(tool, finder)))
    return end(unknownToolOutcome(name, await available(finder)));
  if (tool === undefined) {
    if (finder.wasKnown?.(name.toolName, finder.principal) === true) return end(goneToolOutcome(name));
    return end(unknownToolOutcome(name, await available(finder)));
  }
  if (finder.shown === undefined || finder.shown.has(tool.name) || finder.hidden === 'execute') return tool;
  if (finder.hidden === 'refuse') return end(hiddenToolOutcome(name));
  const { name: exposed, description, inputSchema } = tool.definition;
  return { ...end(activatedOutcome(name, { name: exposed, description, inputSchema })), activate: tool.name };
}

async function isPermitted(tool: RegisteredTool, finder: ToolFinder): Promise<boolean> {
  if (finder.authorise === undefined) return true;
  try {
    return Object.is(await finder.authorise(tool, finder.principal), true);
  } catch {
    return false;
  }
}

async function available(finder: ToolFinder): Promise<readonly string[]> {
  const tools = (finder.lookup as ToolLookup & { readonly tools?: readonly RegisteredTool[] }).tools;
  const candidates =
    finder.shown === undefined
      ? (tools ?? [])
      : [...finder.shown].map((name) => finder.lookup.get(name)).filter((tool) => tool !== undefined);
  const names: string[] = [];
  for (const tool of candidates) if (await isPermitted(tool, finder)) names.push(tool.name);
  return names;
}
