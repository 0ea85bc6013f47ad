import type { DecisionMaker } from '../core/decision.ts';
import { ToolCallConfirmationRequiredError, ToolgateError } from '../core/errors.ts';
import type { PauseReference } from '../core/errors.ts';
import { isPlainObject } from '../core/json.ts';
import type { Outcome } from '../core/outcome.ts';
import type { Principal } from '../core/principal.ts';
import type { Tool } from '../core/tool.ts';
import { ToolCallDecisions, readDecision } from '../confirm/tool-call-decisions.ts';
import type { GateCallOptions } from '../gate/single-calls.ts';
import type { ToolGate, ToolTurn } from '../gate/types.ts';
import { callsOfReply, replyOf, toGateMessages, toResult } from './langchain-messages.ts';
import type { ReplyCall } from './langchain-messages.ts';
import { argumentsToRun } from './framework-schema.ts';
import type {
  LangchainMessage,
  LangchainRuntime,
  LangchainState,
  LangchainToolCall,
  LangchainToolCallRequest,
  ToolgateInterrupt,
  WaitingToolCall,
} from './langchain-types.ts';
import { createToolMessages } from './langchain-tool-messages.ts';

/** Whose call it is, as the host authenticated it. */
export interface CallOrigin {
  readonly conversation: string | undefined;
  readonly principal: Principal | undefined;
  readonly decidedBy: DecisionMaker | undefined;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal | undefined;
}

/** Takes calls from the framework's hooks to the gate. */
export interface CallRunner {
  /** Runs one call, or gives what is recorded of it. Interrupts while it waits. */
  run(
    request: LangchainToolCallRequest,
    handler: (request: never) => unknown,
    origin: CallOrigin,
    tool: Tool | undefined,
  ): Promise<unknown>;
  /** Comes back when no call of the reply waits any more; interrupts till then. Written so that it may start again and again. */
  hold(reply: LangchainMessage, state: LangchainState, runtime: LangchainRuntime, origin: CallOrigin): Promise<void>;
  /** Records what a resumption decides about calls that are known to wait, where the tools are not known yet. */
  takeDecisions(
    reply: LangchainMessage,
    state: LangchainState,
    runtime: LangchainRuntime,
    origin: CallOrigin,
  ): Promise<void>;
}

export interface CallRunnerParts {
  readonly gate: ToolGate;
  readonly hasStore: boolean;
  readonly turnOf: (
    reply: LangchainMessage,
    origin: CallOrigin,
    messages: readonly LangchainMessage[],
  ) => ToolTurn | undefined;
}

export function createCallRunner({ gate, hasStore, turnOf }: CallRunnerParts): CallRunner {
  const messages = createToolMessages();
  const recorded = new WeakMap<LangchainMessage, Promise<unknown>>();

  function whereOf(reply: LangchainMessage | undefined, state: LangchainState, origin: CallOrigin): GateCallOptions {
    const end = reply === undefined ? -1 : state.messages.indexOf(reply);
    return {
      conversation: origin.conversation,
      principal: origin.principal,
      attributes: origin.attributes,
      signal: origin.signal,
      messages: toGateMessages(end < 0 ? state.messages : state.messages.slice(0, end)),
      // A reply of an earlier process was checked against what that one showed.
      turn: reply === undefined ? undefined : turnOf(reply, origin, state.messages),
    };
  }

  async function recordDecisions(
    value: unknown,
    waiting: readonly WaitingToolCall[],
    origin: CallOrigin,
  ): Promise<void> {
    const decisions = decisionsOf(value);
    const { decidedBy, principal } = origin;
    const by = decidedBy ?? (principal === undefined ? undefined : { principal, via: 'langchain' });
    for (const { key, pause } of waiting) {
      if (!Object.hasOwn(decisions, key) || pause === undefined) continue;
      const decision = readDecision(key, decisions[key]);
      await gate.confirmations.decide(
        pause.id,
        { [pause.key]: decision },
        by ?? { principal: { id: '' }, via: 'langchain' },
      );
    }
  }

  async function waitingOf(calls: readonly ReplyCall[], where: GateCallOptions): Promise<readonly WaitingToolCall[]> {
    const waiting: WaitingToolCall[] = [];
    for (const call of calls) {
      const { waits, pause } = await gate.calls.propose(call, where);
      if (waits) waiting.push(waitingCall(call, pause));
    }
    // The free calls beside a call that waits run when the run goes on, and that may be delivered twice.
    if (waiting.length > 0) for (const call of calls) await gate.calls.propose(call, { ...where, record: 'all' });
    return waiting;
  }

  async function recordReply(reply: LangchainMessage, where: GateCallOptions): Promise<void> {
    const calls = callsOfReply(reply);
    if (calls.length < 2) return;
    const recording = recorded.get(reply) ?? waitingOf(calls, where);
    recorded.set(reply, recording);
    await recording;
  }

  async function recordedWaiting(calls: readonly ReplyCall[], where: GateCallOptions): Promise<WaitingToolCall[]> {
    const waiting: WaitingToolCall[] = [];
    for (const call of calls) {
      const pause = await gate.calls.find(call, where);
      if (pause?.calls[0]?.state === 'awaiting')
        waiting.push(waitingCall(call, { id: pause.id, expiresAt: pause.expiresAt }));
    }
    return waiting;
  }

  async function once(
    call: ReplyCall,
    request: LangchainToolCallRequest,
    handler: (request: never) => unknown,
    where: GateCallOptions,
    tool: Tool | undefined,
    decisions: ToolCallDecisions | undefined,
  ): Promise<unknown> {
    let ran: { readonly value: unknown } | undefined;
    let bubble: unknown;
    const runTool = async (effective: unknown): Promise<unknown> => {
      const args = tool === undefined ? effective : await argumentsToRun(tool, call.input, effective);
      try {
        const value: unknown = await handler({ ...request, toolCall: { ...request.toolCall, args } } as never);
        ran = { value };
        messages.learn(value);
        return isMessage(value) ? toResult(value) : 'The tool changed the state of the agent.';
      } catch (error) {
        if ((error as { readonly is_bubble_up?: unknown } | null)?.is_bubble_up !== true) throw error;
        // An agent inside the tool was interrupted: nothing has failed, and the tool is run again to go on.
        bubble = error;
        throw new ToolCallConfirmationRequiredError([call.key]);
      }
    };
    let outcome: Outcome;
    try {
      outcome = await gate.calls.execute(call, {
        ...where,
        ...(decisions === undefined ? {} : { decisions }),
        ...(tool === undefined ? {} : { execute: runTool }),
      });
    } catch (error) {
      throw bubble === undefined ? error : bubble;
    }
    if (request.runtime.signal?.aborted === true) throw request.runtime.signal.reason as Error;
    const isRefused = outcome.status !== 'succeeded' && outcome.status !== 'failed';
    if (ran !== undefined && !isRefused)
      return outcome.note === undefined || !isMessage(ran.value)
        ? ran.value
        : messages.withNote(ran.value, outcome.note);
    return await messages.of(outcome, request, handler);
  }

  return {
    async run(request, handler, origin, tool) {
      const { messages: history } = request.state;
      for (const message of history) messages.learn(message);
      const reply = replyOf(history);
      const call = callOf(reply, request.toolCall);
      const where = whereOf(reply, request.state, origin);
      // A graph may run all calls of a reply in one node, and that again from the start; so the free ones beside a call that waits are
      // recorded here too. What an earlier process asked about has been recorded by that one.
      if (hasStore && where.turn !== undefined && reply !== undefined) await recordReply(reply, where);
      let decisions: ToolCallDecisions | undefined;
      for (;;) {
        try {
          return await once(call, request, handler, where, tool, decisions);
        } catch (error) {
          if (!(error instanceof ToolCallConfirmationRequiredError)) throw error;
          const waiting = waitingCall(call, error.pause);
          const value = ask(request.runtime, [waiting]);
          if (hasStore) await recordDecisions(value, [waiting], origin);
          else decisions = decisionsFor(value, call, origin);
        }
      }
    },
    async hold(reply, state, runtime, origin) {
      const where = whereOf(reply, state, origin);
      const calls = callsOfReply(reply);
      for (;;) {
        const asked = waitingOf(calls, where);
        recorded.set(reply, asked);
        const waiting = await asked;
        if (waiting.length === 0) return;
        await recordDecisions(ask(runtime, waiting), waiting, origin);
      }
    },
    async takeDecisions(reply, state, runtime, origin) {
      const waiting = await recordedWaiting(callsOfReply(reply), whereOf(reply, state, origin));
      if (waiting.length > 0) await recordDecisions(ask(runtime, waiting), waiting, origin);
    },
  };
}

