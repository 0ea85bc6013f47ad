import type { DecisionMaker } from '../core/decision.ts';
import { ToolCallConfirmationRequiredError, ToolgateError } from '../core/errors.ts';
import type { PauseReference } from '../core/errors.ts';
import { isPlainObject } from '../core/json.ts';
import type { Outcome } from '../core/outcome.ts';
import type { Principal } from '../core/principal.ts';
import type { Tool } from '../core/tool.ts';
import type { Proposal } from '../confirm/propose-call.ts';
import { ToolCallDecisions, readDecision } from '../confirm/tool-call-decisions.ts';
import type { GateCallOptions } from '../gate/single-calls.ts';
import type { ToolGate, ToolTurn } from '../gate/types.ts';
import { callsOfReply, replyOf, toGateMessages, toResult } from './langchain-messages.ts';
import type { ReplyCall } from './langchain-messages.ts';
import { ReplyHold, isBubble, soon } from './langchain-hold.ts';
import type { HeldCall } from './langchain-hold.ts';
import { argumentsToRun } from './framework-schema.ts';
import type {
  LangchainMessage,
  LangchainRuntime,
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
}

export interface CallRunnerParts {
  readonly gate: ToolGate;
  readonly hasStore: boolean;
  /** Nothing of a reply runs while one of its calls waits. */
  readonly holds: boolean;
  /** The same origin where the gate finds other tools of the agent. */
  readonly withTools: (origin: CallOrigin, tools: readonly Tool[]) => CallOrigin;
  /** Whether this process has seen the agent's tools. */
  readonly knowsTools: () => boolean;
  readonly turnOf: (
    reply: LangchainMessage,
    origin: CallOrigin,
    messages: readonly LangchainMessage[],
  ) => ToolTurn | undefined;
}

