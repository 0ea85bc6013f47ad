import { ToolgateError } from '../core/errors.ts';
import type { Principal } from '../core/principal.ts';
import type { Tool, ToolServer } from '../core/tool.ts';
import { createToolGate } from '../gate/create-tool-gate.ts';
import type { ToolGateOptions } from '../gate/options.ts';
import type { ToolChoice, ToolGate, ToolTurn } from '../gate/types.ts';
import { createMastraCalls } from './mastra-calls.ts';
import { createLateTools } from './mastra-late-tools.ts';
import { toGateMessages } from './mastra-messages.ts';
import { inOrder, isInOrder, namesOf } from './mastra-shown.ts';
import { isProviderTool, isUnchanged, toGateTool, toMastraTool } from './mastra-tools.ts';
import type {
  MastraAgent,
  MastraCallContext,
  MastraDecisions,
  MastraHookContext,
  MastraInputStep,
  MastraReply,
  MastraRequestContext,
  MastraSuspendedRun,
  MastraTool,
} from './mastra-types.ts';
import { brokenInputsOf } from './mastra-broken-inputs.ts';
import { tellNotes } from './mastra-notes.ts';
import { copyJson } from './copy-json.ts';
import { decisionsOfRun, resumeRun } from './mastra-resume.ts';
import type { MastraResumeOptions, MastraResumed } from './mastra-resume.ts';
import { RecentByCall } from './recent-by-call.ts';
import type { CallOwner } from './recent-by-call.ts';
import { refuseHold } from './outcome-answer.ts';

export { uniqueCallIds } from './ai-sdk-unique-ids.ts';
export type { MastraResumeOptions, MastraResumed } from './mastra-resume.ts';
export type { MastraDecision, MastraDecisions, MastraSuspendedRun } from './mastra-types.ts';

/**
 * `toolgate/mastra`: selection, search and confirmation in a Mastra agent: a processor before and after each model step, and hooks around
 * each call. The agent's own tools stay as they are.
 */

/** Options of the gate; its tools are the agent's. What is authenticated is given here, or read from the request context. */
export interface MastraOptions extends Omit<ToolGateOptions, 'tools' | 'prefix'> {
  /** Default: the thread of the agent's memory. */
  readonly conversation?: string | ((requestContext: MastraRequestContext | undefined) => string | undefined);
  /** Whose run it is, as the host authenticated it. */
  readonly principal?: Principal | ((requestContext: MastraRequestContext | undefined) => Principal | undefined);
  readonly attributes?: Readonly<Record<string, unknown>>;
  /** Where a tool of an MCP server comes from. Default: every tool is the host's own. */
  readonly serverOf?: (toolName: string) => ToolServer | undefined;
}

/** The processor, before and after each request to the model. An output processor would be run for every chunk and result of the stream as well. */
export interface ToolgateProcessor {
  readonly id: 'toolgate';
  readonly name: 'toolgate';
  processInputStep(step: MastraInputStep): Promise<never>;
  processLLMResponse(reply: MastraReply): Promise<void>;
  getLoadedToolsForRequestContext(request: {
    readonly requestContext?: MastraRequestContext;
    readonly tools?: Record<string, unknown>;
  }): Promise<Record<string, object>>;
}

/** What {@link toolgate} gives: `new Agent({ id, name, instructions, model, tools, ...g.agent })`. */
export interface ToolgateMastra {
  readonly agent: {
    inputProcessors: ToolgateProcessor[];
    hooks: {
      beforeToolCall: (hook: MastraHookContext) => Promise<{ proceed: false; output: never } | undefined>;
      afterToolCall: (hook: MastraHookContext) => Promise<void>;
    };
  };
  /** What the store knows of a suspended run's calls, for `approveToolCall` and `declineToolCall`, which resume one call each. */
  decisionsFor(run: MastraSuspendedRun, requestContext?: MastraRequestContext): Promise<MastraDecisions>;
  /** Carries all decisions of a suspended run back, one after the other. */
  resume<OUTPUT>(
    agent: MastraAgent<OUTPUT>,
    runId: string,
    options?: MastraResumeOptions,
  ): Promise<MastraResumed<OUTPUT>>;
  readonly gate: ToolGate;
}

