import type { PauseReference, ToolCallConfirmationRequiredError } from '../core/errors.ts';
import type { Reply } from '../core/message.ts';
import type { ReplyContext } from './call-context.ts';
import { statelessPause } from './execute-stateless.ts';
import { recordReply, replyIdentity } from './execute-stored.ts';
import type { ManagerSetup } from './manager-options.ts';
import { pauseView } from './pause-view.ts';
import type { PreparedCall, PreparedRun } from './prepare-call.ts';
import { callsToRun, prepareReply } from './prepare-reply.ts';
import { groupPause, inState, readGroup } from './reply-group.ts';
import type { PauseView, ToolConversation } from './types.ts';

/** Whether a call waits for a person, and in which pause. */
export interface Proposal {
  readonly waits: boolean;
  readonly pause?: PauseReference;
}

/** A proposal, and the checked calls when nobody has to be asked and nothing is recorded. */
export interface ProposedReply {
  readonly proposal: Proposal;
  readonly free?: readonly PreparedCall[];
}

/** All checks of a reply without running anything. With a store what waits is written before this resolves. */
export async function proposeReply(
  setup: ManagerSetup,
  conversation: ToolConversation,
  context: ReplyContext,
  reply: Reply,
  record: 'waiting' | 'all',
): Promise<ProposedReply> {
  if (setup.store === undefined) {
    const prepared = await prepareReply(setup, context, callsToRun(reply));
    const waiting = prepared.filter((call): call is PreparedRun => call.kind === 'confirm');
    if (waiting.length === 0) return { proposal: { waits: false }, free: prepared };
    return { proposal: proposal(statelessPause(setup, conversation, reply, waiting)) };
  }
  const recorded = await recordReply(setup, setup.store, conversation, context, reply, undefined, record);
  if (recorded.kind === 'free') return { proposal: { waits: false }, free: recorded.prepared };
  const group = await readGroup(setup.store, replyIdentity(conversation, reply), setup);
  const waiting = group === undefined ? [] : inState(group, 'awaiting');
  if (group === undefined || waiting.length === 0) return { proposal: { waits: false } };
  return { proposal: proposal(groupPause(setup, group, waiting)) };
}

function proposal({ pause }: ToolCallConfirmationRequiredError): Proposal {
  return pause === undefined ? { waits: true } : { waits: true, pause };
}

/** What is recorded of a reply; undefined when nothing is, or there is no store. */
export async function findReply(
  setup: ManagerSetup,
  conversation: ToolConversation,
  reply: Reply,
): Promise<PauseView | undefined> {
  if (setup.store === undefined) return undefined;
  const group = await readGroup(setup.store, replyIdentity(conversation, reply), setup);
  return group === undefined ? undefined : pauseView(group.newest);
}
