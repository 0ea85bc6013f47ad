import { isFinalCallState } from '../core/call-state.ts';
import type { ToolGate } from '../gate/types.ts';
import type { CallOrigin } from './ai-sdk-calls.ts';
import { approvalsOf } from './ai-sdk-messages.ts';
import type { SdkCallOptions } from './ai-sdk-tools.ts';
import { outcomeText } from './outcome-answer.ts';

/** A history that is ready to be sent, or what it still waits for. */
export interface CarriedDecisions<MESSAGES> {
  /** With one more tool message when nothing waits any more; else as given. */
  readonly messages: MESSAGES;
  /** Ids of the calls that nobody has decided yet. Ask the model only when there is none. */
  readonly waiting: readonly string[];
}

/** Writes what the store knows of the last reply's approval requests as the SDK's own approval responses. */
export async function withDecisions<MESSAGES extends SdkCallOptions['messages']>(
  gate: ToolGate,
  messages: MESSAGES,
  origin: CallOrigin,
): Promise<CarriedDecisions<MESSAGES>> {
  const waiting: string[] = [];
  const content: unknown[] = [];
  for (const { approvalId, call, approved } of approvalsOf(messages)) {
    if (approved !== undefined) continue;
    const pause = await gate.calls.find(call, { ...origin, messages: [] });
    const recorded = pause?.calls[0];
    if (recorded === undefined || recorded.state === 'awaiting') {
      waiting.push(call.toolCallId);
      continue;
    }
    // What has ended without running is told as a refusal; all else is fetched, or run, by the tool itself.
    const { outcome } = recorded;
    const refused =
      isFinalCallState(recorded.state) && outcome !== null && outcome.status !== 'responded' && !hasRun(outcome.status);
    content.push({
      type: 'tool-approval-response',
      approvalId,
      approved: !refused,
      ...(refused ? { reason: outcomeText(outcome) } : {}),
    });
  }
  if (waiting.length > 0 || content.length === 0) return { messages, waiting };
  return { messages: [...messages, { role: 'tool', content }] as unknown as MESSAGES, waiting };
}

function hasRun(status: string): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'unknown';
}
