import { isPlainObject } from '../core/json.ts';
import type { JsonSchema, Tool, ToolContext, ToolDefinition } from '../core/tool.ts';
import { gated, runContextKey } from './openai-agents-calls.ts';
import type { AgentCalls, FunctionToolLike, RunContextLike } from './openai-agents-calls.ts';

const gateTools = new WeakMap<FunctionToolLike, Tool>();

/** The SDK's tool as the gate takes it; the same for the same tool, so that what is computed for it is kept. */
export function toGateTool(tool: FunctionToolLike): Tool {
  const known = gateTools.get(tool);
  if (known !== undefined) return known;
  const made = makeGateTool(tool);
  gateTools.set(tool, made);
  return made;
}

const lasting = new WeakMap<FunctionToolLike, Tool>();

/** The same for a tool that is always shown. */
function toLastingTool(tool: FunctionToolLike): Tool {
  const known = lasting.get(tool) ?? { ...toGateTool(tool), visibility: 'always' };
  lasting.set(tool, known);
  return known;
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

export function isFunctionTool(tool: unknown): tool is FunctionToolLike {
  return (tool as { readonly type?: unknown } | null)?.type === 'function';
}

/** The tools of one agent with the gate in between: the same list for the same tools, because the runner asks before each call of the model. */
export class GatedTools {
  readonly #calls: AgentCalls;
  readonly #search: readonly ToolDefinition[];
  /** Whether found tools are loaded by the runner, which needs a deferred copy of each tool for that. */
  readonly #loads: boolean;
  /** By the tool of the SDK, or by the definition of one that only the gate knows. */
  #wrapped = new Map<unknown, FunctionToolLike>();
  #given: readonly unknown[] = [];
  #others: readonly ToolDefinition[] = [];
  #listed: readonly unknown[] | undefined;
  /** The agent's own function tools, as the gate takes them. */
  own: readonly Tool[] = [];

  constructor(calls: AgentCalls, search: readonly ToolDefinition[], loads: boolean) {
    this.#calls = calls;
    this.#search = loads ? [] : search;
    this.#loads = loads;
  }

  /** Takes what the agent has now. True when it is not what it had. */
  take(given: readonly unknown[]): boolean {
    if (this.#listed !== undefined && areSame(given, this.#given)) return false;
    this.#given = [...given];
    this.#listed = undefined;
    this.own = given
      .filter(isFunctionTool)
      .map((tool) => (this.#loads && !canBeLoaded(tool) ? toLastingTool(tool) : toGateTool(tool)));
    return true;
  }

  /** What the runner is given. `others` are tools that only the gate knows. */
  list(others: readonly ToolDefinition[]): readonly unknown[] {
    if (this.#listed !== undefined && areSame(others, this.#others)) return this.#listed;
    const names = new Set(this.own.map(({ name }) => name));
    const wrapped = new Map<unknown, FunctionToolLike>();
    const keep = (key: unknown, make: () => FunctionToolLike): FunctionToolLike => {
      const tool = this.#wrapped.get(key) ?? make();
      wrapped.set(key, tool);
      return tool;
    };
    const list: unknown[] = [];
    const deferred: FunctionToolLike[] = [];
    const add = (bare: FunctionToolLike, tool?: FunctionToolLike): void => {
      list.push(bare);
      if (this.#loads && canBeLoaded(bare)) deferred.push(keep(bare, () => this.#defer(bare, tool)));
    };
    for (const tool of this.#given) {
      // An agent as a tool is known to the runner by its identity and has gates of its own inside.
      if (!isFunctionTool(tool) || tool.on !== undefined) list.push(tool);
      else
        add(
          keep(tool, () => this.#wrap(tool)),
          tool,
        );
    }
    for (const tool of [...this.#search, ...others])
      if (!names.has(tool.name)) add(keep(tool, () => this.#gateTool(tool)));
    list.push(...deferred);
    this.#others = others;
    this.#wrapped = wrapped;
    this.#listed = list;
    return list;
  }

  /** The user's tool with the gate between it and the runner; everything else about it stays as it is. */
  #wrap(tool: FunctionToolLike): FunctionToolLike {
    const between = gated(tool.name, tool, this.#calls);
    return copyOf(tool, this.#loads && canBeLoaded(tool) ? { ...between, deferLoading: false } : between);
  }

  /** The copy that the runner loads for a search; the model calls it by the same name, in a namespace of that name. */
  #defer(bare: FunctionToolLike, tool: FunctionToolLike | undefined): FunctionToolLike {
    const { name } = bare;
    const between = gated(name, tool, this.#calls, JSON.stringify(['deferred_top_level', name]));
    return copyOf(bare, { ...between, deferLoading: true });
  }

  /** A tool that only the gate knows: of one of its providers, or its search. */
  #gateTool(definition: ToolDefinition): FunctionToolLike {
    return {
      type: 'function',
      name: definition.name,
      description: definition.description ?? '',
      parameters: definition.inputSchema,
      strict: false,
      isEnabled: async () => true,
      ...gated(definition.name, undefined, this.#calls),
    };
  }
}

/** Tools of a namespace of the SDK, and agents, which it knows by identity, have no second copy: they are always shown. */
function canBeLoaded(tool: FunctionToolLike): boolean {
  return (
    tool.on === undefined &&
    !Object.getOwnPropertySymbols(tool).some(({ description }) => /namespace/i.test(description ?? ''))
  );
}

function copyOf(tool: FunctionToolLike, changes: object): FunctionToolLike {
  if (isPlain(tool)) return { ...tool, ...changes };
  const copy = Object.create(Object.getPrototypeOf(tool) as object, Object.getOwnPropertyDescriptors(tool)) as object;
  return Object.assign(copy, changes) as FunctionToolLike;
}

const plain = new WeakMap<FunctionToolLike, boolean>();

/** Whether spreading copies everything about a tool: it is an ordinary object with visible values only, as the SDK's are. */
function isPlain(tool: FunctionToolLike): boolean {
  const known = plain.get(tool);
  if (known !== undefined) return known;
  const answer =
    Object.getPrototypeOf(tool) === Object.prototype &&
    Reflect.ownKeys(tool).every((key) => {
      const { enumerable, writable } = Object.getOwnPropertyDescriptor(tool, key) as PropertyDescriptor;
      return enumerable === true && writable === true;
    });
  plain.set(tool, answer);
  return answer;
}

function areSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (one.length !== other.length) return false;
  for (let position = 0; position < one.length; position += 1) if (one[position] !== other[position]) return false;
  return true;
}
