import { textResult } from '../core/result.ts';
import type { Outcome } from '../core/outcome.ts';
import type { RecordedDecision } from '../core/decision.ts';
import { applySteps } from './apply-step.ts';
import type { CallRecord, PauseRecord } from './records.ts';
import type { ConfirmationStore } from './store-port.ts';

/** Erases what a settled pause holds of arguments, results and messages. States, digests, names and the audit stay. False when somebody else changed it meanwhile. */
export async function erasePause(store: ConfirmationStore, pause: PauseRecord, now: number): Promise<boolean> {
  if (pause.state !== 'settled' || pause.erased) return false;
  const bare: PauseRecord = {
    ...pause,
    erased: true,
    reply: { role: 'assistant', ...(pause.reply.id === undefined ? {} : { id: pause.reply.id }), content: [] },
    calls: pause.calls.map(eraseCall),
  };
  const write = applySteps(bare, [], now, undefined, [{ kind: 'arguments-erased', key: null, body: {} }]);
  return store.change({ ...write, changed: pause.calls.map((_, index) => index) });
}

function eraseCall(call: CallRecord): CallRecord {
  return {
    ...call,
    input: null,
    proposed: null,
    preview: null,
    inputSchema: null,
    edited: call.edited === null ? null : { input: null },
    decision: call.decision === null ? null : eraseDecision(call.decision),
    approvals: call.approvals.map(eraseDecision),
    outcome: call.outcome === null ? null : eraseOutcome(call.outcome),
    late: call.late === null ? null : eraseOutcome(call.late),
  };
}

function eraseDecision(recorded: RecordedDecision): RecordedDecision {
  const { type } = recorded.decision;
  return { ...recorded, decision: type === 'respond' ? { type, result: 'erased' } : { type } };
}

function eraseOutcome(outcome: Outcome): Outcome {
  const { note: _, ...rest } = outcome;
  return { ...rest, result: textResult('The result was erased by the retention rule.') };
}
