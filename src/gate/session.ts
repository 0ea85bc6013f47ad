import type { Catalogue } from '../catalog/types.ts';
import type { Principal } from '../core/principal.ts';
import type { ShownTool } from '../select/order.ts';
import type { SelectionReport } from '../select/types.ts';
import type { Arrangement } from './arrange-tools.ts';

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
  /** The digest of the user message last seen, when that was a short text. */
  digested: { readonly content: string; readonly ordinal: number; readonly digest: string } | undefined;
  /** Decided once: whether this conversation asks at all. */
  mode: 'skip' | 'select' | undefined;
  /** How the model searches, as it was when the conversation began. */
  searchTools: Catalogue | undefined;
  /** The last selection, used again within one user message when no provider is dynamic. */
  selection: KeptSelection | undefined;
  /** The last arrangement of what is shown, used again while it would come out the same. */
  arrangement: KeptArrangement | undefined;
}

/** A selection, and how it reads when it is used again. */
export interface KeptSelection {
  readonly key: string;
  readonly report: SelectionReport;
  /** The report of the last use: the same object as long as nothing was added to it. */
  again?: SelectionReport;
}

/** An arrangement, and what it was made from. */
export interface KeptArrangement {
  readonly catalogue: Catalogue;
  readonly report: SelectionReport;
  readonly mode: ConversationSession['mode'];
  /** What the conversation had been shown before, and with it. */
  readonly before: readonly ShownTool[];
  readonly after: readonly ShownTool[];
  readonly made: Arrangement;
}

export function newSession(): ConversationSession {
  return {
    shown: [],
    found: new Set(),
    called: new Set(),
    turn: 0,
    userMessage: undefined,
    digested: undefined,
    mode: undefined,
    searchTools: undefined,
    selection: undefined,
    arrangement: undefined,
  };
}

/** Sessions that keep their last selection and arrangement: these hold an entry for each tool, and are made anew when they are missing. */
const mostKept = 256;

/** Sessions by tenant, principal and conversation; the least recently used one goes when there are too many. */
export class SessionTable {
  readonly #sessions = new Map<string, ConversationSession>();
  readonly #keeping = new Set<ConversationSession>();
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

  /** Keeps a selection for the next calls of the model; those of the sessions not used for longest go, and would be made anew. */
  keepSelection(session: ConversationSession, selection: KeptSelection): void {
    session.selection = selection;
    this.#touch(session);
  }

  /** Keeps an arrangement in the same way. */
  keepArrangement(session: ConversationSession, arrangement: KeptArrangement): void {
    session.arrangement = arrangement;
    this.#touch(session);
  }

  #touch(session: ConversationSession): void {
    this.#keeping.delete(session);
    this.#keeping.add(session);
    const oldest = this.#keeping.keys().next();
    if (this.#keeping.size <= mostKept || oldest.done === true) return;
    oldest.value.selection = undefined;
    oldest.value.arrangement = undefined;
    this.#keeping.delete(oldest.value);
  }

  get size(): number {
    return this.#sessions.size;
  }
}
