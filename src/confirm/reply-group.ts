import { ToolCallConfirmationRequiredError } from '../core/errors.ts';
import type { CallState } from '../core/call-state.ts';
import { replyDigest, sealPause } from './pause-token.ts';
import type { ManagerSetup } from './manager-options.ts';
import type { CallRecord, PauseRecord, ReplyIdentity } from './records.ts';
import type { ConfirmationStore, Stamped } from './store-port.ts';
import { updatePause } from './update-pause.ts';

/** A call and the pause that holds its newest record. */
export interface GroupCall {
  readonly pause: PauseRecord;
  readonly call: CallRecord;
}

/** All that is recorded of one reply: each call in its newest generation, in the model's order. */
export interface ReplyGroup {
  readonly calls: readonly GroupCall[];
  readonly newest: PauseRecord;
  readonly now: number;
}

/** Reads the group with what is overdue settled; undefined when nothing is recorded. */
export async function readGroup(
  store: ConfirmationStore,
  identity: ReplyIdentity,
  setup: ManagerSetup,
  found?: Stamped<readonly PauseRecord[]>,
): Promise<ReplyGroup | undefined> {
  const { value, now } = found ?? (await store.find(identity));
  const pauses: PauseRecord[] = [];
  for (const pause of value) {
    const due = pause.dueAt !== null && pause.dueAt <= now;
    pauses.push(due ? (await updatePause(store, pause.id, () => [], { outbox: setup.outbox })).pause : pause);
  }
  return groupOf(pauses, now);
}

/** The group of all generations of a reply, oldest first. */
export function groupOf(pauses: readonly PauseRecord[], now: number): ReplyGroup | undefined {
  const newest = pauses.at(-1);
  if (newest === undefined) return undefined;
  const calls = new Map<string, GroupCall>();
  for (const pause of pauses) for (const call of pause.calls) calls.set(call.key, { pause, call });
  return { calls: [...calls.values()], newest, now };
}

/**
 * The group as far as one pause that was just read or written shows it: the whole group, unless one of its calls went stale
 * or the pause is itself a later generation. Saves the reading in the ordinary case.
 */
export function groupOfOne(pause: PauseRecord, now: number): ReplyGroup | undefined {
  const whole = pause.generation === 0 && !pause.calls.some((call) => call.state === 'stale');
  const due = pause.dueAt !== null && pause.dueAt <= now;
  return whole && !due ? groupOf([pause], now) : undefined;
}

/** The group's calls in one of the given states. */
export function inState(group: ReplyGroup, ...states: readonly CallState[]): readonly GroupCall[] {
  return group.calls.filter(({ call }) => states.includes(call.state));
}

/** Says which calls of the group wait, with the pause that holds them. */
export function groupPause(
  setup: ManagerSetup,
  group: ReplyGroup,
  waiting: readonly GroupCall[],
): ToolCallConfirmationRequiredError {
  const { pause } = waiting.at(-1) as GroupCall;
  const keys = waiting.map(({ call }) => call.key);
  const reference = { id: pause.id, expiresAt: pause.expiresAt };
  if (setup.sealing === undefined) return new ToolCallConfirmationRequiredError(keys, reference);
  const conversation = {
    id: pause.identity.conversation,
    messages: [],
    tools: [],
    principal: pause.principal ?? undefined,
  };
  const token = sealPause(
    setup.sealing,
    conversation,
    {
      pause: pause.id,
      reply: replyDigest(pause.reply),
      policyVersion: pause.policyVersion,
      waiting: waiting.map(({ call }) => [call.key, call.digest] as const),
    },
    group.now,
    pause.expiresAt,
  );
  return new ToolCallConfirmationRequiredError(keys, { ...reference, token });
}
