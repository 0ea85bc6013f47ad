import { ToolCallConfirmationRequiredError, isToolgateError } from '../core/errors.ts';
import { isPlainObject } from '../core/json.ts';
import type { Outcome } from '../core/outcome.ts';
import type { JsonSchema, Tool, ToolContext } from '../core/tool.ts';
import { ToolCallDecisions } from '../confirm/tool-call-decisions.ts';
import type { GateCallOptions } from '../gate/single-calls.ts';
import type { ToolGate, ToolTurn } from '../gate/types.ts';
import type { AgentOrigin } from './openai-agents.ts';
import { readArguments } from './openai-agents-messages.ts';
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
const runContextKey = 'toolgate/run-context';
/** Where an agent's own tools stand. */
export const agentToolsKey = 'toolgate/agent-tools';

/** What the wrapped tools of one agent share. */
export interface AgentCalls {
  readonly gate: ToolGate;
  readonly origin: AgentOrigin;
  /** The newest turn of this agent; undefined before its model was asked. */
  turn: ToolTurn | undefined;
  tools: readonly Tool[];
  readonly wrapped: WeakMap<FunctionToolLike, FunctionToolLike>;
}

const gateTools = new WeakMap<FunctionToolLike, Tool>();

/** The SDK's tool as the gate takes it; the same for the same tool, so that what is computed for it is kept. */
export function toGateTool(tool: FunctionToolLike): Tool {
  const known = gateTools.get(tool);
  if (known !== undefined) return known;
  const made = makeGateTool(tool);
  gateTools.set(tool, made);
  return made;
}

function makeGateTool(tool: FunctionToolLike): Tool {
  return {
    name: tool.name,
    description: tool.description,
    inputSchema: (isPlainObject(tool.parameters) ? tool.parameters : { type: 'object' }) as JsonSchema,
    requiresConfirmation: async (args: unknown, context) =>
      await tool.needsApproval(runContextOf(context.attributes), args, context.toolCallId),
    execute: async (args: unknown, context: ToolContext) =>
      await tool.invoke(runContextOf(context.attributes), JSON.stringify(args ?? {}), { signal: context.signal }),
  };
}

function runContextOf(attributes: Readonly<Record<string, unknown>>): RunContextLike {
  return (attributes[runContextKey] ?? { context: undefined }) as RunContextLike;
}

/** The user's tool with the gate between it and the runner; everything else about it stays as it is. */
export function wrapFunctionTool(tool: FunctionToolLike, calls: AgentCalls): FunctionToolLike {
  const known = calls.wrapped.get(tool);
  if (known !== undefined) return known;
  const made = Object.create(Object.getPrototypeOf(tool) as object, Object.getOwnPropertyDescriptors(tool)) as object;
  const wrapped = Object.assign(made, gated(tool.name, tool, calls)) as FunctionToolLike;
  calls.wrapped.set(tool, wrapped);
  return wrapped;
}

/** A tool that only the gate knows: of one of its providers, or its search. */
export function gateFunctionTool(
  definition: { readonly name: string; readonly description?: string | undefined; readonly inputSchema: JsonSchema },
  calls: AgentCalls,
): FunctionToolLike {
  return {
    type: 'function',
    name: definition.name,
    description: definition.description ?? '',
    parameters: definition.inputSchema,
    strict: false,
    isEnabled: async () => true,
    ...gated(definition.name, undefined, calls),
  };
}

function gated(
  toolName: string,
  tool: FunctionToolLike | undefined,
  calls: AgentCalls,
): Pick<FunctionToolLike, 'invoke' | 'needsApproval'> {
  return {
    async needsApproval(context, input, callId = '') {
      // Answered in the state that came back: whether that counts is judged where the call runs.
      if (context.isToolApproved?.({ toolName, callId }) !== undefined) return true;
      const call = { toolCallId: callId, toolName, input: readArguments(input) };
      return (await calls.gate.calls.propose(call, whereOf(context, calls, calls.turn))).waits;
    },
    async invoke(context, input, details) {
      const toolCallId = details?.toolCall?.callId ?? '';
      const call = { toolCallId, toolName, input: readArguments(input) };
      const approved = context.isToolApproved?.({ toolName, callId: toolCallId });
      const where = whereOf(context, calls, approved === undefined ? calls.turn : undefined);
      let ran: { readonly value: unknown } | undefined;
      let thrown: { readonly error: unknown } | undefined;
      const outcome = await running(async () => {
        const decisions = approved === undefined ? undefined : await decisionsOf(call, approved, where, calls);
        return await calls.gate.calls.execute(call, {
          ...where,
          signal: details?.signal,
          decisions,
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
  const recorded = (await calls.gate.calls.find(call, where))?.calls[0];
  const { decidedBy, principal } = calls.origin;
  const by = decidedBy ?? (principal === undefined ? undefined : { principal, via: 'openai-agents' });
  if (recorded !== undefined && (recorded.state !== 'awaiting' || !approved)) return undefined;
  // Without a record this throws: nobody was asked about this call with these arguments.
  return ToolCallDecisions.of({ [recorded?.key ?? `0.${call.toolCallId}`]: { type: 'approve' } }, { by });
}

function whereOf(context: RunContextLike, calls: AgentCalls, turn: ToolTurn | undefined): GateCallOptions {
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
