import type { MastraCalls } from './mastra-calls.ts';
import type { MastraCallContext, MastraTool } from './mastra-types.ts';

/** What Mastra marks its tools with. */
const marker = Symbol.for('mastra.core.tool.Tool');

type Execute = (this: unknown, input: unknown, context: unknown) => unknown;

/** What a tool is told that the framework prepares only after the processors. */
interface PreparedContext extends MastraCallContext {
  readonly agent?: Pick<MastraCallContext, 'toolCallId' | 'suspend'> | undefined;
}

/**
 * Puts the gate around tools that another processor put into a step. Mastra wraps its hooks around an agent's tools when a run begins, and
 * prepares what comes later without them: nothing could hold a call of such a tool. They still are as `createTool` made them, by which they are known.
 */
export function createLateTools(calls: () => MastraCalls): (given: Record<string, unknown>) => Record<string, unknown> {
  const gatedTools = new WeakMap<object, object>();
  const gatedRecords = new WeakMap<object, Record<string, unknown>>();

  function gated(name: string, tool: MastraTool & { readonly execute: Execute }): object {
    const known = gatedTools.get(tool);
    if (known !== undefined) return known;
    const made = Object.assign(Object.create(Object.getPrototypeOf(tool) as object) as object, tool, {
      execute: async (input: unknown, context: unknown) => {
        const own = contextOf(context as PreparedContext | undefined);
        const before = await calls().before({ toolName: name, input, context: own });
        if (before !== undefined) return before.output;
        let output: unknown;
        try {
          output = await tool.execute(input, toolContextOf(context, own));
        } catch (error) {
          await calls().after({ toolName: name, input, context: own, error });
          throw error;
        }
        await calls().after({ toolName: name, input, context: own, output });
        return output;
      },
    });
    gatedTools.set(tool, made);
    gatedTools.set(made, made);
    return made;
  }

  return (given) => {
    const earlier = gatedRecords.get(given);
    if (earlier !== undefined) return earlier;
    const late = Object.entries(given).filter(([, tool]) => isLate(tool));
    if (late.length === 0) return given;
    const record = { ...given, ...Object.fromEntries(late.map(([name, tool]) => [name, gated(name, tool as never)])) };
    gatedRecords.set(given, record);
    return record;
  };
}

function isLate(tool: unknown): boolean {
  return (
    typeof tool === 'object' && tool !== null && marker in tool && typeof (tool as MastraTool).execute === 'function'
  );
}

/** What the tool is told; its suspension goes through what the hooks were given, where they note it. */
function toolContextOf(context: unknown, own: MastraCallContext): unknown {
  const { agent } = (context ?? {}) as PreparedContext;
  if (agent?.suspend === undefined) return context;
  const suspend = async (...given: [unknown, unknown?]): Promise<unknown> => await own.suspend?.(...given);
  return { ...(context as object), agent: { ...agent, suspend } };
}

function contextOf(context: PreparedContext | undefined): MastraCallContext {
  const { agent } = context ?? {};
  return {
    toolCallId: agent?.toolCallId ?? context?.toolCallId,
    abortSignal: context?.abortSignal,
    requestContext: context?.requestContext,
    suspend: agent?.suspend ?? context?.suspend,
  };
}
