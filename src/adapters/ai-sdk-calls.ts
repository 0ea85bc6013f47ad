import type { DecisionMaker } from '../core/decision.ts';
import { ToolCallConfirmationRequiredError, ToolgateError } from '../core/errors.ts';
import { isPlainObject } from '../core/json.ts';
import type { Outcome } from '../core/outcome.ts';
import type { Principal } from '../core/principal.ts';
import { ToolCallDecisions } from '../confirm/tool-call-decisions.ts';
import type { GateCallOptions } from '../gate/single-calls.ts';
import type { ToolGate, ToolTurn } from '../gate/types.ts';
import { approvalsOf, toGateMessages } from './ai-sdk-messages.ts';
import { runSdkTool } from './ai-sdk-tools.ts';
import type { SdkCallOptions, SdkTool } from './ai-sdk-tools.ts';
import { sameJson } from './delivered-inputs.ts';
import type { DeliveredInputs } from './delivered-inputs.ts';
import { hasResult, outcomeText, outcomeValue } from './outcome-answer.ts';

/** Whose call it is, as the host authenticated it. */
export interface CallOrigin {
  readonly conversation?: string | undefined;
  readonly principal?: Principal | undefined;
  /** Who answers approval requests in this history. Default: the principal. */
  readonly decidedBy?: DecisionMaker | undefined;
  readonly attributes?: Readonly<Record<string, unknown>> | undefined;
}

/** What wrapped tools need to hand their calls to the gate. */
export interface CallsParts {
  readonly gate: ToolGate;
  readonly delivered: DeliveredInputs;
  readonly hasStore: boolean;
  readonly origin: CallOrigin;
  /** The turn in which the model saw these messages; undefined when nobody knows it. */
  readonly turnOf: (messages: SdkCallOptions['messages']) => ToolTurn | undefined;
}

const notes = new WeakMap<object, string>();

/** The user's tool with the gate between it and the SDK. Everything else about it stays as it is. */
export function wrapTool(name: string, tool: SdkTool, parts: CallsParts): SdkTool {
  return {
    ...tool,
    needsApproval: async (input, options) => await needsApproval(name, input, options, parts),
    ...(tool.execute === undefined
      ? {}
      : {
          execute: async (input: unknown, options: SdkCallOptions) => await execute(name, tool, input, options, parts),
        }),
    ...(tool.execute === undefined ? {} : { toModelOutput: (given) => toModelOutput(tool, given) }),
  };
}

/** A tool that only the gate knows: of one of its providers, or its search. */
export function gateTool(
  name: string,
  definition: { readonly description?: string | undefined },
  inputSchema: unknown,
  parts: CallsParts,
): SdkTool {
  return {
    type: 'dynamic',
    ...(definition.description === undefined ? {} : { description: definition.description }),
    inputSchema,
    needsApproval: async (input, options) => await needsApproval(name, input, options, parts),
    execute: async (input, options) => await execute(name, undefined, input, options, parts),
    toModelOutput: ({ output }) => (output instanceof GivenOutput ? output.modelOutput : plainOutput(output)),
  };
}

function whereOf(options: SdkCallOptions, parts: CallsParts, isReplay: boolean): GateCallOptions {
  const { conversation, principal, attributes } = parts.origin;
  return {
    conversation,
    principal,
    attributes,
    messages: toGateMessages(options.messages, undefined),
    signal: options.abortSignal,
    // A call that an earlier request asked about stays callable, whatever is shown now.
    turn: isReplay ? undefined : parts.turnOf(options.messages),
  };
}

async function needsApproval(
  toolName: string,
  input: unknown,
  options: SdkCallOptions,
  parts: CallsParts,
): Promise<boolean> {
  const { toolCallId } = options;
  // Asked again about an approval that came back: whether it counts is judged where it runs.
  if (approvalsOf(options.messages).some(({ call }) => call.toolCallId === toolCallId)) return true;
  const call = { toolCallId, toolName, input: parts.delivered.add(toolName, input) };
  const proposal = await parts.gate.calls.propose(call, whereOf(options, parts, false));
  return proposal.waits;
}

async function execute(
  toolName: string,
  tool: SdkTool | undefined,
  input: unknown,
  options: SdkCallOptions,
  parts: CallsParts,
): Promise<unknown> {
  const call = { toolCallId: options.toolCallId, toolName, input: parts.delivered.add(toolName, input) };
  const approval = approvalsOf(options.messages).find((one) => one.call.toolCallId === options.toolCallId);
  const where = whereOf(options, parts, approval !== undefined);
  let ran: { readonly value: unknown } | undefined;
  let thrown: unknown;
  const outcome = await running(
    async () =>
      await parts.gate.calls.execute(call, {
        ...where,
        ...(approval === undefined
          ? {}
          : { decisions: await decisionsOf(call, approval.approved === true, where, parts) }),
        ...(tool === undefined
          ? {}
          : {
              execute: async (args: unknown, context: { readonly signal: AbortSignal }) => {
                try {
                  // What JSON cannot carry (a date of a transform) is still there when nobody changed it.
                  const given = sameJson(args, call.input) ? input : args;
                  const value = await runSdkTool(tool, given, { ...options, abortSignal: context.signal });
                  ran = { value };
                  return recordable(value);
                } catch (error) {
                  thrown = error;
                  throw error;
                }
              },
            }),
      }),
  );
  if (ran === undefined && !hasResult(outcome)) throw notExecuted(outcomeText(outcome), outcome, thrown);
  return withNote(ran === undefined ? valueOf(outcome) : ran.value, outcome.note);
}

