import type { Tool } from '../core/tool.ts';
import type { ReplyCall } from './langchain-messages.ts';
import type { LangchainMessage, LangchainRuntime } from './langchain-types.ts';

/** One call of a reply with several, where the graph is about to run it. */
export interface HeldCall {
  readonly reply: LangchainMessage;
  readonly call: ReplyCall;
  readonly calls: readonly ReplyCall[];
  readonly history: readonly LangchainMessage[];
  readonly runtime: LangchainRuntime;
  /** As the framework knows it; undefined for the gate's own. */
  readonly tool: Tool | undefined;
}

/** The tools of calls, as far as they have come, by name. */
export type ToolsOfStep = ReadonlyMap<string, Tool | undefined>;

interface Step {
  readonly tools: Map<string, Tool | undefined>;
  readonly decided: Map<string, Promise<void>>;
}

/**
 * Lets the calls of one reply wait for each other without a node of the graph in front of them (which would cost every step a superstep and a
 * checkpoint). The graph runs them as tasks of one step, which share its signal. The first of them asks about all, in one interrupt; the
 * others end without an interrupt of their own and without a result, so that the graph starts all of them again when it is resumed. Whether
 * something waits is read from the store each time; what is shared here only spares asking twice.
 */
export class ReplyHold<HELD extends HeldCall> {
  readonly #steps = new WeakMap<object, Step>();
  readonly #decide: (held: HELD, tools: ToolsOfStep) => Promise<void>;

  /** `decide` comes back when no call of the reply waits any more, and interrupts till then. */
  constructor(decide: (held: HELD, tools: ToolsOfStep) => Promise<void>) {
    this.#decide = decide;
  }

  /** Comes back when no call of the reply waits any more. Throws what ends the task till then. */
  async pass(held: HELD): Promise<void> {
    const { reply, call, runtime, tool } = held;
    const step = this.#stepOf(runtime.signal);
    step.tools.set(call.toolName, tool);
    const id = reply.id ?? '';
    const isFirst = call.key === firstOpenKey(held);
    const decided = isFirst ? undefined : step.decided.get(id);
    // A call that comes before the first one, or without it, asks for itself.
    if (decided === undefined) {
      const own = this.#decide(held, step.tools);
      if (isFirst) step.decided.set(id, own);
      await own;
      return;
    }
    try {
      await decided;
    } catch (error) {
      // Where one task runs all calls, the first error is what counts: that of the call that asked.
      await soon();
      throw isBubble(error) ? withoutInterrupts(error) : error;
    }
  }

  #stepOf(signal: object | undefined): Step {
    const known = signal === undefined ? undefined : this.#steps.get(signal);
    if (known !== undefined) return known;
    const step: Step = { tools: new Map(), decided: new Map() };
    if (signal !== undefined) this.#steps.set(signal, step);
    return step;
  }
}

/** The calls that come in the same step have come. */
export async function soon(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve));
}

/** The first call of the reply without an answer. */
function firstOpenKey({ reply, history, calls }: HeldCall): string | undefined {
  const answered = new Set<string | undefined>();
  for (const message of history.slice(history.indexOf(reply) + 1))
    if (message.getType() === 'tool') answered.add(message.tool_call_id);
  return (calls.find(({ toolCallId }) => !answered.has(toolCallId)) ?? calls[0])?.key;
}

interface Bubble {
  readonly is_bubble_up: true;
  readonly interrupts?: readonly unknown[];
  readonly constructor: new (interrupts: readonly unknown[]) => unknown;
}

/** True for what LangGraph throws to end a task that has not failed. */
export function isBubble(error: unknown): error is Bubble {
  return (error as { readonly is_bubble_up?: unknown } | null | undefined)?.is_bubble_up === true;
}

/** The same kind of end with nothing to ask: the graph keeps the task open and shows nothing for it. */
function withoutInterrupts(error: Bubble): unknown {
  return error.interrupts === undefined ? error : new error.constructor([]);
}
