import { replyIdOf } from '../core/call-identity.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { ToolgateError, errorMessage, isToolgateError } from '../core/errors.ts';
import { toolCallParts } from '../core/message.ts';
import type { Message, Reply } from '../core/message.ts';
import type { Principal } from '../core/principal.ts';
import type { AssistantMemory } from './memory.ts';

/** Whose conversation it is. Without an id it lives in this process alone. */
export interface HistoryOwner {
  readonly conversation?: string | undefined;
  readonly principal?: Principal | undefined;
}

/** How often results of calls that have run are offered to a memory that others write to at the same time. */
const mostTries = 10;

/** One conversation as this process knows it, and its memory. Only whole steps are written. */
export class History {
  readonly #memory: AssistantMemory | undefined;
  readonly #owner: HistoryOwner;
  #messages: readonly Message[];

  /** Without a memory, or without a conversation's id, nothing is written anywhere. */
  constructor(messages: readonly Message[], owner: HistoryOwner = {}, memory?: AssistantMemory) {
    this.#messages = [...messages];
    this.#owner = owner;
    this.#memory = owner.conversation === undefined ? undefined : memory;
  }

  /** Throws `store-failed`. */
  static async load(memory: AssistantMemory, owner: HistoryOwner): Promise<History> {
    const history = new History([], owner, memory);
    await history.#reload();
    return history;
  }

  get messages(): readonly Message[] {
    return this.#messages;
  }

  /** Throws `aborted` when somebody else has written meanwhile; then nothing was written. */
  async append(added: readonly Message[]): Promise<void> {
    if (!(await this.#write(added))) throw this.#conflict('load it and try again.');
  }

  /**
   * Appends a reply whose calls have run. What has run must not be lost: after a conflict it follows whatever others wrote. False
   * when it is there already, from another process that delivered the same.
   */
  async appendSettled(reply: Reply, replyId: string, results: readonly Message[]): Promise<boolean> {
    try {
      for (let tries = 0; tries < mostTries; tries += 1) {
        if (await this.#write([reply, ...results])) return true;
        await this.#reload();
        if (this.positionOf(reply, replyId) >= 0) return false;
      }
    } catch (error) {
      throw this.#failed(
        'append',
        `These calls had run, and their results are not in the history: ${ran(reply)}.`,
        error,
      );
    }
    throw this.#conflict(`these calls had run, and their results are not in the history: ${ran(reply)}.`);
  }

  /** Where a reply stands, or -1. Equal calls asked for at another point of the conversation are another reply. */
  positionOf(reply: Reply, replyId: string): number {
    const wanted = canonicalJson(reply.content, { mode: 'lenient' });
    return this.#messages.findLastIndex((message, index) => {
      if (message.role !== 'assistant' || canonicalJson(message.content, { mode: 'lenient' }) !== wanted) return false;
      if (reply.id !== undefined) return (message as Reply).id === reply.id;
      return replyIdOf(this.#messages.slice(0, index), reply) === replyId;
    });
  }

  async #write(added: readonly Message[]): Promise<boolean> {
    const { conversation, principal } = this.#owner;
    if (added.length === 0) return true;
    if (this.#memory !== undefined && conversation !== undefined) {
      try {
        if ((await this.#memory.append(conversation, this.#messages.length, added, principal)) !== true) return false;
      } catch (error) {
        throw this.#failed('append', 'Nothing is known to be written.', error);
      }
    }
    this.#messages = [...this.#messages, ...added];
    return true;
  }

  async #reload(): Promise<void> {
    const { conversation, principal } = this.#owner;
    if (this.#memory === undefined || conversation === undefined) return;
    let loaded: unknown;
    try {
      loaded = await this.#memory.load(conversation, principal);
    } catch (error) {
      throw this.#failed('load', 'Nothing was done.', error);
    }
    if (!Array.isArray(loaded)) throw this.#failed('load', 'It must give a list of messages.', undefined);
    this.#messages = [...(loaded as readonly Message[])];
  }

  #conflict(what: string): ToolgateError {
    const { conversation = '' } = this.#owner;
    return new ToolgateError(
      'aborted',
      `Another process has written to the conversation ${conversation} meanwhile; ${what}`,
      { data: { conversation } },
    );
  }

  #failed(operation: string, what: string, cause: unknown): ToolgateError {
    if (isToolgateError(cause) && cause.code !== 'store-failed') return cause;
    const { conversation = '' } = this.#owner;
    const why = cause === undefined ? '' : ` (${errorMessage(cause)})`;
    return new ToolgateError(
      'store-failed',
      `The memory's ${operation} of the conversation ${conversation} failed. ${what}${why}`,
      { data: { operation: `memory.${operation}`, conversation }, cause },
    );
  }
}

function ran(reply: Reply): string {
  return toolCallParts(reply)
    .map(({ toolName }) => toolName)
    .join(', ');
}
