import { canonicalJson } from '../core/canonical-json.ts';
import { digestText } from '../core/digest.ts';
import type { Reply } from '../core/message.ts';
import type { ToolConversation } from './types.ts';

/** A call that was handed over alone. */
interface LoneCall {
  readonly toolCallId?: string | undefined;
  readonly toolName: string;
  readonly input: unknown;
  readonly replyId?: string | undefined;
}

/** What names a call among all deliveries: equal for the same call delivered again. Undefined for one that came without an id. */
export function callText(call: LoneCall): string | undefined {
  const named = call.replyId ?? call.toolCallId ?? '';
  if (named === '') return undefined;
  // The call is part of it: another call that comes under a repeated id of a provider is another call.
  return canonicalJson(['toolgate-single-1', named, call.toolName, call.input ?? null], { mode: 'lenient' });
}

/** A reply of one call, for callers that hand over single calls. Its id makes a repeated delivery recognisable. */
export function singleReply(
  call: LoneCall,
  conversation: ToolConversation,
  text: string | undefined = callText(call),
): Reply {
  const { toolCallId = '', toolName, input } = call;
  const id = digestText(
    text ?? canonicalJson(['toolgate-single-2', conversation.messages, toolName, input ?? null], { mode: 'lenient' }),
  );
  return { role: 'assistant', id, content: [{ type: 'tool-call', toolCallId, toolName, input }] };
}