function waitingCall(call: ReplyCall, pause: PauseReference | undefined): WaitingToolCall {
  const { key, toolCallId, toolName, input } = call;
  const { id, expiresAt } = pause ?? {};
  return {
    key,
    toolCallId,
    toolName,
    arguments: input,
    ...(id === undefined
      ? {}
      : { pause: { id, key: `0.${toolCallId}`, ...(expiresAt === undefined ? {} : { expiresAt }) } }),
  };
}

/** Interrupts the run, or gives what it was resumed with. */
function ask(runtime: LangchainRuntime, calls: readonly WaitingToolCall[]): unknown {
  if (typeof runtime.interrupt !== 'function') {
    throw new ToolgateError(
      'peer-missing',
      'A call waits for a person, which needs an agent of langchain 1.5 or newer.',
      {
        data: { package: 'langchain', range: '>=1.5' },
      },
    );
  }
  const value: ToolgateInterrupt = { type: 'toolgate', calls };
  return runtime.interrupt(value as never);
}

function decisionsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isPlainObject(value) && isPlainObject(value['decisions']) ? value['decisions'] : {};
}

/** Without a store a decision goes straight to the call. */
function decisionsFor(value: unknown, call: ReplyCall, origin: CallOrigin): ToolCallDecisions | undefined {
  const decisions = decisionsOf(value);
  if (!Object.hasOwn(decisions, call.key)) return undefined;
  const { decidedBy, principal } = origin;
  const by = decidedBy ?? (principal === undefined ? undefined : { principal, via: 'langchain' });
  return ToolCallDecisions.of({ [`0.${call.toolCallId}`]: readDecision(call.key, decisions[call.key]) }, { by });
}

/** The call of the reply that the framework runs now. A checkpoint gives it back as a copy, so ids, names and arguments tell. */
function callOf(reply: LangchainMessage | undefined, toolCall: LangchainToolCall): ReplyCall {
  const calls = reply === undefined ? [] : callsOfReply(reply);
  const same = reply?.tool_calls?.findIndex((call) => call === toolCall) ?? -1;
  const like = (reply?.tool_calls ?? []).findIndex(
    ({ id, name, args }) =>
      id === toolCall.id && name === toolCall.name && JSON.stringify(args) === JSON.stringify(toolCall.args),
  );
  const found = calls[same < 0 ? like : same];
  if (found !== undefined) return found;
  const toolCallId = toolCall.id ?? '';
  return {
    key: `0.${toolCallId}`,
    replyId: `${reply?.id ?? ''}/${toolCallId}`,
    toolCallId,
    toolName: toolCall.name,
    input: toolCall.args,
  };
}

function isMessage(value: unknown): value is LangchainMessage {
  return typeof value === 'object' && value !== null && typeof (value as LangchainMessage).getType === 'function';
}