export function createCallRunner({
  gate,
  hasStore,
  holds,
  withTools,
  knowsTools,
  turnOf,
}: CallRunnerParts): CallRunner {
  const messages = createToolMessages();
  const recorded = new WeakMap<LangchainMessage, Promise<unknown>>();
  // Written so that it may start again and again.
  const hold = new ReplyHold<HeldCall & { readonly where: GateCallOptions; readonly origin: CallOrigin }>(
    async ({ calls, runtime, where, origin }, tools) => {
      // A process that was started anew knows the tools of the calls that come with this one; all others are as they are recorded.
      if (where.turn === undefined) await soon();
      const own = [...tools.values()].filter((tool) => tool !== undefined);
      const seen = where.turn === undefined ? { ...where, ...withTools(origin, own) } : where;
      const isKnown = (toolName: string): boolean => where.turn !== undefined || tools.has(toolName);
      for (;;) {
        const waiting = await waitingOf(calls, seen, isKnown);
        if (waiting.length === 0) return;
        await recordDecisions(ask(runtime, waiting), waiting, origin);
      }
    },
  );

  function whereOf(
    reply: LangchainMessage | undefined,
    history: readonly LangchainMessage[],
    origin: CallOrigin,
  ): GateCallOptions {
    const { conversation, principal, attributes, signal } = origin;
    // A reply of an earlier process was checked against what that one showed.
    const turn = reply === undefined ? undefined : turnOf(reply, origin, history);
    // A turn knows its messages.
    if (turn !== undefined) return { conversation, principal, attributes, signal, turn };
    const end = reply === undefined ? -1 : history.indexOf(reply);
    const messages = toGateMessages(end < 0 ? history : history.slice(0, end));
    return { conversation, principal, attributes, signal, messages };
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
      if (!(await isAbout(value, key, pause))) continue;
      const decision = readDecision(key, decisions[key]);
      await gate.confirmations.decide(
        pause.id,
        { [pause.key]: decision },
        by ?? { principal: { id: '' }, via: 'langchain' },
      );
    }
  }

  /** Whether an answer is about this pause, and not about one before, whose tool was another. */
  async function isAbout(value: unknown, key: string, pause: { readonly id: string }): Promise<boolean> {
    const pauses = isPlainObject(value) ? value['pauses'] : undefined;
    if (isPlainObject(pauses) && Object.hasOwn(pauses, key)) return pauses[key] === pause.id;
    return (await gate.confirmations.get(pause.id))?.generation === 0;
  }

  async function waitingOf(
    calls: readonly ReplyCall[],
    where: GateCallOptions,
    isKnown: (toolName: string) => boolean = () => true,
  ): Promise<readonly WaitingToolCall[]> {
    const waiting: WaitingToolCall[] = [];
    const known = calls.filter(({ toolName }) => isKnown(toolName));
    for (const call of calls) {
      const { waits, pause } = known.includes(call)
        ? await gate.calls.propose(call, where)
        : await recordedProposal(call, where);
      if (waits) waiting.push(waitingCall(call, pause));
    }
    // The free calls beside a call that waits run when the run goes on, and that may be delivered twice.
    if (waiting.length > 0) for (const call of known) await gate.calls.propose(call, { ...where, record: 'all' });
    return waiting;
  }

  async function recordedProposal(call: ReplyCall, where: GateCallOptions): Promise<Proposal> {
    const pause = await gate.calls.find(call, where);
    return pause?.calls[0]?.state === 'awaiting' ? { waits: true, pause } : { waits: false };
  }

  async function recordReply(
    reply: LangchainMessage,
    calls: readonly ReplyCall[],
    where: GateCallOptions,
  ): Promise<void> {
    const recording = recorded.get(reply) ?? waitingOf(calls, where);
    recorded.set(reply, recording);
    await recording;
  }

  /** After a restart the tools that a search would go through are only known with the next request to the model. */
  async function knowsOrRefuses(
    { toolName }: ReplyCall,
    where: GateCallOptions,
  ): Promise<{ readonly execute?: () => never }> {
    if (where.turn !== undefined || !hasStore || knowsTools()) return {};
    if ((await gate.catalogue(where)).get(toolName) !== undefined) return {};
    return {
      execute: () => {
        throw new Error('Not executed: the tools were not known yet after a restart. Call it again.');
      },
    };
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
        messages.learn([value]);
        return isMessage(value) ? toResult(value) : 'The tool changed the state of the agent.';
      } catch (error) {
        if (!isBubble(error)) throw error;
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
        ...(tool !== undefined ? { execute: runTool } : await knowsOrRefuses(call, where)),
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
      messages.learn(history);
      const reply = replyOf(history);
      const calls = reply === undefined ? [] : callsOfReply(reply);
      const call = callOf(reply, calls, request.toolCall);
      const where = whereOf(reply, history, origin);
      const { runtime } = request;
      // A call without siblings waits by itself.
      if (reply !== undefined && calls.length > 1) {
        if (holds) await hold.pass({ reply, call, calls, history, runtime, tool, where, origin });
        // A graph may run all calls of a reply in one node, and that again from the start; so the free ones beside a call that waits are
        // recorded here too. What an earlier process asked about has been recorded by that one.
        else if (hasStore && where.turn !== undefined) await recordReply(reply, calls, where);
      }
      let decisions: ToolCallDecisions | undefined;
      for (;;) {
        try {
          return await once(call, request, handler, where, tool, decisions);
        } catch (error) {
          if (!(error instanceof ToolCallConfirmationRequiredError)) throw error;
          const waiting = waitingCall(call, error.pause);
          const value = ask(runtime, [waiting]);
          if (hasStore) await recordDecisions(value, [waiting], origin);
          else decisions = decisionsFor(value, call, origin);
        }
      }
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
function callOf(
  reply: LangchainMessage | undefined,
  calls: readonly ReplyCall[],
  toolCall: LangchainToolCall,
): ReplyCall {
  const own = reply?.tool_calls ?? [];
  const same = own.indexOf(toolCall);
  const found = calls[same < 0 ? own.findIndex((call) => isLike(call, toolCall)) : same];
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

function isLike(one: LangchainToolCall, other: LangchainToolCall): boolean {
  return one.id === other.id && one.name === other.name && JSON.stringify(one.args) === JSON.stringify(other.args);
}

function isMessage(value: unknown): value is LangchainMessage {
  return typeof value === 'object' && value !== null && typeof (value as LangchainMessage).getType === 'function';
}
