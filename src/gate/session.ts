import type { Principal } from '../core/principal.ts';
import type { ToolDefinition } from '../core/tool.ts';
import type { ShownTool } from '../select/order.ts';
import type { SelectionReport } from '../select/types.ts';

/** What the gate remembers of one conversation: enough to keep the shown list append-only and its modes steady. */
export interface ConversationSession {
  /** What was shown, in the order in which it was first shown. */
  shown: readonly ShownTool[];
  /** Names found by a search or activated by a call; they stay until the conversation ends. */
  readonly found: Set<string>;
  /** Names that were called. */
  readonly called: Set<string>;
  /** Counts calls of the model. */
  turn: number;
  /** Identifies the current user message. */
  userMessage: string | undefined;
  /** Decided once: whether this conversation asks at all. */
  mode: 'skip' | 'select' | undefined;
  /** How the model searches, as it was when the conversation began. */
  searchTools: readonly ToolDefinition[] | undefined;
  /** The last selection, used again within one user message when no provider is dynamic. */
  selection: { readonly key: string; readonly report: SelectionReport } | undefined;
}

export function newSession(): ConversationSession {
  return {
    shown: [],
    found: new Set(),
    called: new Set(),
    turn: 0,
    userMessage: undefined,
    mode: undefined,
    searchTools: undefined,
    selection: undefined,
  };
}

/** Sessions that keep their last selection: it holds an entry for each tool, and is of use within one user message only. */
const mostSelections = 256;

/** Sessions by tenant, principal and conversation; the least recently used one goes when there are too many. */
export class SessionTable {
  readonly #sessions = new Map<string, ConversationSession>();
  readonly #selected = new Set<ConversationSession>();
  readonly #maximum: number;

  constructor(maximum: number) {
    this.#maximum = maximum;
  }

  /** The conversation's session; a new one, kept by nobody, when there is no conversation. */
  of(conversation: string | undefined, principal: Principal | undefined): ConversationSession {
    if (conversation === undefined) return newSession();
    const key = JSON.stringify([principal?.tenant ?? '', principal?.id ?? '', conversation]);
    const session = this.#sessions.get(key) ?? newSession();
    this.#sessions.delete(key);
    this.#sessions.set(key, session);
    if (this.#sessions.size > this.#maximum) {
      const oldest = this.#sessions.keys().next();
      if (oldest.done !== true) this.#sessions.delete(oldest.value);
    }
    return session;
  }

  /** Keeps a selection for the next calls of the model; the ones not used for longest go, and would be made anew. */
  keepSelection(session: ConversationSession, selection: NonNullable<ConversationSession['selection']>): void {
    session.selection = selection;
    this.#selected.delete(session);
    this.#selected.add(session);
    const oldest = this.#selected.keys().next();
    if (this.#selected.size <= mostSelections || oldest.done === true) return;
    oldest.value.selection = undefined;
    this.#selected.delete(oldest.value);
  }

  get size(): number {
    return this.#sessions.size;
  }
}
