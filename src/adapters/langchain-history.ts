import type { ToolGate } from '../gate/types.ts';
import type { CallOrigin } from './langchain-calls.ts';
import { callsOfReply, toGateMessages } from './langchain-messages.ts';
import type { LangchainMessage } from './langchain-types.ts';
import { outcomeText } from './outcome-answer.ts';

/**
 * The history with an answer for every call that has none, because the user wrote something new in place of a decision. What
 * still waited is settled as superseded. Providers refuse a history with an open call, and LangChain would leave it so for ever.
 */
export async function answerOpenCalls(
  gate: ToolGate,
  messages: readonly LangchainMessage[],
  origin: CallOrigin,
  hasStore: boolean,
): Promise<readonly LangchainMessage[]> {
  const all: LangchainMessage[] = [];
  let settled = false;
  let added = false;
  for (const [position, message] of messages.entries()) {
    all.push(message);
    if (message.getType() !== 'ai' || (message.tool_calls?.length ?? 0) === 0) continue;
    const answered = answersAfter(messages, position);
    if (message.tool_calls?.every(({ id }) => answered.has(id ?? '')) === true) continue;
    for (const call of callsOfReply(message)) {
      if (answered.has(call.toolCallId)) continue;
      if (!settled && hasStore && origin.conversation !== undefined) {
        await gate.supersede(origin.conversation, origin.principal);
        settled = true;
      }
      const { conversation, principal } = origin;
      const before = toGateMessages(messages.slice(0, position));
      const recorded = await gate.calls.find(call, { conversation, principal, messages: before });
      const outcome = recorded?.calls[0]?.outcome ?? undefined;
      added = true;
      all.push({
        role: 'tool',
        content: outcome === undefined ? 'Not executed: a newer message came first.' : outcomeText(outcome),
        tool_call_id: call.toolCallId,
        name: call.toolName,
        status: 'error',
        getType: () => 'tool',
      } as unknown as LangchainMessage);
    }
  }
  return added ? all : messages;
}

function answersAfter(messages: readonly LangchainMessage[], position: number): ReadonlySet<string> {
  const answered = new Set<string>();
  for (let at = position + 1; at < messages.length; at += 1) {
    const message = messages[at] as LangchainMessage;
    if (message.getType() !== 'tool') break;
    answered.add(message.tool_call_id ?? '');
  }
  return answered;
}
