import { ToolgateError } from '../core/errors.ts';
import type { Message } from '../core/message.ts';
import type { Principal } from '../core/principal.ts';

/**
 * Keeps conversations. Everything written is a whole step: a reply with calls always comes together with one result for
 * each of them, so that the history is valid after every write. `principal` is whose conversation it is, where the host says so: two principals may
 * use one id, and neither may read the other's words.
 */
export interface AssistantMemory {
  load(conversation: string, principal?: Principal): Promise<readonly Message[]>;
  /**
   * Appends when the conversation has exactly `length` messages; false when another process was faster. Then nothing is
   * written, and the caller loads again.
   */
  append(conversation: string, length: number, messages: readonly Message[], principal?: Principal): Promise<boolean>;
}

/** Keeps conversations in this process, the `maximum` (default 10,000) most recently used ones. */
export function inProcessMemory(options?: { readonly maximum?: number }): AssistantMemory {
  const maximum = options?.maximum ?? 10_000;
  if (!Number.isInteger(maximum) || maximum < 1) {
    throw new ToolgateError('invalid-option', `maximum must be a whole number of at least 1, not ${String(maximum)}.`, {
      data: { option: 'maximum' },
    });
  }
  const conversations = new Map<string, readonly Message[]>();
  return {
    async load(conversation, principal) {
      return conversations.get(keyOf(conversation, principal)) ?? [];
    },
    async append(conversation, length, messages, principal) {
      const key = keyOf(conversation, principal);
      const current = conversations.get(key) ?? [];
      if (current.length !== length) return false;
      conversations.delete(key);
      conversations.set(key, [...current, ...messages]);
      if (conversations.size > maximum) {
        const oldest = conversations.keys().next();
        if (oldest.done !== true) conversations.delete(oldest.value);
      }
      return true;
    },
  };
}

function keyOf(conversation: string, principal: Principal | undefined): string {
  return JSON.stringify([principal?.tenant ?? '', principal?.id ?? '', conversation]);
}