/** What an approval in the history adds: a decision where the call still waits, nothing where it was decided. */
async function decisionsOf(
  call: { readonly toolCallId: string; readonly toolName: string; readonly input: unknown },
  approved: boolean,
  where: GateCallOptions,
  parts: CallsParts,
): Promise<ToolCallDecisions | undefined> {
  const recorded = await parts.gate.calls.find(call, where);
  const asked = parts.hasStore
    ? recorded?.calls[0]
    : (await parts.gate.calls.propose(call, where)).waits
      ? { key: `0.${call.toolCallId}`, state: 'awaiting' }
      : undefined;
  if (asked === undefined) {
    throw notExecuted(
      `Not executed. Nobody was asked about this call of ${call.toolName} with these arguments, so there is nothing that could be approved.`,
    );
  }
  if (asked.state !== 'awaiting' || !approved) return undefined;
  // The history may come twice, and then the approval in it is of what was asked before the tool changed.
  if (recorded !== undefined && recorded.generation > 0) return undefined;
  const { decidedBy, principal } = parts.origin;
  const by = decidedBy ?? (principal === undefined ? undefined : { principal, via: 'ai-sdk' });
  return ToolCallDecisions.of({ [asked.key]: { type: 'approve' } }, { by });
}

async function running(run: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof ToolCallConfirmationRequiredError)) throw error;
    throw notExecuted(
      'Not executed. This call waits for the decision of a person who may decide it.',
      undefined,
      error,
    );
  }
}

function notExecuted(message: string, outcome?: Outcome, cause?: unknown): ToolgateError {
  return new ToolgateError('not-permitted', message, {
    data: { action: 'execute', status: outcome?.status ?? null },
    ...(cause === undefined ? {} : { cause }),
  });
}

/** An output that is not the tool's own: what a search found, or a person's answer. Says itself what the model reads of it. */
class GivenOutput {
  readonly value: unknown;
  readonly modelOutput: unknown;

  constructor(value: unknown, modelOutput: unknown) {
    this.value = value;
    this.modelOutput = modelOutput;
  }

  toJSON(): unknown {
    return this.value;
  }
}

/** Marks a recorded result that the tool gave in the protocol's form, so that it comes back in that form. */
const protocolKey = 'toolgate/protocol-result';

function recordable(value: unknown): unknown {
  if (!isPlainObject(value) || !Array.isArray(value['content'])) return value;
  return { ...value, meta: { [protocolKey]: true } };
}

function valueOf(outcome: Outcome): unknown {
  const { result, status } = outcome;
  const found = result.meta?.['toolgate/found'];
  if (Array.isArray(found)) {
    const value = outcomeText(outcome);
    return new GivenOutput(value, { type: 'text', value, providerOptions: { toolgate: { found } } });
  }
  if (status === 'responded') {
    const value = outcomeValue(outcome);
    return new GivenOutput(value, plainOutput(value));
  }
  if (result.meta?.[protocolKey] !== true) return outcomeValue(outcome);
  const { meta: _, ...own } = result;
  return own;
}

/** Tells the model of changed arguments without changing the tool's own result where that is more than a text. */
function withNote(value: unknown, note: string | undefined): unknown {
  if (note === undefined) return value;
  if (typeof value === 'object' && value !== null) {
    notes.set(value, note);
    return value;
  }
  return `${note}\n${typeof value === 'string' ? value : JSON.stringify(value ?? null)}`;
}

async function toModelOutput(
  tool: SdkTool,
  given: { readonly toolCallId: string; readonly input: unknown; readonly output: unknown },
): Promise<unknown> {
  if (given.output instanceof GivenOutput) return given.output.modelOutput;
  const own = tool.toModelOutput === undefined ? plainOutput(given.output) : await tool.toModelOutput(given);
  const { output } = given;
  const note = typeof output === 'object' && output !== null ? notes.get(output) : undefined;
  if (note === undefined) return own;
  const shown = own as { readonly type: string; readonly value: unknown };
  const rest =
    shown.type === 'content' && Array.isArray(shown.value)
      ? (shown.value as readonly unknown[])
      : [{ type: 'text', text: typeof shown.value === 'string' ? shown.value : JSON.stringify(shown.value ?? null) }];
  return { type: 'content', value: [{ type: 'text', text: note }, ...rest] };
}

function plainOutput(output: unknown): unknown {
  return typeof output === 'string' ? { type: 'text', value: output } : { type: 'json', value: output ?? null };
}
