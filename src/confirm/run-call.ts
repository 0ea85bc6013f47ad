import type { RegisteredTool } from '../catalog/types.ts';
import { errorMessage, isToolgateError } from '../core/errors.ts';
import type { Outcome } from '../core/outcome.ts';
import { toToolResult } from '../core/result.ts';
import type { Telemetry } from '../core/telemetry.ts';
import type { ToolContext } from '../core/tool.ts';
import { failedOutcome } from './outcomes.ts';
import type { CallName } from './outcomes.ts';

/** This is the only file that runs a tool. Whoever calls it has parsed the arguments, asked the policy and, with a store, holds the claim. */

/** Runs a call in place of the tool's own `execute`, for frameworks and gateways that bring their own. */
export type CallExecutor = (args: unknown, context: ToolContext, tool: RegisteredTool) => unknown;

/**
 * Runs a tool once and says how it ended. A throw of the tool is a failed outcome. The one thing that is thrown on is the pause
 * of an agent inside the tool (`confirmation-required`): nothing has failed then, and the tool will be run again to go on.
 */
export async function runCall(
  call: CallName,
  tool: RegisteredTool,
  args: unknown,
  context: ToolContext,
  telemetry: Telemetry,
  executor?: CallExecutor,
): Promise<Outcome> {
  const span = telemetry.startSpan('execute_tool', {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': call.toolName,
    'gen_ai.tool.call.id': call.toolCallId,
  });
  try {
    const value =
      executor === undefined ? await tool.tool.execute(args as never, context) : await executor(args, context, tool);
    const result = toToolResult(value);
    const status = result.isError === true ? 'failed' : 'succeeded';
    span.set({ 'toolgate.call.status': status });
    span.end();
    return { key: call.key, toolCallId: call.toolCallId, toolName: call.toolName, status, result };
  } catch (error) {
    span.set({ 'toolgate.call.status': 'failed' });
    span.end(error);
    if (isToolgateError(error) && error.code === 'confirmation-required') throw error;
    return failedOutcome(call, errorMessage(error));
  }
}
