import type { Reply } from '../../src/core/message.ts';
import type { Tool, ToolContext } from '../../src/core/tool.ts';

/** A tool of the host that notes every run. */
export function countingTool(
  name: string,
  options: Partial<Tool> = {},
): Tool & { readonly runs: { readonly args: Record<string, unknown>; readonly context: ToolContext }[] } {
  const runs: { args: Record<string, unknown>; context: ToolContext }[] = [];
  return {
    name,
    description: `The tool ${name}.`,
    inputSchema: { type: 'object' },
    ...options,
    execute(args: never, context) {
      runs.push({ args, context });
      return options.execute === undefined ? `${name} done` : options.execute(args, context);
    },
    runs,
  };
}

/** A reply with calls given as [id, name, input]. */
export function replyOf(
  ...calls: readonly (readonly [id: string | undefined, name: string, input?: unknown])[]
): Reply {
  return {
    role: 'assistant',
    content: calls.map(([toolCallId, toolName, input = {}]) => ({
      type: 'tool-call',
      ...(toolCallId === undefined ? {} : { toolCallId }),
      toolName,
      input,
    })),
  };
}
