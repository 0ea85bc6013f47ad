import { ToolgateError } from '../core/errors.ts';
import type { DecisionMaker } from '../core/decision.ts';
import type { Message } from '../core/message.ts';
import type { Principal } from '../core/principal.ts';
import type { Tool } from '../core/tool.ts';
import { definitionsOf } from '../catalog/definitions-of.ts';
import { createToolGate } from '../gate/create-tool-gate.ts';
import type { ToolGateOptions } from '../gate/options.ts';
import type { ToolChoice, ToolGate } from '../gate/types.ts';
import { HybridToolSearchStrategy } from '../search/hybrid-strategy.ts';
import { agentToolsKey, expectCalls } from './openai-agents-calls.ts';
import type { AgentCalls } from './openai-agents-calls.ts';
import { carryDecisions } from './openai-agents-decisions.ts';
import type { CarriedState, RunStateLike } from './openai-agents-decisions.ts';
import { toGateMessages, withUsableCalls } from './openai-agents-messages.ts';
import { heldTools, isKeptElsewhere, loadingTools, withSearches, withoutPaths } from './openai-agents-search.ts';
import { ShownTools } from './openai-agents-shown.ts';
import type { SerializedTool } from './openai-agents-shown.ts';
import { GatedTools } from './openai-agents-tools.ts';
import { refuseHold } from './outcome-answer.ts';

export type { CarriedState, RunStateLike } from './openai-agents-decisions.ts';

/**
 * `toolgate/openai-agents`: selection, search and confirmation inside the runner of the OpenAI Agents SDK. The agent's model is shown
 * what was selected; its tools go through the gate in their own `invoke`.
 */

/** Whose agent it is, as the host authenticated it. */
export interface AgentOrigin {
  /** Names the conversation for ever: what waits is found again by it. */
  readonly conversation: string;
  readonly principal?: Principal | undefined;
  /** Who approves in a run state that came back. Default: the principal. */
  readonly decidedBy?: DecisionMaker | undefined;
  readonly attributes?: Readonly<Record<string, unknown>> | undefined;
  /** Names of the agents around this one, outermost first, where it runs as a tool of another. */
  readonly path?: readonly string[] | undefined;
}

/** Options of the gate; the tools come from the agents. */
export interface OpenAIAgentsOptions extends Omit<ToolGateOptions, 'tools' | 'prefix' | 'store'> {
  readonly store: NonNullable<ToolGateOptions['store']>;
  /** Where agents that name their model get it from: the runner's own provider. */
  readonly modelProvider?: { getModel(name?: string): ModelLike | Promise<ModelLike> };
  /**
   * True: the model searches through OpenAI's own tool search, executed here. What it finds is loaded at the end of the conversation, so that the
   * prompt cache holds. Only models of the Responses API that know `tool_search` take it. Default false: a function tool, for every model.
   */
  readonly nativeSearch?: boolean;
}

interface ModelRequestLike {
  readonly systemInstructions?: string;
  readonly input: string | readonly unknown[];
  readonly modelSettings: { readonly toolChoice?: string };
  readonly tools: readonly SerializedTool[];
  readonly signal?: AbortSignal;
  /** Set when the provider keeps the conversation, and `input` holds only what is new. */
  readonly previousResponseId?: string;
  readonly conversationId?: string;
}

interface DoneEvent {
  readonly type?: unknown;
  readonly response?: { readonly output: readonly unknown[] };
}

/** A model of the SDK. */
export interface ModelLike {
  getResponse(request: never): Promise<{ readonly output: readonly unknown[] }>;
  getStreamedResponse(request: never): AsyncIterable<unknown>;
}

interface AgentLike {
  readonly name: string;
  readonly model: unknown;
  readonly handoffs: readonly unknown[];
  clone(config: never): unknown;
  getAllTools(...args: never[]): Promise<readonly unknown[]>;
}

