import type { ReplyContext } from './call-context.ts';
import type { ManagerSetup } from './manager-options.ts';
import { openPause } from './open-pause.ts';
import { prepareReply } from './prepare-reply.ts';
import { inState } from './reply-group.ts';
import type { ReplyGroup } from './reply-group.ts';
import type { ConfirmationStore } from './store-port.ts';

/**
 * Puts the calls that went stale to a person anew: a pause of the next generation of the same reply, holding only them.
 * When another process is faster, its pause stands.
 */
export async function askAgain(
  setup: ManagerSetup,
  store: ConfirmationStore,
  context: ReplyContext,
  group: ReplyGroup,
): Promise<void> {
  const calls = inState(group, 'stale').map(({ call }) => ({
    key: call.key,
    part: { type: 'tool-call' as const, toolCallId: call.toolCallId, toolName: call.toolName, input: call.input },
  }));
  const { newest, now } = group;
  const prepared = await prepareReply(setup, { ...context, shown: undefined }, calls);
  await store.create(
    await openPause(setup, context, newest.reply, newest.identity, prepared, now, newest.generation + 1),
  );
}
