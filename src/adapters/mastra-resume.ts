import { isFinalCallState } from '../core/call-state.ts';
import type { GateCallOptions } from '../gate/single-calls.ts';
import type { ToolGate } from '../gate/types.ts';
import type { MastraAgent, MastraDecision, MastraDecisions, MastraSuspendedRun } from './mastra-types.ts';
import { outcomeText } from './outcome-answer.ts';

const mayAnswer: ReadonlySet<string> = new Set(['succeeded', 'failed', 'unknown', 'responded']);

/** What the store knows of the calls for which a run is suspended. */
export async function decisionsOfRun(
  gate: ToolGate,
  run: MastraSuspendedRun,
  origin: GateCallOptions,
): Promise<MastraDecisions> {
  const decided: MastraDecision[] = [];
  const waiting: string[] = [];
  const { runId } = run;
  for (const { toolCallId = '', toolName = '', args } of run.toolCalls) {
    const recorded = (await gate.calls.find({ toolCallId, toolName, input: args }, { ...origin, messages: [] }))
      ?.calls[0];
    if (recorded === undefined || recorded.state === 'awaiting') {
      waiting.push(toolCallId);
      continue;
    }
    // What has ended without running is told as a refusal; all else is fetched, or run, by the call itself.
    const { outcome, state } = recorded;
    const isRefused = isFinalCallState(state) && outcome !== null && !mayAnswer.has(outcome.status);
    decided.push(
      isRefused
        ? { approved: false, runId, toolCallId, reason: outcomeText(outcome) }
        : { approved: true, runId, toolCallId },
    );
  }
  return { decided, waiting };
}

export interface MastraResumeOptions {
  /** For `approveToolCall` and `declineToolCall`: `requestContext`, `abortSignal`, … */
  readonly agentOptions?: object;
  /** Told of each output before it is read to its end: where a host hands a stream on. */
  readonly onOutput?: (output: unknown) => void | Promise<void>;
}

export interface MastraResumed<OUTPUT> {
  /** Of the last call that was carried back, read to its end; undefined when nothing was decided. */
  readonly output: OUTPUT | undefined;
  /** Ids of the calls for which the run is still suspended. */
  readonly waiting: readonly string[];
}

/**
 * Carries what is decided of a suspended run back, call by call, until nothing is left that is decided. With the streaming methods, which can
 * also be used for `generate`: the others reject while another call of the run waits (`@mastra/core` 1.71).
 */
export async function resumeRun<OUTPUT>(
  agent: MastraAgent<OUTPUT>,
  runId: string,
  decisionsFor: (run: MastraSuspendedRun, requestContext?: never) => Promise<MastraDecisions>,
  { agentOptions = {}, onOutput }: MastraResumeOptions = {},
): Promise<MastraResumed<OUTPUT>> {
  const { requestContext } = agentOptions as { readonly requestContext?: never };
  let output: OUTPUT | undefined;
  const carried = new Set<string>();
  for (;;) {
    const run = (await agent.listSuspendedRuns()).runs.find((one) => one.runId === runId);
    if (run === undefined) return { output, waiting: [] };
    const { decided } = await decisionsFor(run, requestContext);
    const next = decided.find(({ toolCallId }) => !carried.has(toolCallId));
    if (next === undefined) return { output, waiting: run.toolCalls.map(({ toolCallId }) => toolCallId ?? '') };
    carried.add(next.toolCallId);
    const given = { ...agentOptions, ...next } as never;
    output = next.approved ? await agent.approveToolCall(given) : await agent.declineToolCall(given);
    await onOutput?.(output);
    await (output as { consumeStream?: () => Promise<void> }).consumeStream?.();
  }
}