/** What {@link openaiAgents} gives. */
export interface OpenAIAgents {
  /**
   * The same agent with the gate around its tools (also those of its MCP servers), its model and the agents it hands off to. An
   * agent used as a tool is shown and called like any tool; wrap it before `asTool`, with `path`, so that its own calls are gated.
   */
  wrap<AGENT extends AgentLike>(agent: AGENT, origin: AgentOrigin): AGENT;
  /** For `run`: a call of a tool that is not there is answered instead of ending the run. */
  readonly runOptions: { readonly toolNotFoundBehavior: 'return_error_to_model' };
  /** Writes what is decided in the store into a run's state: `state.approve` and `state.reject`; and says what still waits. */
  carryDecisions(state: RunStateLike, origin: AgentOrigin): Promise<CarriedState>;
  readonly gate: ToolGate;
}

/**
 * Puts a gate into the OpenAI Agents SDK. Throws `invalid-option` without a store (a run's state is not signed and comes back from
 * wherever it was kept), for `siblings: 'hold'` (the runner runs free calls at once), and for `nativeSearch` without a search.
 */
export function openaiAgents(options: OpenAIAgentsOptions): OpenAIAgents {
  const { modelProvider, nativeSearch = false, ...rest } = options;
  if (rest.store === undefined) {
    throw new ToolgateError(
      'invalid-option',
      'toolgate/openai-agents needs a store (for a start: store: memoryStore()): the state of a run is not signed.',
      { data: { option: 'store' } },
    );
  }
  refuseHold('toolgate/openai-agents', rest.confirm?.siblings);
  const search =
    rest.search === false ? false : (rest.search ?? new HybridToolSearchStrategy({ toolName: 'search_tools' }));
  const searchTools = search === false ? [] : search.getToolSearchTools({ id: 'names', attributes: {} });
  const searchNames = new Set(searchTools.map(({ name }) => name));
  const searchName = searchTools[0]?.name;
  if (nativeSearch && searchName === undefined) {
    throw new ToolgateError('invalid-option', 'nativeSearch needs a search: leave out search: false.', {
      data: { option: 'nativeSearch' },
    });
  }
  const loading = nativeSearch ? searchName : undefined;
  const seen = new Map<string, Tool>();
  const gate = createToolGate({
    ...rest,
    search,
    providers: [
      {
        id: 'openai-agents',
        provideTools: ({ invocation }) =>
          (invocation.attributes[agentToolsKey] as readonly Tool[] | undefined) ?? [...seen.values()],
      },
      ...(rest.providers ?? []),
    ],
  });

  function wrap<AGENT extends AgentLike>(
    agent: AGENT,
    origin: AgentOrigin,
    done: Map<unknown, unknown> = new Map(),
    kept: AgentCalls['kept'] = { earlier: [] },
  ): AGENT {
    const known = done.get(agent);
    if (known !== undefined) return known as AGENT;
    const calls: AgentCalls = {
      gate,
      origin,
      turn: undefined,
      tools: [],
      kept,
      newCalls: new Set(),
      loaded: new Set(),
      proposals: new Map(),
    };
    const gatedTools = new GatedTools(calls, searchTools, loading !== undefined);
    const wrapped = agent.clone({ model: wrapModel(agent, calls) } as never) as AGENT & { handoffs: unknown[] };
    done.set(agent, wrapped);
    wrapped.handoffs = agent.handoffs.map((handoff) => wrapHandoff(handoff, (next) => wrap(next, origin, done, kept)));
    const ownTools = wrapped.getAllTools.bind(wrapped);
    wrapped.getAllTools = async (...args: never[]) => {
      if (gatedTools.take(await ownTools(...args))) {
        calls.tools = gatedTools.own;
        for (const tool of calls.tools) seen.set(tool.name, tool);
      }
      const others = rest.providers === undefined ? [] : definitionsOf(await gate.catalogue(requestOf(calls)));
      return [...gatedTools.list(others)];
    };
    return wrapped;
  }

  function requestOf(calls: AgentCalls) {
    const { conversation, principal, attributes } = calls.origin;
    return { conversation, principal, attributes: { ...attributes, [agentToolsKey]: calls.tools } };
  }

  /** The conversation up to a request. */
  function messagesOf(request: ModelRequestLike, { kept }: AgentCalls): readonly Message[] {
    const { input, systemInstructions } = request;
    if (!isKeptElsewhere(request)) return toGateMessages(input, systemInstructions, searchNames, loading);
    const system = toGateMessages([], systemInstructions, searchNames);
    return [...system, ...kept.earlier, ...toGateMessages(input, undefined, searchNames, loading)];
  }

  /** Keeps what the provider will not be sent again. */
  function keepMessages(request: ModelRequestLike, output: readonly unknown[], { kept }: AgentCalls): void {
    if (!isKeptElsewhere(request)) return;
    for (const items of [request.input, output])
      kept.earlier = [...kept.earlier, ...toGateMessages(items, undefined, searchNames, loading)];
  }

  function wrapModel(agent: AgentLike, calls: AgentCalls): ModelLike {
    const inner = (): ModelLike | Promise<ModelLike> => {
      if (typeof agent.model === 'object' && agent.model !== null) return agent.model as ModelLike;
      if (modelProvider !== undefined) return modelProvider.getModel((agent.model as string) || undefined);
      throw new ToolgateError(
        'invalid-option',
        `The agent ${agent.name} names its model. Give it a model object, or give openaiAgents a modelProvider (new OpenAIProvider()).`,
        { data: { option: 'modelProvider' } },
      );
    };
    const shown = new ShownTools(loading !== undefined);
    const prepare = async (request: ModelRequestLike): Promise<never> => {
      const { toolChoice } = request.modelSettings;
      const turn = await gate.turn({
        ...requestOf(calls),
        messages: messagesOf(request, calls),
        toolChoice: toGateChoice(toolChoice),
        signal: request.signal,
      });
      calls.turn = turn;
      const choice = typeof turn.toolChoice === 'string' ? turn.toolChoice : turn.toolChoice.tool;
      // The SDK's own search cannot be forced.
      const fitting = loading !== undefined && searchNames.has(choice) ? 'auto' : choice;
      const modelSettings =
        toolChoice === undefined ? request.modelSettings : { ...request.modelSettings, toolChoice: fitting };
      const tools = shown.of(turn.tools, request.tools);
      if (loading === undefined) return { ...request, tools, modelSettings } as never;
      const held = heldTools(request, agent.name, calls);
      return {
        ...request,
        input: withoutPaths(request.input),
        tools: loadingTools(turn.tools, tools, held, searchNames),
        modelSettings,
      } as never;
    };
    const received = async <ITEM>(output: readonly ITEM[], request: ModelRequestLike) => {
      const usable = withUsableCalls(output, request.input);
      expectCalls(calls, usable);
      keepMessages(request, usable, calls);
      return loading === undefined ? usable : await withSearches(usable, calls, loading);
    };
    return {
      async getResponse(request: ModelRequestLike) {
        const response = await (await inner()).getResponse(await prepare(request));
        const output = await received(response.output, request);
        return output === response.output ? response : { ...response, output };
      },
      async *getStreamedResponse(request: ModelRequestLike) {
        const model = await inner();
        for await (const event of model.getStreamedResponse(await prepare(request))) {
          const { type, response } = event as DoneEvent;
          if (type !== 'response_done' || response === undefined) yield event;
          else {
            const output = await received(response.output, request);
            yield { ...(event as object), response: { ...response, output } };
          }
        }
      },
    };
  }

  return {
    wrap: (agent, origin) => wrap(agent, origin),
    runOptions: { toolNotFoundBehavior: 'return_error_to_model' },
    carryDecisions: async (state, origin) => await carryDecisions(gate, state, origin),
    gate,
  };
}

function wrapHandoff(handoff: unknown, wrap: (agent: AgentLike) => AgentLike): unknown {
  const given = handoff as Partial<AgentLike> & {
    readonly agent?: AgentLike;
    readonly onInvokeHandoff?: (...args: never[]) => Promise<AgentLike>;
  };
  if (typeof given.getAllTools === 'function') return wrap(handoff as AgentLike);
  const { agent, onInvokeHandoff } = given;
  if (agent === undefined || onInvokeHandoff === undefined) return handoff;
  const copy = Object.create(
    Object.getPrototypeOf(handoff) as object,
    Object.getOwnPropertyDescriptors(handoff),
  ) as object;
  return Object.assign(copy, {
    agent: wrap(agent),
    onInvokeHandoff: async (...args: never[]) => wrap(await onInvokeHandoff(...args)),
  });
}

function toGateChoice(choice: string | undefined): ToolChoice | undefined {
  if (choice === undefined || choice === 'auto' || choice === 'none' || choice === 'required') return choice;
  return { tool: choice };
}
