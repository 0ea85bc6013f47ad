import type { Reply } from '../core/message.ts';
import type { PreparedCall } from './prepare-call.ts';
import type { Proposal } from './propose-call.ts';
import type { ToolConversation } from './types.ts';

/** Checks older than this are made again, in milliseconds: a policy may answer differently by then. */
const goodFor = 5_000;

/** A reply of one call after its checks. */
export interface CheckedReply {
  readonly reply: Reply;
  readonly prepared: readonly PreparedCall[];
}

/**
 * A proposal of a call that waits for nobody, with its checks inside, for frameworks that ask first and run a moment later. They are good for
 * one run of the very call that was proposed, by the same manager, in the same conversation and for the same principal.
 */
export class FreeProposal implements Proposal {
  readonly waits: boolean = false;
  #checked: (CheckedReply & CheckedFor) | undefined;

  constructor(checked: CheckedReply & CheckedFor) {
    this.#checked = checked;
  }

  /** Gives the checks, once. */
  static take(proposal: Proposal, wanted: CheckedFor): CheckedReply | undefined {
    if (Object(proposal) !== proposal || !(#checked in proposal)) return undefined;
    const checked = proposal.#checked;
    proposal.#checked = undefined;
    if (checked === undefined) return undefined;
    const age = wanted.at - checked.at;
    const isSame =
      checked.manager === wanted.manager &&
      checked.text === wanted.text &&
      checked.conversation.id === wanted.conversation.id &&
      checked.conversation.principal?.tenant === wanted.conversation.principal?.tenant &&
      checked.conversation.principal?.id === wanted.conversation.principal?.id;
    return isSame && age >= 0 && age <= goodFor ? checked : undefined;
  }
}

/** What checks hold for. */
export interface CheckedFor {
  readonly manager: object;
  /** Names the call, with its arguments. */
  readonly text: string | undefined;
  readonly conversation: ToolConversation;
  readonly at: number;
}
