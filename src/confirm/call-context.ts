import type { ToolLookup } from '../catalog/types.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { digestText } from '../core/digest.ts';
import type { Message } from '../core/message.ts';
import type { Principal } from '../core/principal.ts';
import type { ToolCallContext, ToolContext } from '../core/tool.ts';
import type { ToolFinder } from './find-tool.ts';
import type { ManagerSetup } from './manager-options.ts';
import type { ReplyIdentity } from './records.ts';
import type { CallExecutor } from './run-call.ts';

/** All that is known about the circumstances of a reply while its calls are checked and run. */
export interface ReplyContext {
  readonly lookup: ToolLookup;
  readonly messages: readonly Message[];
  readonly conversation: string | undefined;
  readonly principal: Principal | undefined;
  readonly shown: ReadonlySet<string> | undefined;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly path: readonly string[];
  readonly signal: AbortSignal;
  readonly executor?: CallExecutor | undefined;
  readonly onProgress?: ProgressListener | undefined;
}

/** Hears what running tools report. */
export type ProgressListener = (
  key: string,
  update: { readonly progress: number; readonly total?: number; readonly message?: string },
) => void;

export function finderOf(setup: ManagerSetup, context: ReplyContext): ToolFinder {
  return {
    lookup: context.lookup,
    shown: context.shown,
    hidden: setup.hidden,
    principal: context.principal,
    wasKnown: setup.options.wasKnown,
    authorise: setup.options.authorise,
  };
}

export function callContext(
  context: ReplyContext,
  call: { readonly key: string; readonly toolCallId: string },
): ToolCallContext {
  return {
    key: call.key,
    toolCallId: call.toolCallId,
    conversation: context.conversation,
    principal: context.principal,
    messages: context.messages,
    attributes: context.attributes,
    signal: context.signal,
  };
}

/** What the running tool is told. The idempotency key is the same on every delivery of the same call. */
export function toolContext(
  setup: ManagerSetup,
  context: ReplyContext,
  call: { readonly key: string; readonly toolCallId: string },
  identity: ReplyIdentity,
  fence: number,
): ToolContext {
  let idempotencyKey: string | undefined;
  return {
    ...callContext(context, call),
    // Few tools look at it.
    get idempotencyKey() {
      idempotencyKey ??= idempotencyKeyOf(identity, call.key);
      return idempotencyKey;
    },
    fence,
    logger: setup.logger,
    progress(update) {
      try {
        context.onProgress?.(call.key, update);
      } catch {
        // Whoever listens must not be able to fail a running tool.
      }
    },
  };
}

/** A digest of the call's identity: equal on every delivery, unlike that of any other call. */
export function idempotencyKeyOf(identity: ReplyIdentity, key: string): string {
  const { tenant, principal, conversation, replyId } = identity;
  return digestText(canonicalJson(['toolgate-run-1', tenant, principal, conversation, replyId, key])).slice(7);
}