interface Learnt {
  readonly name: string;
  readonly given: unknown;
  /** Undefined for what is no tool of the agent. */
  readonly tool: Tool | undefined;
}

/** What Mastra is told of the tools of a step. */
interface Shown {
  readonly given: Record<string, unknown>;
  readonly activeTools: readonly string[];
  /** Everything in the record is active. */
  readonly isAll: boolean;
  /** The record in another order, or with tools of the gate; undefined when the given one will do. */
  readonly tools: Record<string, unknown> | undefined;
}

/** What is known of a call since its reply. */
interface CallOfReply {
  readonly turn: ToolTurn | undefined;
  readonly brokenInput: string | undefined;
  readonly requestContext: MastraRequestContext | undefined;
}

/**
 * The gate for a Mastra agent. Throws `invalid-option` for `siblings: 'hold'` (Mastra runs free calls at once) and for `hidden: 'execute'`
 * (Mastra refuses what is not active).
 */
export function toolgate(options: MastraOptions = {}): ToolgateMastra {
  const { conversation, principal, attributes, serverOf, ...rest } = options;
  refuseHold('toolgate/mastra', rest.confirm?.siblings);
  if (rest.confirm?.hidden === 'execute') {
    throw new ToolgateError(
      'invalid-option',
      "toolgate/mastra: hidden: 'execute' is not possible; Mastra refuses what is not active.",
      {
        data: { option: 'confirm.hidden' },
      },
    );
  }
  const { siblings: _, ...confirm } = rest.confirm ?? {};
  const toolsOf = new WeakMap<object, readonly Tool[]>();
  /** By the messages of a run, over its steps; and by what its hooks share, for the reply to come. */
  const turns = new WeakMap<object, ToolTurn>();
  const ownOf = new WeakMap<object, readonly Tool[]>();
  const asked = new WeakMap<object, ToolTurn>();
  const replies = new RecentByCall<CallOfReply>();
  const known = new Map<string, Tool>();
  const gate = createToolGate({
    ...rest,
    confirm,
    providers: [
      { id: 'mastra', provideTools: ({ invocation }) => toolsOf.get(invocation.attributes) ?? [...known.values()] },
      ...(rest.providers ?? []),
    ],
  });
  const gateOnly = new Set<string>();
  /** What was learnt of the record of a run, which is the same object in all its steps. */
  const learnt = new WeakMap<object, readonly Learnt[]>();
  let learntLast: { readonly all: readonly Learnt[]; readonly own: readonly Tool[] } | undefined;
  /** What Mastra is given for a list that the gate shows; the gate gives the same list as long as nothing changes. */
  const shownOf = new WeakMap<object, Shown>();

  function learn(tools: Record<string, unknown>): readonly Tool[] {
    const names = Object.keys(tools);
    const earlier = learnt.get(tools);
    const isSame =
      serverOf === undefined &&
      earlier?.length === names.length &&
      earlier.every(({ name, given }) => tools[name] === given);
    const all = isSame ? earlier : names.map((name) => learnOne(name, tools[name] as MastraTool));
    if (isSame && all === learntLast?.all) return learntLast.own;
    learnt.set(tools, all);
    const own: Tool[] = [];
    for (const { name, tool } of all) {
      if (tool === undefined || gateOnly.has(name)) continue;
      known.set(name, tool);
      own.push(tool);
    }
    learntLast = { all, own };
    return own;
  }

  function learnOne(name: string, given: MastraTool): Learnt {
    if (isProviderTool(given) || gateOnly.has(name)) return { name, given, tool: undefined };
    // Mastra makes its tools anew for each run; what is the same stays the same object, so that the gate need not read it again.
    const server = serverOf?.(name);
    const earlier = known.get(name);
    const isKnown = earlier !== undefined && isUnchanged(earlier, given, server);
    return { name, given, tool: isKnown ? earlier : toGateTool(name, given, server) };
  }

  function originOf(requestContext: MastraRequestContext | undefined, tools?: readonly Tool[]) {
    const own: Record<string, unknown> = { ...attributes, requestContext };
    if (tools !== undefined) toolsOf.set(own, tools);
    const memory = requestContext?.get('MastraMemory' as never) as
      | { readonly thread?: { readonly id?: string } }
      | undefined;
    const id = (typeof conversation === 'function' ? conversation(requestContext) : conversation) ?? memory?.thread?.id;
    if (id === undefined && rest.store !== undefined) {
      throw new ToolgateError(
        'invalid-option',
        'toolgate/mastra with a store needs a conversation: run the agent with memory and a thread, or give the option `conversation`.',
        { data: { option: 'conversation' } },
      );
    }
    return {
      conversation: id,
      principal: typeof principal === 'function' ? principal(requestContext) : principal,
      attributes: own,
    };
  }

  /** Of this very run: one that is resumed, or another one with the same ids, was checked against what another turn showed. */
  function replyOf(origin: CallOwner, { toolCallId, requestContext }: MastraCallContext): CallOfReply | undefined {
    const reply = replies.get(origin, toolCallId);
    return reply?.requestContext === requestContext ? reply : undefined;
  }

  const calls = createMastraCalls({
    gate,
    hasStore: rest.store !== undefined,
    placeOf: (context) => {
      const origin = originOf(context.requestContext);
      const reply = replyOf(origin, context);
      return {
        where: { ...origin, messages: [], signal: context.abortSignal, turn: reply?.turn },
        isKnown: reply !== undefined,
        brokenInput: reply?.brokenInput,
      };
    },
    parserOf: (toolName) => (gateOnly.has(toolName) ? undefined : (known.get(toolName) ?? {})),
  });

  const lateTools = createLateTools(() => calls);

  function gateTools(definitions: ToolTurn['tools']): Record<string, object> {
    const own = definitions.filter(({ name }) => !known.has(name));
    for (const { name } of own) gateOnly.add(name);
    return Object.fromEntries(
      own.map((definition) => [
        definition.name,
        toMastraTool(definition, async (input, context) => await calls.run(definition.name, input, context)),
      ]),
    );
  }

  function showTools(definitions: ToolTurn['tools'], given: Record<string, unknown>): Shown {
    const earlier = shownOf.get(definitions);
    if (earlier?.given === given) return earlier;
    const added = gateTools(definitions);
    const shown = definitions.map(({ name }) => name);
    const names = Object.keys(given);
    const provided = names.filter((name) => !known.has(name) && !gateOnly.has(name));
    const activeTools = [...new Set([...shown, ...provided])];
    const tools = isInOrder(shown, names) ? undefined : inOrder(shown, names, given, added);
    const isAll = activeTools.length === (tools === undefined ? names : Object.keys(tools)).length;
    const made: Shown = { given, activeTools, isAll, tools };
    shownOf.set(definitions, made);
    return made;
  }

  async function decisionsFor(
    run: MastraSuspendedRun,
    requestContext?: MastraRequestContext,
  ): Promise<MastraDecisions> {
    return await decisionsOfRun(gate, run, originOf(requestContext));
  }

  const processor: ToolgateProcessor = {
    id: 'toolgate',
    name: 'toolgate',
    async processInputStep(step) {
      const given = lateTools(step.tools ?? {});
      const messageList = step.messageList as object;
      const own = learn(given);
      const origin = originOf(step.requestContext, own);
      if (calls.hasNotes()) tellNotes(step.messages, messageList, (toolCallId) => calls.noteOf(origin, toolCallId));
      const messages = toGateMessages(step.messages, step.systemMessages, (name) => !known.has(name));
      const previous = turns.get(messageList);
      const turn =
        // Another processor may put in or take away tools between the steps of a run.
        previous === undefined || !isSameList(ownOf.get(messageList) ?? [], own)
          ? await gate.turn({
              ...origin,
              messages,
              toolChoice: toGateChoice(step.toolChoice),
              signal: step.abortSignal,
            })
          : await previous.refresh(messages);
      turns.set(messageList, turn);
      ownOf.set(messageList, own);
      asked.set(step.state, turn);
      const { activeTools, isAll, tools } = showTools(turn.tools, given);
      const { toolChoice } = turn;
      return {
        ...(tools === undefined && given === (step.tools ?? given) ? {} : { tools: tools ?? given }),
        // Mastra looks each tool up in this list, so nothing is said where all are active anyway.
        ...(isAll && step.activeTools === undefined ? {} : { activeTools: [...activeTools] }),
        toolChoice: typeof toolChoice === 'string' ? toolChoice : { type: 'tool', toolName: toolChoice.tool },
      } as never;
    },
    async processLLMResponse({ chunks, state, requestContext, abortSignal }) {
      const turn = asked.get(state);
      const replied = chunks.filter(({ type }) => type === 'tool-call').map(({ payload }) => payload as RepliedCall);
      if (replied.length === 0) return;
      const brokenInputs = brokenInputsOf(chunks);
      const shown = turn === undefined ? undefined : namesOf(turn.tools);
      const where = { ...originOf(requestContext), turn, signal: abortSignal };
      const proposed: { toolCallId: string; toolName: string; input: unknown }[] = [];
      let waits = false;
      for (const { toolCallId, toolName, args } of replied) {
        const brokenInput = brokenInputs.get(toolCallId);
        const call = { toolCallId, toolName, input: brokenInput ?? copyJson(args) };
        replies.set(where, toolCallId, { turn, brokenInput, requestContext });
        if (shown?.has(toolName) ?? known.has(toolName)) proposed.push(call);
        // Mastra answers it; here it is only noted that the tool is wanted.
        else if (turn !== undefined && (!known.has(toolName) || turn.catalogue.get(toolName) !== undefined))
          await gate.calls.execute(call, where);
      }
      // A call without siblings is checked where it runs; but Mastra suspends a call of a tool with a mark of its own before that.
      const isMarked = proposed.some(({ toolName }) => known.get(toolName)?.requiresConfirmation !== undefined);
      if (proposed.length < 2 && !isMarked) return;
      for (const call of proposed) waits = (await gate.calls.propose(call, where)).waits || waits;
      // The free calls beside a call that waits may come again with each delivery of a decision.
      if (waits) for (const call of proposed) await gate.calls.propose(call, { ...where, record: 'all' });
    },
    async getLoadedToolsForRequestContext({ requestContext, tools }) {
      const origin = originOf(requestContext, learn(tools ?? {}));
      const { tools: all } = await gate.catalogue(origin);
      return gateTools(all.map(({ definition }) => definition));
    },
  };

  return {
    gate,
    agent: {
      inputProcessors: [processor],
      hooks: {
        beforeToolCall: async (hook) => await calls.before(hook),
        afterToolCall: async (hook) => await calls.after(hook),
      },
    },
    decisionsFor,
    resume: async (agent, runId, given) => await resumeRun(agent, runId, decisionsFor, given),
  };
}

function isSameList(a: readonly Tool[], b: readonly Tool[]): boolean {
  return a === b || (a.length === b.length && a.every((tool, place) => tool === b[place]));
}

/** A call as the framework read it from the reply. */
interface RepliedCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly args: unknown;
}

function toGateChoice(choice: unknown): ToolChoice | undefined {
  if (choice === 'auto' || choice === 'none' || choice === 'required') return choice;
  const { toolName } = (choice ?? {}) as { readonly toolName?: unknown };
  return typeof toolName === 'string' ? { tool: toolName } : undefined;
}
