import { ToolCallConfirmationRequiredError, ToolgateError } from '../core/errors.ts';
import type { Outcome } from '../core/outcome.ts';
import type { SingleCall } from '../confirm/manager.ts';
import type { GateCallOptions } from '../gate/single-calls.ts';
import type { ToolGate } from '../gate/types.ts';
import { argumentsToRun } from './framework-schema.ts';
import { copyJson, isSameJson } from './copy-json.ts';
import type { MastraCallContext, MastraHookContext } from './mastra-types.ts';
import { RecentByCall } from './recent-by-call.ts';
import type { CallOwner } from './recent-by-call.ts';
import { hasResult, outcomeText, outcomeValue } from './outcome-answer.ts';

/** What hooks need to hand calls to the gate. */
export interface MastraCallsParts {
  readonly gate: ToolGate;
  readonly hasStore: boolean;
  readonly placeOf: (context: MastraCallContext) => CallPlace;
  /** How the framework's tool parses its input; undefined for tools that only the gate knows, which it runs itself. */
  readonly parserOf: (toolName: string) => Parameters<typeof argumentsToRun>[0] | undefined;
}

/** Where a call stands. */
export interface CallPlace {
  readonly where: GateCallOptions;
  /** Whether its reply was read here, so that what its siblings need is known. */
  readonly isKnown: boolean;
  /** What the model wrote in place of JSON. */
  readonly brokenInput: string | undefined;
}

/** Takes the calls that Mastra runs to the gate and back. */
export interface MastraCalls {
  /** Claims the call, or answers in place of the tool, or suspends the run. */
  before(hook: MastraHookContext): Promise<{ proceed: false; output: never } | undefined>;
  /** Records how it ended. */
  after(hook: MastraHookContext): Promise<void>;
  /** Whether there is anything that a model must be told beside a result. */
  hasNotes(): boolean;
  /** What the model must be told beside the result; asked once. */
  noteOf(owner: CallOwner, toolCallId: string): string | undefined;
  /** Runs a tool of the gate. */
  run(toolName: string, input: unknown, context: unknown): Promise<unknown>;
}

interface StartedRun {
  readonly args: unknown;
  readonly end: (value: unknown) => void;
  readonly fail: (error: unknown) => void;
}

interface OpenCall extends StartedRun {
  readonly execution: Promise<Outcome>;
  readonly where: GateCallOptions;
  isSuspended: boolean;
}

