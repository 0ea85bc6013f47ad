import { ToolgateError } from '../core/errors.ts';
import { callOf } from './claim-call.ts';
import { decideCall } from './decide-call.ts';
import type { JudgedDecision } from './decide-call.ts';
import { judgeDecision } from './judge-decision.ts';
import type { ManagerSetup } from './manager-options.ts';
import { cancelledOutcome, resolvedOutcome, supersededOutcome } from './outcomes.ts';
import { mayExpire } from './apply-step.ts';
import type { CallStep } from './apply-step.ts';
import { pauseView } from './pause-view.ts';
import { readDecision } from './tool-call-decisions.ts';
import type { CallRecord, PauseRecord } from './records.ts';
import type { ConfirmationStore } from './store-port.ts';
import type { Confirmations, DecisionAnswer, PauseFilter } from './types.ts';
import { updatePause } from './update-pause.ts';
import type { CurrentPause, StepMaker } from './update-pause.ts';
import { waitForPause } from './wait-for-change.ts';
import type { DecisionMaker } from '../core/decision.ts';
import type { PauseView } from './types.ts';
import type { Principal } from '../core/principal.ts';

/** What an approver or operator may do. Deciding only records; the process that has the tools runs. */
export function confirmationsOf(setup: ManagerSetup): Confirmations {
  const need = (): ConfirmationStore => {
    if (setup.store !== undefined) return setup.store;
    throw new ToolgateError(
      'invalid-option',
      'This manager has no store, so nothing waits here. Give it one to list and decide what waits.',
      { data: { option: 'store' } },
    );
  };
  const update = (id: string, make: StepMaker, known?: CurrentPause): Promise<CurrentPause> =>
    updatePause(need(), id, make, { outbox: setup.outbox, known });

  return {
    async list(filter = {}) {
      const store = need();
      const query = toQuery(filter);
      const { value, now } = await store.list({ ...query, limit: query.limit + 1 });
      const items: PauseView[] = [];
      for (const pause of value.slice(0, query.limit)) {
        const due = pause.dueAt !== null && pause.dueAt <= now;
        items.push(pauseView(due ? (await update(pause.id, () => [])).pause : pause));
      }
      const last = items.at(-1);
      return value.length > query.limit && last !== undefined
        ? { items, next: `${last.createdAt}.${last.id}` }
        : { items };
    },

    async get(pauseId) {
      const { value, now } = await need().get(pauseId);
      if (value === undefined) return undefined;
      const due = value.dueAt !== null && value.dueAt <= now;
      return pauseView(due ? (await update(pauseId, () => [])).pause : value);
    },

    async decide(pauseId, decisions, by) {
      const known = await update(pauseId, () => []);
      const { pause } = known;
      const judged = new Map<string, JudgedDecision | DecisionAnswer>();
      for (const [key, value] of Object.entries(decisions)) judged.set(key, await judge(setup, pause, key, value, by));
      const answers = new Map<string, DecisionAnswer>();
      await update(
        pauseId,
        (current, now) => {
          const steps: CallStep[] = [];
          for (const [key, item] of judged) {
            if ('answer' in item) {
              answers.set(key, item);
              continue;
            }
            const { answer, step } = decideCall(callOf(current, key), key, item, now);
            answers.set(key, answer);
            if (step !== undefined) steps.push(step);
          }
          return steps;
        },
        known,
      );
      return [...answers.values()];
    },

    async wait(pauseId, options = {}) {
      const signal = options.signal ?? new AbortController().signal;
      await waitForPause(
        setup,
        need(),
        pauseId,
        options.timeoutMs ?? setup.waitMs,
        signal,
        (pause) => !pause.calls.some((call) => call.state === 'awaiting'),
      );
      return pauseView((await update(pauseId, () => [])).pause);
    },

    async cancel(pauseId, by, reason) {
      const { pause } = await update(pauseId, (current) =>
        current.calls
          .filter((call) => mayExpire(call.state))
          .map((call) => ({
            key: call.key,
            event: 'cancel' as const,
            set: { outcome: cancelledOutcome(call, by, reason) },
            audit: {
              kind: 'call-cancelled',
              key: call.key,
              body: { by: by.principal.id, via: by.via ?? null, was: call.state },
            },
          })),
      );
      return pauseView(pause);
    },

    async resolveUnknown(pauseId, key, resolution, by) {
      const store = need();
      const { pause } = await update(pauseId, () => []);
      const call = callOf(pause, key);
      if (call === undefined) {
        throw new ToolgateError('decision-unknown-key', `The pause has no call ${JSON.stringify(key)}.`, {
          data: { key, known: pause.calls.map((other) => other.key) },
        });
      }
      const judged = await judgeDecision(setup, pause, call, { type: 'approve' }, by);
      if (judged.notPermitted !== undefined)
        throw new ToolgateError('not-permitted', judged.notPermitted, { data: { action: 'resolve' } });
      if (resolution === 'run-again') {
        await releaseForRun(setup, store, pauseId, key, by);
      } else {
        await update(pauseId, (current) => {
          const now = callOf(current, key);
          if (now === undefined) return [];
          requireUnknown(now);
          return [
            {
              key,
              event: resolution === 'succeeded' ? 'mark-succeeded' : 'mark-failed',
              set: { outcome: resolvedOutcome(now, resolution, by), claim: null },
              audit: { kind: 'call-resolved', key, body: { by: by.principal.id, via: by.via ?? null, as: resolution } },
            },
          ];
        });
      }
      return pauseView((await update(pauseId, () => [])).pause);
    },
  };
}

