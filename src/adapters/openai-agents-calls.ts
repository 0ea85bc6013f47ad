import { ToolCallConfirmationRequiredError, isToolgateError } from '../core/errors.ts';
import type { Message } from '../core/message.ts';
import type { Outcome } from '../core/outcome.ts';
import type { Tool } from '../core/tool.ts';
import type { Proposal } from '../confirm/propose-call.ts';
import { ToolCallDecisions } from '../confirm/tool-call-decisions.ts';
import type { GateCallOptions } from '../gate/single-calls.ts';
import type { ToolGate, ToolTurn } from '../gate/types.ts';
import type { AgentOrigin } from './openai-agents.ts';
import { callIdsOf, readArguments } from './openai-agents-messages.ts';
import { hasResult, outcomeText, outcomeValue } from './outcome-answer.ts';

/** The run's context as the SDK hands it to tools, as far as it is looked at. */
export interface RunContextLike {
  readonly isToolApproved?: (approval: { toolName: string; callId: string }) => boolean | undefined;
}

interface CallDetails {
  readonly toolCall?: { readonly callId: string };
  readonly signal?: AbortSignal;
}

/** A function tool of the SDK. */
export interface FunctionToolLike {
  readonly type: string;
  readonly name: string;
  readonly description: string;
  readonly parameters: unknown;
  readonly strict: boolean;
  readonly invoke: (context: RunContextLike, input: string, details?: CallDetails) => Promise<unknown>;
  readonly needsApproval: (context: RunContextLike, input: unknown, callId?: string) => Promise<boolean>;
  readonly isEnabled: (...args: never[]) => Promise<boolean>;
  /** Only an agent as a tool has it. */
  readonly on?: unknown;
}

/** Where the run's context stands among the attributes of a call. Never sent anywhere. */
export const runContextKey = 'toolgate/run-context';
/** Where an agent's own tools stand. */
export const agentToolsKey = 'toolgate/agent-tools';

/** What the wrapped tools of one agent share. */
export interface AgentCalls {
  readonly gate: ToolGate;
  readonly origin: AgentOrigin;
  /** The newest turn of this agent; undefined before its model was asked. */
  turn: ToolTurn | undefined;
  tools: readonly Tool[];
  /** Shared by the agents of one `wrap`: what went before the newest request, when the provider keeps the conversation and is only sent what is new. */
  readonly kept: { earlier: readonly Message[] };
  /** Ids of the newest reply's calls that the runner has not asked about yet. */
  newCalls: Set<string>;
  /** Names of tools that searches of the SDK's own kind have loaded. */
  readonly loaded: Set<string>;
  /** What was said of the newest reply's calls that wait for nobody, and in which run, until they run. */
  readonly proposals: Map<string, { readonly context: RunContextLike; readonly proposal: Proposal }>;
}

/**
 * How the runner asks and runs a tool when the gate stands in between. `approvalName` is what the runner keeps approvals of it under, when
 * that is not its name.
 */
