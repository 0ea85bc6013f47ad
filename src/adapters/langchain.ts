import type { DecisionMaker } from '../core/decision.ts';
import { ToolgateError } from '../core/errors.ts';
import type { Principal } from '../core/principal.ts';
import { randomIds } from '../core/system.ts';
import type { Tool, ToolServer } from '../core/tool.ts';
import { createToolGate } from '../gate/create-tool-gate.ts';
import type { ToolGateOptions } from '../gate/options.ts';
import type { ToolChoice, ToolGate, ToolTurn } from '../gate/types.ts';
import { hasStandardProperty } from '../schema/standard-schema.ts';
import type { StandardSchema } from '../schema/standard-schema.ts';
import { createCallRunner } from './langchain-calls.ts';
import type { CallOrigin } from './langchain-calls.ts';
import { answerOpenCalls } from './langchain-history.ts';
import { takeUpInvalidCalls, toGateMessages } from './langchain-messages.ts';
import { createToolLists } from './langchain-tool-list.ts';
import { isClientTool, toGateTool } from './langchain-tools.ts';
import { RecentByCall } from './recent-by-call.ts';
import type { CallOwner } from './recent-by-call.ts';
import type {
  LangchainMessage,
  LangchainModelRequest,
  LangchainRuntime,
  LangchainToolCallRequest,
} from './langchain-types.ts';

export { resumption, interruptsOf } from './langchain-resume.ts';
export type { LangchainInterrupt } from './langchain-resume.ts';
export { toLangchainDecisionModel } from './langchain-decision-model.ts';
export type { LangchainDecisions } from './langchain-decision-model.ts';
export type { ToolgateInterrupt, ToolgateResume, WaitingToolCall } from './langchain-types.ts';

/**
 * `toolgate/langchain`: selection, search and confirmation as a middleware of LangChain.js' `createAgent`. It reads the agent's own tools from
 * the requests to the model; calls go through the gate where the framework runs them, whatever the model was shown.
 */

/** Options of the gate; its tools are the agent's. What is authenticated is given here, or read from the run. */
export interface LangchainOptions extends Omit<ToolGateOptions, 'tools' | 'prefix'> {
  /**
   * The schema (zod) of what the functions below read of the run's context. Without it they see no context: LangChain gives each middleware the
   * part that its schema names.
   */
  readonly contextSchema?: object;
  /** Default: the `thread_id` of the run. */
  readonly conversation?: string | ((runtime: LangchainRuntime) => string | undefined);
  /** Whose run it is, as the host authenticated it. */
  readonly principal?: Principal | ((runtime: LangchainRuntime) => Principal | undefined);
  /** Who decides when a resumption carries decisions. Default: the principal, who may not decide its own calls unless `confirm.approver` says so. */
  readonly decidedBy?: DecisionMaker | ((runtime: LangchainRuntime) => DecisionMaker | undefined);
  readonly attributes?: Readonly<Record<string, unknown>>;
  /** Where a tool of an MCP server comes from. Default: every tool is the host's own. */
  readonly serverOf?: (toolName: string) => ToolServer | undefined;
}

/** A middleware as `createAgent` takes it, with its gate. Put it last, so that nothing stands between it and the tools. */
export interface ToolgateMiddleware {
  name: string;
  contextSchema?: never;
  wrapModelCall(request: LangchainModelRequest, handler: (request: never) => unknown): Promise<never>;
  wrapToolCall(request: LangchainToolCallRequest, handler: (request: never) => unknown): Promise<never>;
  readonly gate: ToolGate;
}

/**
 * The gate as a middleware: `createAgent({ model, tools, checkpointer, middleware: [toolgate({ store })] })`. A reply whose calls wait
 * interrupts the run with a `ToolgateInterrupt`; `new Command(resumption(interrupts))` goes on. `confirm.siblings` is `hold` by default: nothing
 * of a reply runs while one of its calls waits. Throws `invalid-option` for `hold` without a store.
 */
