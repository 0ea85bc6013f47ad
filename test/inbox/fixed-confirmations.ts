import type { CallView, Confirmations, DecisionAnswer, PauseView } from '../../src/confirm/types.ts';
import { nextCallState } from '../../src/core/call-state.ts';
import type { CallEvent, CallState } from '../../src/core/call-state.ts';
import { digestJson } from '../../src/core/digest.ts';
import { textResult } from '../../src/core/result.ts';
import type { Outcome, OutcomeStatus } from '../../src/core/outcome.ts';

/** Calls in any state one wants to see, for tests of how pages look. What deciding does is tested with the real manager. */
export function fixedConfirmations(pauses: PauseView[]): Confirmations {
  const change = (id: string, key: string, changed: Partial<CallView>): void => {
    const at = pauses.findIndex((pause) => pause.id === id);
    const pause = pauses[at] as PauseView;
    pauses[at] = { ...pause, calls: pause.calls.map((call) => (call.key === key ? { ...call, ...changed } : call)) };
  };
  const confirmations: Confirmations = {
    list: async (filter) => ({
      items: pauses
        .filter((pause) => filter?.tenant === undefined || pause.identity.tenant === filter.tenant)
        .filter((pause) => filter?.state === undefined || pause.state === filter.state)
        .filter(
          (pause) =>
            filter?.callStates === undefined || pause.calls.some((call) => filter.callStates?.includes(call.state)),
        )
        .slice(0, filter?.limit ?? 50),
    }),
    get: async (id) => pauses.find((pause) => pause.id === id),
    decide: async (id, decisions, by) => {
      const pause = pauses.find((candidate) => candidate.id === id) as PauseView;
      return Object.entries(decisions).map(([key, decision]): DecisionAnswer => {
        const call = pause.calls.find((candidate) => candidate.key === key);
        if (call === undefined) return { key, answer: 'unknown', message: 'No such call.' };
        const event: CallEvent = decision.type;
        const state = nextCallState(call.state, event);
        if (state === undefined) {
          return {
            key,
            answer: 'already-decided',
            state: call.state,
            by: call.decision?.by ?? null,
            at: call.decision?.at ?? null,
          };
        }
        change(id, key, { state, decision: { decision, by, at: 1_000 } });
        return { key, answer: 'accepted', state };
      });
    },
    wait: async (id) => pauses.find((pause) => pause.id === id) as PauseView,
    cancel: async (id) => pauses.find((pause) => pause.id === id) as PauseView,
    resolveUnknown: async (id) => pauses.find((pause) => pause.id === id) as PauseView,
  };
  return confirmations;
}

/** A call as a page sees it. */
export function callView(position: number, toolName: string, args: unknown, more: Partial<CallView> = {}): CallView {
  const state: CallState = more.state ?? 'awaiting';
  const toolCallId = `call_${position}`;
  return {
    key: `${position}.${toolCallId}`,
    position,
    toolCallId,
    toolName,
    server: null,
    title: null,
    description: null,
    annotations: null,
    fingerprint: digestJson([toolName]),
    digest: digestJson([toolName, position]),
    proposedArguments: args,
    effectiveArguments: args,
    reason: null,
    demand: null,
    startedAt: null,
    approvals: [],
    preview: null,
    decision: null,
    outcome: null,
    ...more,
    state,
  };
}

export function outcome(call: string, status: OutcomeStatus, text: string): Outcome {
  return { key: call, toolCallId: call, toolName: call, status, result: textResult(text) };
}

export function pauseView(id: string, calls: readonly CallView[], more: Partial<PauseView> = {}): PauseView {
  return {
    id,
    generation: 0,
    identity: { tenant: '', principal: 'support-bot', conversation: 'ticket 8841', replyId: `reply-${id}` },
    state: 'open',
    createdAt: 0,
    expiresAt: null,
    policyVersion: '1',
    path: [],
    reply: { role: 'assistant', content: [] },
    calls,
    ...more,
  };
}