export function gated(
  toolName: string,
  tool: FunctionToolLike | undefined,
  calls: AgentCalls,
  approvalName: string = toolName,
): Pick<FunctionToolLike, 'invoke' | 'needsApproval'> {
  return {
    async needsApproval(context, input, callId = '') {
      // Answered in the state that came back: whether that counts is judged where the call runs. A call that the model just made is in no state.
      const isNew = calls.newCalls.delete(callId);
      if (!isNew && context.isToolApproved?.({ toolName: approvalName, callId }) !== undefined) return true;
      const call = { toolCallId: callId, toolName, input: readArguments(input) };
      const proposal = await calls.gate.calls.propose(call, whereOf(context, calls, calls.turn));
      if (!proposal.waits) calls.proposals.set(callId, { context, proposal });
      return proposal.waits;
    },
    async invoke(context, input, details) {
      const toolCallId = details?.toolCall?.callId ?? '';
      const call = { toolCallId, toolName, input: readArguments(input) };
      const proposal = takeProposal(calls, context, toolCallId);
      // Of a call that was just said to wait for nobody there is nothing to approve.
      const approved =
        proposal === undefined ? context.isToolApproved?.({ toolName: approvalName, callId: toolCallId }) : undefined;
      const where = whereOf(context, calls, approved === undefined ? calls.turn : undefined);
      let ran: { readonly value: unknown } | undefined;
      let thrown: { readonly error: unknown } | undefined;
      const outcome = await running(async () => {
        const decisions = approved === undefined ? undefined : await decisionsOf(call, approved, where, calls);
        return await calls.gate.calls.execute(call, {
          ...where,
          signal: details?.signal,
          decisions,
          proposal,
          ...(tool === undefined
            ? {}
            : {
                execute: async (args: unknown, { signal }: { readonly signal: AbortSignal }) => {
                  try {
                    const value = await tool.invoke(context, JSON.stringify(args ?? {}), { ...details, signal });
                    ran = { value };
                    return value;
                  } catch (error) {
                    thrown = { error };
                    throw error;
                  }
                },
              }),
        });
      });
      if (typeof outcome === 'string') return outcome;
      // What the tool throws on purpose (its errorFunction is null) is for the runner to handle.
      if (thrown !== undefined) throw thrown.error;
      return answerOf(outcome, ran);
    },
  };
}

function takeProposal(calls: AgentCalls, context: RunContextLike, callId: string): Proposal | undefined {
  const kept = calls.proposals.get(callId);
  if (kept?.context !== context) return undefined;
  calls.proposals.delete(callId);
  return kept.proposal;
}

/** A reply has come: its calls are new, and what was said of earlier ones is of no use any more. */
export function expectCalls(calls: AgentCalls, output: readonly unknown[]): void {
  calls.newCalls = callIdsOf(output);
  calls.proposals.clear();
}

function answerOf(outcome: Outcome, ran: { readonly value: unknown } | undefined): unknown {
  if (ran === undefined && (!hasResult(outcome) || outcome.note !== undefined)) return outcomeText(outcome);
  const value = ran === undefined ? outcomeValue(outcome) : ran.value;
  if (outcome.note === undefined) return value;
  return `${outcome.note}\n${typeof value === 'string' ? value : JSON.stringify(value ?? null)}`;
}

/** The outcome, or what the model reads when the call may not run now. */
async function running(run: () => Promise<Outcome>): Promise<Outcome | string> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ToolCallConfirmationRequiredError)
      return 'Not executed. This call waits for the decision of a person who may decide it.';
    if (isToolgateError(error) && (error.code === 'not-permitted' || error.code === 'pause-not-found'))
      return `Not executed. ${error.message}`;
    throw error;
  }
}

/** What an approval in the run's state adds: a decision where the call still waits, nothing where it was decided. */
async function decisionsOf(
  call: { readonly toolCallId: string; readonly toolName: string; readonly input: unknown },
  approved: boolean,
  where: GateCallOptions,
  calls: AgentCalls,
): Promise<ToolCallDecisions | undefined> {
  const pause = await calls.gate.calls.find(call, where);
  const recorded = pause?.calls[0];
  const { decidedBy, principal } = calls.origin;
  const by = decidedBy ?? (principal === undefined ? undefined : { principal, via: 'openai-agents' });
  if (recorded !== undefined && (recorded.state !== 'awaiting' || !approved)) return undefined;
  // The state may come twice, and then the approval in it is of what was asked before the tool changed.
  if (pause !== undefined && pause.generation > 0) return undefined;
  // Without a record this throws: nobody was asked about this call with these arguments.
  return ToolCallDecisions.of({ [recorded?.key ?? `0.${call.toolCallId}`]: { type: 'approve' } }, { by });
}

export function whereOf(context: RunContextLike, calls: AgentCalls, turn: ToolTurn | undefined): GateCallOptions {
  const { conversation, principal, attributes, path } = calls.origin;
  return {
    conversation,
    principal,
    path,
    messages: [],
    turn,
    attributes: { ...attributes, [agentToolsKey]: calls.tools, [runContextKey]: context },
  };
}
