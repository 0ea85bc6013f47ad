import { ToolgateError } from '../core/errors.ts';
import type { Reply } from '../core/message.ts';
import type { Outcome } from '../core/outcome.ts';
import { toToolResult } from '../core/result.ts';
import { isPlainObject } from '../core/json.ts';
import { idempotencyKeyOf } from './call-context.ts';
import type { ReplyContext } from './call-context.ts';
import { callOf, claimCall, finishCall } from './claim-call.ts';
import type { HeldClaim } from './claim-call.ts';
import { replyIdentity, recordReply } from './execute-stored.ts';
import type { ManagerSetup } from './manager-options.ts';
import { readyToRun } from './run-recorded.ts';
import type { ConfirmationStore } from './store-port.ts';
import type { ToolCallDecisions } from './tool-call-decisions.ts';
import type { ToolConversation } from './types.ts';

/** The right to run one call once, in the hands of the host. Plain JSON. */
export interface HostClaim extends HeldClaim {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly idempotencyKey: string;
  /** Run with these, whatever was proposed. */
  readonly arguments: unknown;
  /** What the model is told beside the result, when a person changed the arguments. */
  readonly note?: string;
}

/** `run`: the host runs the call now and then calls `finish`. `settled`: it has an outcome and must not be run. */
export type ClaimAnswer =
  | { readonly type: 'run'; readonly claim: HostClaim }
  | { readonly type: 'settled'; readonly outcome: Outcome };

export async function claimForHost(
  setup: ManagerSetup,
  store: ConfirmationStore,
  conversation: ToolConversation,
  context: ReplyContext,
  reply: Reply,
  decisions: ToolCallDecisions | undefined,
): Promise<ClaimAnswer> {
  const identity = replyIdentity(conversation, reply);
  await recordReply(setup, store, conversation, context, reply, decisions);
  for (;;) {
    const state = await readyToRun(setup, store, context, identity);
    if ('execution' in state) {
      const outcome = state.execution.outcomes[0];
      if (outcome === undefined) throw new ToolgateError('internal', 'A single call came to no outcome.');
      return { type: 'settled', outcome };
    }
    const item = state.ready[0];
    if (item === undefined) continue;
    const { call, pause, check } = item;
    const taken = await claimCall(setup, store, pause.id, call.key, { pause, now: state.group.now });
    if (taken === undefined) continue;
    const note = check.note === undefined ? {} : { note: check.note };
    return {
      type: 'run',
      claim: {
        ...taken.claim,
        toolCallId: call.toolCallId,
        toolName: call.toolName,
        idempotencyKey: idempotencyKeyOf(identity, call.key),
        arguments: check.arguments,
        ...note,
      },
    };
  }
}

/** Records the host's result. A result with `isError`, or a thrown error, is a failure. */
export async function finishForHost(
  setup: ManagerSetup,
  store: ConfirmationStore,
  claim: HostClaim,
  value: unknown,
): Promise<Outcome> {
  const result =
    value instanceof Error ? { content: [{ type: 'text', text: value.message }], isError: true } : toToolResult(value);
  const outcome: Outcome = {
    key: claim.key,
    toolCallId: claim.toolCallId,
    toolName: claim.toolName,
    status: isPlainObject(result) && result['isError'] === true ? 'failed' : 'succeeded',
    result,
    ...(claim.note === undefined ? {} : { note: claim.note }),
  };
  const { pause } = await finishCall(setup, store, claim, outcome);
  const call = callOf(pause, claim.key);
  if (
    call?.fence === claim.fence &&
    (call.state === 'succeeded' || call.state === 'failed') &&
    call.outcome !== null &&
    call.late === null
  )
    return call.outcome;
  throw new ToolgateError(
    'claim-lost',
    `The claim on ${JSON.stringify(claim.key)} had ended before its result came. The result is recorded as late and not applied.`,
    {
      data: { key: claim.key, fence: claim.fence, current: call?.fence ?? null },
    },
  );
}
