import { ToolgateError, errorMessage } from '../core/errors.ts';
import type { ToolServer } from '../core/tool.ts';
import { createToolGate } from '../gate/create-tool-gate.ts';
import type { ToolGateOptions } from '../gate/options.ts';
import type { ToolChoice, ToolGate, ToolTurn } from '../gate/types.ts';
import { gateTool, wrapTool } from './ai-sdk-calls.ts';
import type { CallOrigin, CallsParts } from './ai-sdk-calls.ts';
import { withDecisions } from './ai-sdk-decisions.ts';
import type { CarriedDecisions } from './ai-sdk-decisions.ts';
import { HistorySettler, reportHiddenCalls } from './ai-sdk-history.ts';
import { toGateMessages } from './ai-sdk-messages.ts';
import { isProviderTool, readSchemasOnce, standardOf, toGateTool } from './ai-sdk-tools.ts';
import type { SdkCallOptions, SdkTool } from './ai-sdk-tools.ts';
import { DeliveredInputs } from './delivered-inputs.ts';
import { refuseHold, requireStoreOrSecret } from './outcome-answer.ts';

export { uniqueCallIds } from './ai-sdk-unique-ids.ts';
export type { CallOrigin } from './ai-sdk-calls.ts';
export type { CarriedDecisions } from './ai-sdk-decisions.ts';

/**
 * `toolgate/ai-sdk`: selection, search and confirmation inside the loop of the Vercel AI SDK, 6 and 7: `generateText`, `streamText`,
 * `ToolLoopAgent`. Calls go through the gate in the tools' own `execute`, so nothing else of the SDK has to be trusted with them.
 */

/** Options of the gate, with the SDK's tools in place of its own. */
export interface AiSdkOptions<TOOLS extends object> extends Omit<ToolGateOptions, 'tools' | 'prefix'>, CallOrigin {
  /** The SDK's tools by name, also of `@ai-sdk/mcp`: selected from, searched and gated. Names: letters, digits, `_` and `-`, at most 64. */
  readonly tools: TOOLS;
  /** Where a tool of an MCP client comes from. Default: what the client calls itself; give it where decisions outlive this process. */
  readonly serverOf?: (toolName: string) => ToolServer | undefined;
}

/** One call of `generateText` or `streamText`; what is not named here is handed through to it. */
export interface AiSdkTurn extends CallOrigin {
  readonly messages?: SdkCallOptions['messages'] | undefined;
  readonly system?: unknown;
  /** Version 7's word for `system`. */
  readonly instructions?: unknown;
  /** Holds for the first step; a tool that is not there forces nothing. */
  readonly toolChoice?: ToolChoice | undefined;
  readonly abortSignal?: AbortSignal | undefined;
}

/** What the SDK calls before each step. */
export interface PrepareStepInput {
  readonly messages: SdkCallOptions['messages'];
  readonly steps: readonly unknown[];
  readonly stepNumber: number;
  readonly instructions?: unknown;
}

/** The answer to {@link PrepareStepInput}. Version 6 takes no notice of `toolOrder`; there the tools stand in order themselves. */
export interface PrepareStepAnswer<NAMES> {
  activeTools: NAMES[];
  toolOrder: NAMES[];
  toolChoice?: 'auto' | 'none' | 'required' | { type: 'tool'; toolName: NAMES };
  // The messages are the SDK's own, with results for calls that nothing will answer any more.
  messages?: never[];
}

/** What goes into the SDK's call. */
export interface AiSdkSettings<TOOLS> {
  readonly tools: TOOLS;
  readonly prepareStep: (input: PrepareStepInput) => Promise<PrepareStepAnswer<keyof TOOLS & string>>;
  readonly experimental_toolApprovalSecret?: string | Uint8Array;
}

