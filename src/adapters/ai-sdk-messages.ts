import { isPlainObject } from '../core/json.ts';
import type { Message, MessagePart } from '../core/message.ts';
import type { SdkCallOptions } from './ai-sdk-tools.ts';

type SdkMessages = SdkCallOptions['messages'];

interface ApprovalPart extends MessagePart {
  readonly approvalId?: unknown;
  readonly approved?: unknown;
  readonly reason?: unknown;
}

/** An answer to an approval request that stands in a history, or in none yet. */
export interface HistoryApproval {
  readonly approvalId: string;
  readonly call: { readonly toolCallId: string; readonly toolName: string; readonly input: unknown };
  /** Absent: not answered. */
  readonly approved?: boolean;
  readonly reason?: string;
}

/** Approval requests of the last reply, with the answers that came after it. Only these can still make something run. */
export function approvalsOf(messages: SdkMessages): readonly HistoryApproval[] {
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  if (last < 0) return [];
  const reply = partsOf(messages[last]);
  const after = messages.slice(last + 1).flatMap((message) => (message.role === 'tool' ? partsOf(message) : []));
  const calls = new Map(reply.filter(({ type }) => type === 'tool-call').map((part) => [part.toolCallId, part]));
  const answers = new Map(
    after.filter(({ type }) => type === 'tool-approval-response').map((part) => [part.approvalId, part]),
  );
  const approvals: HistoryApproval[] = [];
  for (const part of reply) {
    if (part.type !== 'tool-approval-request' || typeof part.approvalId !== 'string') continue;
    const call = calls.get(part.toolCallId);
    if (call?.toolCallId === undefined || call.toolName === undefined || call.providerExecuted === true) continue;
    const answer = answers.get(part.approvalId);
    approvals.push({
      approvalId: part.approvalId,
      call: { toolCallId: call.toolCallId, toolName: call.toolName, input: call.input },
      ...(typeof answer?.approved === 'boolean' ? { approved: answer.approved } : {}),
      ...(typeof answer?.reason === 'string' ? { reason: answer.reason } : {}),
    });
  }
  return approvals;
}

/** The calls of the last reply. */
export function lastCalls(messages: SdkMessages): readonly HistoryApproval['call'][] {
  return partsOf(messages.findLast(({ role }) => role === 'assistant'))
    .filter((part) => part.type === 'tool-call' && part.providerExecuted !== true)
    .map(({ toolCallId, toolName, input }) => ({ toolCallId: toolCallId ?? '', toolName: toolName ?? '', input }));
}

/** Calls without a result, each with the place of the message that asked for it. */
export function unansweredCalls(
  messages: SdkMessages,
): readonly (HistoryApproval['call'] & { readonly position: number })[] {
  const answered = new Set<string | undefined>();
  for (const message of messages)
    if (message.role === 'tool' || message.role === 'assistant')
      for (const part of partsOf(message)) if (part.type === 'tool-result') answered.add(part.toolCallId);
  return messages.flatMap((message, position) =>
    message.role !== 'assistant'
      ? []
      : partsOf(message)
          .filter(
            (part) => part.type === 'tool-call' && part.providerExecuted !== true && !answered.has(part.toolCallId),
          )
          .map((part) => ({
            position,
            toolCallId: part.toolCallId ?? '',
            toolName: part.toolName ?? '',
            input: part.input,
          })),
  );
}

/**
 * The messages as the gate reads them. What a search found stands in the provider options of the result's output, where the SDK
 * lets a tool write; the gate looks for it at the result itself.
 */
export function toGateMessages(messages: SdkMessages, system: unknown): readonly Message[] {
  const before: readonly Message[] =
    typeof system === 'string' ? [{ role: 'system', content: system }] : isMessage(system) ? [system] : [];
  return [...before, ...messages.map(withFound)];
}

function isMessage(value: unknown): value is Message {
  return isPlainObject(value) && typeof value['role'] === 'string' && typeof value['content'] === 'string';
}

function withFound(message: SdkMessages[number]): Message {
  if (message.role !== 'tool' || !Array.isArray(message.content)) return message as Message;
  const content = (message.content as readonly MessagePart[]).map((part) => {
    const options = isPlainObject(part.output) ? part.output['providerOptions'] : undefined;
    return part.type === 'tool-result' && isPlainObject(options) && Object.hasOwn(options, 'toolgate')
      ? Object.assign({}, part, { providerOptions: { toolgate: options['toolgate'] } })
      : part;
  });
  return { role: message.role, content };
}

function partsOf(message: SdkMessages[number] | undefined): readonly ApprovalPart[] {
  return Array.isArray(message?.content) ? (message.content as readonly ApprovalPart[]) : [];
}