/** Settles what has not run in all open pauses of a conversation, because a newer user message takes their place. Never touches a running call. Gives the pauses that were open. */
export async function supersede(
  setup: ManagerSetup,
  store: ConfirmationStore,
  conversation: { readonly id: string; readonly principal?: Principal | undefined },
): Promise<readonly PauseRecord[]> {
  const touched: PauseRecord[] = [];
  const query = {
    state: 'open' as const,
    tenant: conversation.principal?.tenant ?? '',
    principal: conversation.principal?.id ?? '',
    conversation: conversation.id,
    limit: 500,
  };
  const { value } = await store.list(query);
  for (const found of value) {
    const { pause } = await updatePause(
      store,
      found.id,
      (current) =>
        current.calls
          .filter((call) => mayExpire(call.state))
          .map((call) => ({
            key: call.key,
            event: 'supersede' as const,
            set: { outcome: supersededOutcome(call) },
            audit: { kind: 'call-superseded', key: call.key, body: { was: call.state } },
          })),
      { outbox: setup.outbox },
    );
    touched.push(pause);
  }
  return touched;
}

/** Lets the next delivery of an unknown call claim it again. It stays unknown until somebody does. */
async function releaseForRun(
  setup: ManagerSetup,
  store: ConfirmationStore,
  pauseId: string,
  key: string,
  by: DecisionMaker,
): Promise<void> {
  await updatePause(
    store,
    pauseId,
    (current) => {
      const call = callOf(current, key);
      if (call === undefined) return [];
      requireUnknown(call);
      return [
        {
          key,
          set: { runAgain: true },
          audit: { kind: 'call-run-again', key, body: { by: by.principal.id, via: by.via ?? null } },
        },
      ];
    },
    { outbox: setup.outbox },
  );
}

function requireUnknown(call: CallRecord): void {
  if (call.state === 'unknown') return;
  throw new ToolgateError(
    'illegal-transition',
    `The call ${JSON.stringify(call.key)} is ${call.state}, not unknown, so there is nothing to resolve.`,
    {
      data: { from: call.state, event: 'resolve' },
    },
  );
}

async function judge(
  setup: ManagerSetup,
  pause: PauseRecord,
  key: string,
  value: unknown,
  by: DecisionMaker,
): Promise<JudgedDecision | DecisionAnswer> {
  const call = callOf(pause, key);
  try {
    const decision = readDecision(key, value);
    const expected = (value as { readonly expected?: JudgedDecision['expected'] }).expected;
    if (call === undefined) return { decision, by };
    return await judgeDecision(setup, pause, call, expected === undefined ? decision : { ...decision, expected }, by);
  } catch (error) {
    return {
      key,
      answer: 'invalid',
      message: error instanceof ToolgateError ? error.message : 'The decision cannot be read.',
    };
  }
}

function toQuery(filter: PauseFilter): Parameters<ConfirmationStore['list']>[0] {
  const limit = filter.limit ?? 50;
  if (!Number.isInteger(limit) || limit < 1 || limit > 500) {
    throw new ToolgateError('invalid-option', `limit must be a whole number from 1 to 500; it is ${String(limit)}.`, {
      data: { option: 'limit' },
    });
  }
  const { cursor, limit: _, ...rest } = filter;
  if (cursor === undefined) return { ...rest, limit };
  const dot = cursor.indexOf('.');
  const createdAt = Number(cursor.slice(0, dot));
  if (dot < 1 || !Number.isFinite(createdAt)) {
    throw new ToolgateError('invalid-option', 'The cursor is not one that a list gave.', {
      data: { option: 'cursor' },
    });
  }
  return { ...rest, limit, before: { createdAt, id: cursor.slice(dot + 1) } };
}
