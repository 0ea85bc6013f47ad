import { canonicalJson } from '../core/canonical-json.ts';
import type { Reply } from '../core/message.ts';
import type { Principal } from '../core/principal.ts';
import type { PreparedRun } from './prepare-call.ts';
import type { Proposal } from './propose-call.ts';
import type { ToolConversation } from './types.ts';

/** Checks older than this are made again, in milliseconds: a policy may answer differently by then. */
const goodFor = 5_000;

/** A reply of one call after its checks, which found that it may run. */
export interface CheckedReply {
  readonly reply: Reply;
  readonly prepared: PreparedRun;
}

/**
 * A proposal of a call that waits for nobody, with its checks inside, for frameworks that ask first and run a moment later. They are good for
 * one run of the very call that was proposed, by the same manager, in the same conversation and for the same principal, as long as nothing
 * that a policy may look at is another one. Whether the tool may still be called is for the manager to see.
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
      checked.recorded === wanted.recorded &&
      checked.text === wanted.text &&
      checked.principal === wanted.principal &&
      checked.conversation.id === wanted.conversation.id &&
      areSameMessages(checked.conversation.messages, wanted.conversation.messages) &&
      areSameValues(checked.conversation.attributes, wanted.conversation.attributes);
    return isSame && age >= 0 && age <= goodFor ? checked : undefined;
  }
}

/** A principal as a text, because its owner may change the object. */
export function principalText(principal: Principal | undefined): string {
  return principal === undefined ? '' : canonicalJson(principal, { mode: 'lenient' });
}

function areSameMessages(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one === other || one.length + other.length === 0;
}

function areSameValues(one: Readonly<Record<string, unknown>> = {}, other: typeof one = {}): boolean {
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && one[name] === other[name])
  );
}

/** What checks hold for. */
export interface CheckedFor {
  readonly manager: object;
  /** How often the manager had recorded a call by then: once it is recorded, only the record says whether it may run. */
  readonly recorded: number;
  /** Names the call, with its arguments. */
  readonly text: string | undefined;
  readonly conversation: ToolConversation;
  /** Names the principal, with all that is known of it. */
  readonly principal: string;
  readonly at: number;
}
