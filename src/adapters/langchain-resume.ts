import type { Decision } from '../core/decision.ts';
import { isPlainObject } from '../core/json.ts';
import type { ToolgateInterrupt, ToolgateResume } from './langchain-types.ts';

/** An interrupt as LangGraph reports it: in a result under `__interrupt__`, in a state under `tasks`. */
export interface LangchainInterrupt {
  readonly id?: string | undefined;
  readonly value?: unknown;
}

interface HasInterrupts {
  readonly __interrupt__?: readonly LangchainInterrupt[] | undefined;
  readonly tasks?:
    | readonly { readonly interrupts?: readonly LangchainInterrupt[] | undefined; readonly result?: unknown }[]
    | undefined;
}

/** This package's interrupts in a result of `invoke`, a chunk of `stream` or a state of `graph.getState`, with what waits. */
export function interruptsOf(
  from: object,
): readonly { readonly id: string | undefined; readonly value: ToolgateInterrupt }[] {
  const { __interrupt__: own, tasks } = from as HasInterrupts;
  // A task that has ended keeps the interrupt that it once had.
  const open = (tasks ?? []).filter(({ result }) => result === undefined);
  return [...(own ?? []), ...open.flatMap(({ interrupts }) => interrupts ?? [])].flatMap(({ id, value }) =>
    isPlainObject(value) && value['type'] === 'toolgate' && Array.isArray(value['calls'])
      ? [{ id, value: value as unknown as ToolgateInterrupt }]
      : [],
  );
}

/**
 * What goes on from the interrupts of a run: `new Command(resumption(result))`. With a store nothing else is needed: what is decided
 * there counts, and what is not decided interrupts again. `decisions`, by key, are for hosts that ask the person themselves; they count as said by
 * `decidedBy` of the middleware's options.
 */
export function resumption(
  from: object,
  decisions?: Readonly<Record<string, Decision>>,
): { resume: Record<string, ToolgateResume> | ToolgateResume } {
  const all = interruptsOf(from);
  const named = all.filter(({ id }) => id !== undefined);
  if (named.length === 0) return { resume: resumeOf(all, decisions) };
  return { resume: Object.fromEntries(named.map((one) => [one.id as string, resumeOf([one], decisions)])) };
}

function resumeOf(
  interrupts: readonly { readonly value: ToolgateInterrupt }[],
  decisions: Readonly<Record<string, Decision>> | undefined,
): ToolgateResume {
  if (decisions === undefined) return {};
  const calls = interrupts.flatMap(({ value }) => value.calls);
  const pauses = calls.flatMap(({ key, pause }) => (pause === undefined ? [] : [[key, pause.id] as const]));
  return pauses.length === 0 ? { decisions } : { decisions, pauses: Object.fromEntries(pauses) };
}
