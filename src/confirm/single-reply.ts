import { canonicalJson } from '../core/canonical-json.ts';
import { digestText } from '../core/digest.ts';
import type { Reply } from '../core/message.ts';
import type { ToolConversation } from './types.ts';

/** A reply of one call, for callers that hand over single calls. Its id makes a repeated delivery recognisable. */
export function singleReply(
  call: {
    readonly toolCallId?: string | undefined;
    readonly toolName: string;
    readonly input: unknown;
    readonly replyId?: string | undefined;
  },
  conversation: ToolConversation,
): Reply {
  const toolCallId = call.toolCallId ?? '';
  const named = call.replyId ?? toolCallId;
  const id =
    named !== ''
      ? // The call is part of the id: another call that comes under a repeated id of a provider is another call.
        digestText(canonicalJson(['toolgate-single-1', named, call.toolName, call.input ?? null], { mode: 'lenient' }))
      : digestText(
          canonicalJson(['toolgate-single-2', conversation.messages, call.toolName, call.input ?? null], {
            mode: 'lenient',
          }),
        );
  return {
    role: 'assistant',
    id,
    content: [{ type: 'tool-call', toolCallId, toolName: call.toolName, input: call.input }],
  };
}
