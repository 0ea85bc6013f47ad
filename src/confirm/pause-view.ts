import type { CallRecord, PauseRecord } from './records.ts';
import type { CallView, PauseView } from './types.ts';

/** A pause as lists and pages show it. */
export function pauseView(pause: PauseRecord): PauseView {
  return {
    id: pause.id,
    identity: pause.identity,
    generation: pause.generation,
    state: pause.state,
    createdAt: pause.createdAt,
    expiresAt: pause.expiresAt,
    policyVersion: pause.policyVersion,
    reply: pause.reply,
    path: pause.path,
    calls: pause.calls.map(callView),
  };
}

export function callView(call: CallRecord): CallView {
  return {
    key: call.key,
    position: call.position,
    toolCallId: call.toolCallId,
    toolName: call.toolName,
    server: call.server?.name ?? null,
    title: call.title,
    description: call.description,
    annotations: call.annotations,
    fingerprint: call.fingerprint,
    digest: call.digest,
    state: call.state,
    proposedArguments: call.proposed,
    effectiveArguments: call.edited === null ? call.proposed : call.edited.input,
    reason: call.reason,
    demand: call.demand,
    startedAt: call.startedAt,
    suspendedBy: call.suspendedBy,
    approvals: call.approvals,
    preview: call.preview,
    decision: call.decision,
    outcome: call.outcome,
  };
}
