import { replyIdOf } from '../core/call-identity.ts';
import { ToolgateError } from '../core/errors.ts';
import type { ToolCallConfirmationRequiredError } from '../core/errors.ts';
import { nestedPause, recordSuspended } from './nested-pause.ts';
import type { Reply } from '../core/message.ts';
import type { ReplyContext } from './call-context.ts';
import { decideGroup } from './decide-group.ts';
import { auditFreeReply } from './free-audit.ts';
import { runPrepared } from './execute-stateless.ts';
import type { ManagerSetup } from './manager-options.ts';
import { activatedTools } from './execution.ts';
import { openPause } from './open-pause.ts';
import { openPause as openToken } from './pause-token.ts';
import { callsToRun, prepareReply } from './prepare-reply.ts';
import type { PreparedCall } from './prepare-call.ts';
import type { ReplyIdentity } from './records.ts';
import { groupOfOne, readGroup } from './reply-group.ts';
import type { ReplyGroup } from './reply-group.ts';
import { runRecorded } from './run-recorded.ts';
import { approveByRules } from './approve-by-rules.ts';
import type { ConfirmationStore } from './store-port.ts';
import type { ToolCallDecisions } from './tool-call-decisions.ts';
import type { ToolConversation, ToolExecution } from './types.ts';

/** Names a reply for ever. With a store a conversation id is required: without one, replies of different conversations could meet. */
export function replyIdentity(conversation: ToolConversation, reply: Reply): ReplyIdentity {
  if (conversation.id === undefined || conversation.id === '') {
    throw new ToolgateError(
      'invalid-option',
      'With a store a conversation needs an id, so that a call delivered again is recognised.',
      { data: { option: 'conversation.id' } },
    );
  }
  return {
    tenant: conversation.principal?.tenant ?? '',
    principal: conversation.principal?.id ?? '',
    conversation: conversation.id,
    replyId: replyIdOf(conversation.messages, reply),
  };
}

/** What became of a reply before anything of it runs. */
export type RecordedReply =
  | { readonly kind: 'recorded'; readonly activated: readonly string[]; readonly group?: ReplyGroup | undefined }
  /** Needs nobody, and only replies that wait are recorded. */
  | { readonly kind: 'free'; readonly prepared: readonly PreparedCall[] };

/** Attaches to what is recorded of a reply, with the decisions that came along, or records it when a call waits (or `all`). */
export async function recordReply(
  setup: ManagerSetup,
  store: ConfirmationStore,
  conversation: ToolConversation,
  context: ReplyContext,
  reply: Reply,
  decisions: ToolCallDecisions | undefined,
  record: 'waiting' | 'all' = 'all',
): Promise<RecordedReply> {
  const identity = replyIdentity(conversation, reply);
  if (decisions?.token !== undefined && setup.sealing !== undefined) {
    openToken(setup.sealing, decisions.token, conversation, reply, setup.clock.now());
  }
  const found = await store.find(identity);
  const recorded = await readGroup(store, identity, setup, found);
  if (decisions !== undefined) {
    if (recorded === undefined) {
      throw new ToolgateError(
        'pause-not-found',
        'No pause of this reply is stored, so there is nothing to decide. Nothing was run.',
        {
          data: { pause: decisions.pauseId ?? null },
        },
      );
    }
    await decideGroup(setup, store, recorded, decisions);
  }
  if (recorded !== undefined) return { kind: 'recorded', activated: [] };
  const prepared = await prepareReply(setup, context, callsToRun(reply));
  if (record === 'waiting' && !prepared.some((call) => call.kind === 'confirm')) return { kind: 'free', prepared };
  const write = await openPause(setup, context, reply, identity, prepared, found.now, 0);
  // False: another delivery of the same reply was faster, and its pause stands.
  const created = await store.create(write);
  const group = created ? groupOfOne(await approveByRules(setup, store, write.pause), found.now) : undefined;
  return { kind: 'recorded', activated: activatedTools(prepared), group };
}

/** Runs a reply with a store. */
export async function executeStored(
  setup: ManagerSetup,
  store: ConfirmationStore,
  conversation: ToolConversation,
  context: ReplyContext,
  reply: Reply,
  decisions: ToolCallDecisions | undefined,
): Promise<ToolExecution> {
  const identity = replyIdentity(conversation, reply);
  const recorded = await recordReply(setup, store, conversation, context, reply, decisions, setup.record);
  if (recorded.kind === 'free') return runFree(setup, store, context, reply, identity, recorded.prepared);
  const execution = await runRecorded(setup, store, context, identity, recorded.group);
  return { ...execution, activated: recorded.activated };
}

/** Runs a reply that needs nobody and is not recorded. */
export async function runFree(
  setup: ManagerSetup,
  store: ConfirmationStore,
  context: ReplyContext,
  reply: Reply,
  identity: ReplyIdentity,
  prepared: readonly PreparedCall[],
): Promise<ToolExecution> {
  // Before a tool can change its arguments.
  const digests = store.durable ? prepared.map((call) => ('digest' in call ? call.digest : null)) : [];
  const suspended = new Map<string, ToolCallConfirmationRequiredError>();
  const execution = await runPrepared(setup, context, identity, prepared, new Map(), new Map(), suspended);
  const [inner] = suspended;
  if (inner !== undefined) {
    await recordSuspended(setup, store, context, reply, identity, prepared, execution.outcomes, suspended);
    throw nestedPause(...inner);
  }
  auditFreeReply(setup, store, identity, prepared, digests, execution);
  return execution;
}
