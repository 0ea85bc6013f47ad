import { ToolgateError } from '../core/errors.ts';
import type { Message } from '../core/message.ts';

/**
 * Keeps conversations. Everything written is a whole step: a reply with calls always comes together with one result for
 * each of them, so that the history is valid after every write.
 */
export interface AssistantMemory {
  load(conversation: string): Promise<readonly Message[]>;
  /**
   * Appends when the conversation has exactly `length` messages; false when another process was faster. Then nothing is
   * written, and the caller loads again.
   */
  append(conversation: string, length: number, messages: readonly Message[]): Promise<boolean>;
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
    async load(conversation) {
      return conversations.get(conversation) ?? [];
    },
    async append(conversation, length, messages) {
      const current = conversations.get(conversation) ?? [];
      if (current.length !== length) return false;
      conversations.delete(conversation);
      conversations.set(conversation, [...current, ...messages]);
      if (conversations.size > maximum) {
        const oldest = conversations.keys().next();
        if (oldest.done !== true) conversations.delete(oldest.value);
      }
      return true;
    },
  };
}