/** What {@link aiSdk} gives. */
export interface AiSdk<TOOLS> extends AiSdkSettings<TOOLS> {
  /** The settings for one call: `generateText({ model, ...g.forTurn({ messages, system, conversation }) })`. */
  forTurn<TURN extends AiSdkTurn>(
    turn: TURN,
  ): Omit<TURN, 'conversation' | 'principal' | 'decidedBy' | 'attributes' | 'toolChoice'> & AiSdkSettings<TOOLS>;
  /** The history with what is decided in the store about its last reply, as `tool-approval-response` parts; and what still waits. */
  withDecisions<MESSAGES extends SdkCallOptions['messages']>(
    messages: MESSAGES,
    origin?: CallOrigin,
  ): Promise<CarriedDecisions<MESSAGES>>;
  readonly gate: ToolGate;
}

interface TurnState {
  turn: ToolTurn | undefined;
  readonly history: HistorySettler;
}

/**
 * Puts a gate between the AI SDK and its tools. The tools keep their types. Throws `invalid-option` without a store or a
 * secret, for `siblings: 'hold'` (the SDK runs free calls at once) and for names that providers do not take.
 */
export function aiSdk<TOOLS extends object>(options: AiSdkOptions<TOOLS>): AiSdk<TOOLS> {
  const { tools: given, serverOf, conversation, principal, decidedBy, attributes, ...rest } = options;
  const { secret, ...confirm } = rest.confirm ?? {};
  requireStoreOrSecret('toolgate/ai-sdk', { store: rest.store, secret });
  refuseHold('toolgate/ai-sdk', confirm.siblings);
  if (confirm.hidden === 'execute') {
    throw new ToolgateError(
      'invalid-option',
      "confirm.hidden: the AI SDK answers calls of hidden tools itself, so 'execute' is not possible.",
      {
        data: { option: 'confirm.hidden' },
      },
    );
  }
  const own = new Map(Object.entries(given) as [string, SdkTool][]);
  for (const name of own.keys()) {
    if (/^[A-Za-z0-9_-]{1,64}$/.test(name)) continue;
    throw new ToolgateError(
      'invalid-option',
      `The tool ${JSON.stringify(name)} needs a name of letters, digits, _ and -, at most 64.`,
      {
        data: { option: 'tools', tool: name },
      },
    );
  }
  const delivered = new DeliveredInputs();
  const selectable = [...own].filter(([, tool]) => !isProviderTool(tool));
  const passed = [...own.keys()].filter((name) => isProviderTool(own.get(name) as SdkTool));
  const gateTools = Promise.all(
    selectable.map(async ([name, tool]) => {
      try {
        return [await toGateTool(name, tool, delivered, serverOf?.(name))];
      } catch (error) {
        // One tool that cannot be read takes out no other.
        rest.logger?.error('A tool was left out', { tool: name, error: errorMessage(error) });
        return [];
      }
    }),
  ).then((made) => made.flat());
  let schemas: ReadonlyMap<string, unknown> = new Map();
  void readSchemasOnce(new Map(selectable)).then((read) => {
    schemas = read;
  });
  const gate = createToolGate({
    ...rest,
    confirm,
    providers: [{ id: 'ai-sdk', provideTools: () => gateTools }, ...(rest.providers ?? [])],
  });
  const signing =
    typeof secret === 'string' || secret instanceof Uint8Array ? { experimental_toolApprovalSecret: secret } : {};

  function bind(
    origin: CallOrigin,
    request: AiSdkTurn,
    states: {
      of(steps: readonly unknown[]): TurnState;
      at(messages: SdkCallOptions['messages']): TurnState | undefined;
      seen?(messages: object, state: TurnState): void;
    },
    mayOrder: boolean,
  ): AiSdkSettings<TOOLS> {
    const parts: CallsParts = {
      gate,
      delivered,
      hasStore: rest.store !== undefined,
      origin,
      turnOf: (messages) => states.at(messages)?.turn,
    };
    const tools = new Map<string, SdkTool>();
    let hasSchemas = false;
    const record = Object.create(null) as Record<string, SdkTool>;
    const add = (name: string, tool: SdkTool): void => {
      tools.set(name, tool);
      record[name] = tool;
    };
    for (const [name, tool] of own) add(name, isProviderTool(tool) ? tool : wrapTool(name, tool, parts));

    async function prepareStep(input: PrepareStepInput): Promise<PrepareStepAnswer<keyof TOOLS & string>> {
      const state = states.of(input.steps);
      for (const [name, inputSchema] of schemas.size === 0 || hasSchemas ? [] : schemas)
        Object.assign(tools.get(name) ?? {}, { inputSchema });
      hasSchemas = schemas.size > 0;
      const messages = await state.history.settle(input.messages, input.stepNumber === 0);
      states.seen?.(input.messages, state);
      states.seen?.(messages, state);
      const seen = toGateMessages(messages, input.instructions ?? request.instructions ?? request.system);
      if (state.turn !== undefined && input.stepNumber > 0) await reportHiddenCalls(gate, state.turn, messages);
      state.turn =
        input.stepNumber === 0 || state.turn === undefined
          ? await gate.turn({ ...origin, messages: seen, toolChoice: request.toolChoice, signal: request.abortSignal })
          : await state.turn.refresh(seen);
      for (const definition of state.turn.tools) {
        if (!tools.has(definition.name))
          add(definition.name, gateTool(definition.name, definition, standardOf(definition.inputSchema), parts));
      }
      const names = [...state.turn.tools.map(({ name }) => name), ...passed];
      if (mayOrder) putInOrder(record, [...names, ...tools.keys()], tools);
      const choice = request.toolChoice === undefined ? undefined : state.turn.toolChoice;
      return {
        activeTools: names,
        toolOrder: names,
        ...(choice === undefined
          ? {}
          : { toolChoice: typeof choice === 'string' ? choice : { type: 'tool', toolName: choice.tool } }),
        ...(messages === input.messages ? {} : { messages }),
      } as PrepareStepAnswer<keyof TOOLS & string>;
    }
    return { tools: record as unknown as TOOLS, prepareStep, ...signing };
  }

  function newState(origin: CallOrigin): TurnState {
    return { turn: undefined, history: new HistorySettler(gate, origin, rest.store !== undefined) };
  }

  const base: CallOrigin = { conversation, principal, decidedBy, attributes };
  const bySteps = new WeakMap<object, TurnState>();
  const byMessages = new WeakMap<object, TurnState>();
  const shared = bind(
    base,
    {},
    {
      of(steps) {
        const state = bySteps.get(steps) ?? newState(base);
        bySteps.set(steps, state);
        return state;
      },
      at: (messages) => byMessages.get(messages),
      seen: (messages, state) => byMessages.set(messages, state),
    },
    false,
  );
  return {
    ...shared,
    gate,
    forTurn(turn) {
      const { conversation: _, principal: __, decidedBy: ___, attributes: ____, toolChoice: _____, ...handed } = turn;
      const origin = { ...base, ...pick(turn) };
      const state = newState(origin);
      return { ...handed, ...bind(origin, turn, { of: () => state, at: () => state }, true) };
    },
    withDecisions: async (messages, origin) => await withDecisions(gate, messages, { ...base, ...origin }),
  };
}

function pick(turn: AiSdkTurn): CallOrigin {
  const { conversation, principal, decidedBy, attributes } = turn;
  return {
    ...(conversation === undefined ? {} : { conversation }),
    ...(principal === undefined ? {} : { principal }),
    ...(decidedBy === undefined ? {} : { decidedBy }),
    ...(attributes === undefined ? {} : { attributes }),
  };
}

/** Version 6 sends tools in the order in which the object holds them, so what is shown comes first and keeps its place. */
function putInOrder(
  record: Record<string, SdkTool>,
  names: readonly string[],
  tools: ReadonlyMap<string, SdkTool>,
): void {
  for (const name of new Set(names)) {
    const tool = tools.get(name);
    if (tool === undefined) continue;
    delete record[name];
    record[name] = tool;
  }
}