export function toolgate(options: LangchainOptions = {}): ToolgateMiddleware {
  const { conversation, principal, decidedBy, attributes, serverOf, contextSchema, ...rest } = options;
  const { siblings, ...confirm } = rest.confirm ?? {};
  if (siblings === 'hold' && rest.store === undefined) {
    throw new ToolgateError(
      'invalid-option',
      "toolgate/langchain: siblings: 'hold' needs a store, so that what was decided outlasts the interrupt.",
      { data: { option: 'confirm.siblings' } },
    );
  }
  const ids = rest.ids ?? randomIds;
  const toolsOf = new WeakMap<object, readonly Tool[]>();
  const listOf = createToolLists(serverOf);
  const turns = new RecentByCall<ToolTurn>();
  const runs = new WeakMap<object, string>();
  /** The agent's tools as they were seen last, for decisions that come from outside of a run. */
  let seenLast: readonly Tool[] = [];
  const gate = createToolGate({
    ...rest,
    confirm,
    providers: [
      {
        id: 'langchain',
        provideTools: ({ invocation }) => toolsOf.get(invocation.attributes) ?? seenLast,
      },
      ...(rest.providers ?? []),
    ],
  });

  /** Who and what the run is, with its tools where the gate's provider finds them. */
  async function originOf(given: LangchainRuntime, tools: readonly Tool[]): Promise<CallOrigin> {
    const context = contextSchema === undefined ? undefined : await contextFor(contextSchema, given.context);
    const runtime = { ...given, context };
    const own = { ...attributes };
    toolsOf.set(own, tools);
    const thread = runtime.configurable?.['thread_id'];
    return {
      conversation:
        (typeof conversation === 'function' ? conversation(runtime) : conversation) ??
        (typeof thread === 'string' ? thread : undefined),
      principal: typeof principal === 'function' ? principal(runtime) : principal,
      decidedBy: typeof decidedBy === 'function' ? decidedBy(runtime) : decidedBy,
      attributes: own,
      signal: runtime.signal,
    };
  }

  function withTools(origin: CallOrigin, tools: readonly Tool[]): CallOrigin {
    const own = { ...origin.attributes };
    toolsOf.set(own, tools);
    return { ...origin, attributes: own };
  }

  const runner = createCallRunner({
    gate,
    hasStore: rest.store !== undefined,
    holds: rest.store !== undefined && siblings !== 'run-now',
    withTools,
    knowsTools: () => seenLast.length > 0,
    turnOf: (reply, origin, messages) => turns.get(ownerOf(origin, messages), reply.id),
  });

  /** Selection goes on over the steps of a run, also where there is no thread to name it. */
  function ownerOf(origin: CallOrigin, messages: readonly LangchainMessage[]): CallOwner {
    const { principal: who } = origin;
    return { conversation: runOf(origin, messages), principal: who };
  }

  function runOf(origin: CallOrigin, messages: readonly LangchainMessage[]): string | undefined {
    const first = messages.find((message) => message.getType() === 'human');
    if (origin.conversation !== undefined || rest.store !== undefined || first === undefined)
      return origin.conversation;
    const run = runs.get(first) ?? ids.next('run');
    runs.set(first, run);
    return run;
  }

  function remember(reply: unknown, turn: ToolTurn, owner: CallOwner): void {
    if (!isReply(reply)) return;
    takeUpInvalidCalls(reply);
    if ((reply.tool_calls?.length ?? 0) === 0) return;
    if (reply.id === undefined) setId(reply, ids.next('reply'));
    turns.set(owner, reply.id, turn);
  }

  return {
    name: 'toolgate',
    ...(contextSchema === undefined ? {} : { contextSchema: contextSchema as never }),
    gate,
    async wrapModelCall(request, handler) {
      const list = listOf(request.tools);
      seenLast = list.tools;
      const origin = await originOf(request.runtime, list.tools);
      const messages = await answerOpenCalls(gate, request.messages, origin, rest.store !== undefined);
      const owner = ownerOf(origin, messages);
      const turn = await gate.turn({
        ...owner,
        messages: toGateMessages(messages, request.systemMessage),
        attributes: origin.attributes,
        signal: origin.signal,
        toolChoice: toGateChoice(request.toolChoice),
      });
      const reply = await handler({
        ...request,
        messages,
        tools: [...list.show(turn.tools)],
        ...(request.toolChoice === undefined ? {} : { toolChoice: toFrameworkChoice(turn.toolChoice) }),
      } as never);
      remember(reply, turn, owner);
      return reply as never;
    },
    async wrapToolCall(request, handler) {
      const tool = isClientTool(request.tool) ? toGateTool(request.tool, serverOf?.(request.tool.name)) : undefined;
      const origin = await originOf(request.runtime, tool === undefined ? seenLast : [tool]);
      return (await runner.run(request, handler, origin, tool)) as never;
    },
  };
}

/** What the schema makes of the context, the same in every hook: LangChain gives some of them all of it, and some nothing without a schema. */
async function contextFor(schema: object | undefined, context: unknown): Promise<unknown> {
  if (!hasStandardProperty(schema)) return undefined;
  const answer = await (schema as StandardSchema)['~standard'].validate(context ?? {});
  return answer.issues === undefined ? answer.value : undefined;
}

function isReply(value: unknown): value is LangchainMessage {
  return typeof value === 'object' && value !== null && 'tool_calls' in value && 'getType' in value;
}

function setId(reply: LangchainMessage, id: string): void {
  reply.id = id;
  // What a checkpoint keeps of a message are the arguments of its constructor.
  const { lc_kwargs: kept } = reply as { readonly lc_kwargs?: { id?: string } };
  if (kept !== undefined) kept.id = id;
}

function toGateChoice(choice: unknown): ToolChoice | undefined {
  if (choice === 'auto' || choice === 'none' || choice === 'required') return choice;
  if (choice === 'any') return 'required';
  if (typeof choice === 'string') return { tool: choice };
  const named =
    (choice as { readonly function?: { readonly name?: unknown }; readonly name?: unknown } | undefined) ?? {};
  const name = named.function?.name ?? named.name;
  return typeof name === 'string' ? { tool: name } : undefined;
}

function toFrameworkChoice(choice: ToolChoice): unknown {
  return typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.tool } };
}
