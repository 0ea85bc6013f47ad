import type { Tool, ToolDefinition, ToolServer } from '../core/tool.ts';
import { isClientTool, toGateTool } from './langchain-tools.ts';

/** The tools of a request to the model, as the gate takes them and as they go back. */
export interface ToolList {
  readonly tools: readonly Tool[];
  /** What goes to the model for what the gate shows: the agent's own tools as they are, those of the gate as definitions, and what the provider runs. */
  show(definitions: readonly ToolDefinition[]): readonly unknown[];
}

/** Reads lists of tools. LangChain gives the same list with each request, and the gate mostly the same answer: both are read once. */
export function createToolLists(
  serverOf: ((toolName: string) => ToolServer | undefined) | undefined,
): (given: readonly unknown[]) => ToolList {
  const known = new WeakMap<readonly unknown[], { readonly of: readonly unknown[]; readonly list: ToolList }>();
  return (given) => {
    const earlier = known.get(given);
    // Where tools come from is the host's to say, each time.
    if (serverOf === undefined && earlier !== undefined && areSame(earlier.of, given)) return earlier.list;
    const list = readList(given, serverOf);
    known.set(given, { of: [...given], list });
    return list;
  };
}

function readList(
  given: readonly unknown[],
  serverOf: ((toolName: string) => ToolServer | undefined) | undefined,
): ToolList {
  const own = new Map(given.filter(isClientTool).map((tool) => [tool.name, tool] as const));
  const passed = given.filter((tool) => !isClientTool(tool));
  const shown = new WeakMap<readonly ToolDefinition[], readonly unknown[]>();
  return {
    tools: [...own.values()].map((tool) => toGateTool(tool, serverOf?.(tool.name))),
    show(definitions) {
      const earlier = shown.get(definitions);
      if (earlier !== undefined) return earlier;
      const all = definitions.map(
        ({ name, description, inputSchema }) => own.get(name) ?? { name, description, schema: inputSchema },
      );
      const made = [...all, ...passed];
      shown.set(definitions, made);
      return made;
    },
  };
}

function areSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at += 1) if (one[at] !== other[at]) return false;
  return true;
}
