import { expect } from 'vitest';
import { ToolCallConfirmationRequiredError, ToolgateError } from '../../src/core/errors.ts';
import type { Decision } from '../../src/core/decision.ts';
import type { Message, Reply } from '../../src/core/message.ts';
import type { Tool } from '../../src/core/tool.ts';
import { ToolCallingManager } from '../../src/confirm/manager.ts';
import type { ToolCallingManagerOptions } from '../../src/confirm/manager-options.ts';
import type { ConfirmationStore } from '../../src/confirm/store-port.ts';
import type { DecisionAnswer, ToolConversation, ToolExecution } from '../../src/confirm/types.ts';
import { memoryStore } from '../../src/stores/memory.ts';
import { manualClock } from '../../src/testing/manual-clock.ts';
import type { ManualClock } from '../../src/testing/manual-clock.ts';

/** Two people, a clock that stands still, a store and a manager. */
export interface World {
  readonly clock: ManualClock;
  readonly store: ConfirmationStore;
  readonly manager: ToolCallingManager;
  readonly conversation: ToolConversation;
  /** Another process on the same store. */
  readonly again: (options?: ToolCallingManagerOptions) => ToolCallingManager;
  /** Delivers the reply and expects that it waits; gives the pause's id and the keys that wait. */
  readonly pause: (
    reply: Reply,
    conversation?: Partial<ToolConversation>,
  ) => Promise<{ readonly id: string; readonly keys: readonly string[]; readonly token: string | undefined }>;
  readonly decide: (
    pauseId: string,
    decisions: Readonly<Record<string, Decision>>,
    by?: string,
  ) => Promise<readonly DecisionAnswer[]>;
  readonly execute: (reply: Reply, conversation?: Partial<ToolConversation>) => Promise<ToolExecution>;
}

export const user: readonly Message[] = [{ role: 'user', content: 'Please do it.' }];

export function world(tools: readonly Tool[], options: ToolCallingManagerOptions = {}): World {
  const clock = manualClock();
  const store = options.store ?? memoryStore({ clock });
  const full = { clock, store, tools, ...options };
  const manager = new ToolCallingManager(full);
  const conversation: ToolConversation = { id: 'c1', messages: user, tools, principal: { id: 'alice' } };
  return {
    clock,
    store,
    manager,
    conversation,
    again: (more) => new ToolCallingManager({ ...full, ...more }),
    async pause(reply, more) {
      const error = await failure(manager.executeToolCalls({ ...conversation, ...more }, reply));
      expect(error).toBeInstanceOf(ToolCallConfirmationRequiredError);
      const { toolCallIds, pause } = error as ToolCallConfirmationRequiredError;
      return { id: pause?.id ?? '', keys: toolCallIds, token: pause?.token };
    },
    decide: (pauseId, decisions, by = 'bob') =>
      manager.confirmations.decide(pauseId, decisions, { principal: { id: by }, via: 'page' }),
    execute: (reply, more) => manager.executeToolCalls({ ...conversation, ...more }, reply),
  };
}

/** The error with which a promise ends. */
export async function failure(promise: Promise<unknown>): Promise<ToolgateError> {
  try {
    await promise;
  } catch (error) {
    expect(error).toBeInstanceOf(ToolgateError);
    return error as ToolgateError;
  }
  throw new Error('It was expected to fail.');
}

export const statuses = (execution: ToolExecution): string[] => execution.outcomes.map(({ status }) => status);

/** What the model reads of each call. */
export function texts(execution: ToolExecution): string[] {
  return execution.outcomes.map(({ result }) => result.content.map((block) => block.text ?? '').join('\n'));
}