export function createMastraCalls({ gate, hasStore, placeOf, parserOf }: MastraCallsParts): MastraCalls {
  const open = new WeakMap<object, OpenCall>();
  const notes = new RecentByCall<string>();
  let untold = 0;

  /** Gives the value of a call that has ended, or throws what the model is to read. */
  function answer(outcome: Outcome, where: GateCallOptions): unknown {
    if (!hasResult(outcome))
      throw new ToolgateError('not-permitted', outcomeText(outcome), {
        data: { action: 'execute', status: outcome.status },
      });
    noteFor(outcome, where);
    const found = outcome.result.meta?.['toolgate/found'];
    return Array.isArray(found) ? { text: outcomeText(outcome), toolgate: { found } } : outcomeValue(outcome);
  }

  function noteFor({ note, toolCallId }: Outcome, where: GateCallOptions): void {
    if (note === undefined) return;
    notes.set(where, toolCallId, note);
    untold += 1;
  }

  /** A reply that was not read here (a cached one, or one of another process): nobody knows its siblings, so a second delivery may come. */
  async function recordUnknown(call: SingleCall, { where, isKnown }: CallPlace): Promise<void> {
    if (hasStore && !isKnown) await gate.calls.propose(call, { ...where, record: 'all' });
  }

  async function suspend(call: SingleCall, context: MastraCallContext, error: unknown): Promise<undefined> {
    if (!(error instanceof ToolCallConfirmationRequiredError)) throw error;
    const { toolCallId, toolName, input: args } = call;
    if (!hasStore || context.suspend === undefined) {
      throw new ToolgateError(
        'not-permitted',
        hasStore
          ? 'Not executed. This call waits for the decision of a person, and nothing here can be suspended.'
          : 'Not executed. This call needs the decision of a person, and there is no store to keep it.',
        { data: { action: 'execute', status: null }, cause: error },
      );
    }
    await context.suspend(
      { toolgate: { pause: error.pause?.id ?? null } },
      { requireToolApproval: { toolCallId, toolName, args } },
    );
    return undefined;
  }

  async function run(toolName: string, input: unknown, context: unknown): Promise<unknown> {
    const own = contextOf(context);
    const place = placeOf(own);
    const { where } = place;
    const call = { toolCallId: own.toolCallId, toolName, input: place.brokenInput ?? input };
    let outcome: Outcome;
    try {
      await recordUnknown(call, place);
      outcome = await gate.calls.execute(call, where);
    } catch (error) {
      return await suspend(call, own, error);
    }
    return answer(outcome, where);
  }

  return {
    run,
    hasNotes: () => untold > 0,
    noteOf(owner, toolCallId) {
      const note = notes.get(owner, toolCallId);
      if (note === undefined) return undefined;
      notes.delete(owner, toolCallId);
      untold -= 1;
      return note;
    },
    async before({ toolName, input, context }) {
      const parser = parserOf(toolName);
      if (parser === undefined) return { proceed: false, output: (await run(toolName, input, context)) as never };
      const own = contextOf(context);
      const { toolCallId } = own;
      const place = placeOf(own);
      const { where } = place;
      const call = { toolCallId, toolName, input: place.brokenInput ?? copyJson(input) };
      await recordUnknown(call, place);
      let begin: (started: StartedRun) => void = () => undefined;
      const started = new Promise<StartedRun>((resolve) => {
        begin = resolve;
      });
      // The gate's run lasts from here to `after`: the claim is kept alive meanwhile, and the record is one path with all others.
      const execution = gate.calls.execute(call, {
        ...where,
        execute: async (args: unknown) =>
          await new Promise((end, fail) => {
            begin({ args, end, fail });
          }),
      });
      let first: StartedRun | Outcome;
      try {
        first = await Promise.race([started, execution]);
      } catch (error) {
        await suspend(call, own, error);
        return { proceed: false, output: undefined as never };
      }
      if ('status' in first) return { proceed: false, output: answer(first, where) as never };
      replaceArguments(input, await argumentsToRun(parser, call.input, first.args));
      const running: OpenCall = { ...first, execution, where, isSuspended: false };
      open.set(own, running);
      const { suspend: suspendTool } = own;
      if (suspendTool !== undefined) {
        own.suspend = async (...given) => {
          running.isSuspended = true;
          return await suspendTool(...given);
        };
      }
      return undefined;
    },
    async after({ context, output, error }) {
      const own = contextOf(context);
      const running = open.get(own);
      if (running === undefined) return;
      open.delete(own);
      // A tool that suspended itself has not ended; it is run again to go on.
      if (running.isSuspended) running.fail(new ToolCallConfirmationRequiredError([own.toolCallId ?? '']));
      else if (error !== undefined) running.fail(error);
      else running.end(output);
      try {
        noteFor(await running.execution, running.where);
      } catch (failure) {
        if (!(failure instanceof ToolCallConfirmationRequiredError)) throw failure;
      }
    },
  };
}

function contextOf(context: unknown): MastraCallContext {
  return typeof context === 'object' && context !== null ? (context as MastraCallContext) : {};
}

/** The framework runs the tool with the object it has, so what a person changed is put into that. */
function replaceArguments(input: unknown, effective: unknown): void {
  if (isSameJson(input, effective)) return;
  const areObjects = typeof input === 'object' && input !== null && typeof effective === 'object' && effective !== null;
  if (!areObjects || Array.isArray(input) !== Array.isArray(effective))
    throw new ToolgateError('decision-invalid', 'The arguments can only be changed within an object.', { data: {} });
  for (const key of Object.keys(input)) delete (input as Record<string, unknown>)[key];
  Object.assign(input, effective);
}
