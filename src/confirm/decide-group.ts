import { ToolgateError } from '../core/errors.ts';
import { decideCall } from './decide-call.ts';
import type { JudgedDecision } from './decide-call.ts';
import { judgeDecision } from './judge-decision.ts';
import { callOf } from './claim-call.ts';
import type { ManagerSetup } from './manager-options.ts';
import type { CallRecord } from './records.ts';
import type { GroupCall, ReplyGroup } from './reply-group.ts';
import type { ConfirmationStore } from './store-port.ts';
import { readDecision, sameDecision } from './tool-call-decisions.ts';
import type { ToolCallDecisions } from './tool-call-decisions.ts';
import type { DecisionAnswer } from './types.ts';
import { updatePause } from './update-pause.ts';

/**
 * Records the decisions that came with a reply, each on its own: a bad one never fails its neighbours. Afterwards the first
 * bad one is reported as its typed error, and nothing has run yet.
 */
export async function decideGroup(
  setup: ManagerSetup,
  store: ConfirmationStore,
  group: ReplyGroup,
  decisions: ToolCallDecisions,
): Promise<void> {
  const named = group.calls.find(({ pause }) => pause.id === decisions.pauseId)?.pause;
  if (decisions.pauseId !== undefined && named === undefined) {
    throw new ToolgateError(
      'pause-not-found',
      `The pause ${JSON.stringify(decisions.pauseId)} is not of this reply. Nothing was run.`,
      {
        data: { pause: decisions.pauseId },
      },
    );
  }
  const known = group.calls.map(({ call }) => call.key);
  const failures: ToolgateError[] = [];
  for (const [key, decision] of decisions.decisions) {
    const item = group.calls.find(({ call }) => call.key === key);
    if (item === undefined) {
      failures.push(
        new ToolgateError(
          'decision-unknown-key',
          `The reply has no call ${JSON.stringify(key)}. Its calls are ${known.join(', ')}. Nothing was run.`,
          { data: { key, known } },
        ),
      );
      continue;
    }
    // A set may be delivered again after the tool changed and the call was asked about anew: what was decided then says nothing of what is asked now.
    if (item.pause.generation > (named?.generation ?? 0)) {
      failures.push(
        new ToolgateError(
          'decision-stale',
          `The call ${JSON.stringify(key)} was asked about again in the pause ${JSON.stringify(item.pause.id)}, since its tool, its arguments or the policy changed. Decide it there, or give the set that pause's id. Nothing was run.`,
          { data: { key, reason: 'changed' } },
        ),
      );
      continue;
    }
    const judged = await judgeDecision(setup, item.pause, item.call, readDecision(key, decision), decisions.by);
    const { answer, call } = await decideOne(setup, store, item, judged);
    const failure = asError(answer, call, judged);
    if (failure !== undefined) failures.push(failure);
  }
  if (failures[0] !== undefined) throw failures[0];
}

async function decideOne(
  setup: ManagerSetup,
  store: ConfirmationStore,
  item: GroupCall,
  judged: JudgedDecision,
): Promise<{ readonly answer: DecisionAnswer; readonly call: CallRecord }> {
  const { key } = item.call;
  let answer: DecisionAnswer = { key, answer: 'unknown', message: 'This pause has no such call.' };
  const { pause } = await updatePause(
    store,
    item.pause.id,
    (pause, now) => {
      const decided = decideCall(callOf(pause, key), key, judged, now);
      ({ answer } = decided);
      return decided.step === undefined ? [] : [decided.step];
    },
    { outbox: setup.outbox },
  );
  return { answer, call: callOf(pause, key) ?? item.call };
}

function asError(answer: DecisionAnswer, call: CallRecord, judged: JudgedDecision): ToolgateError | undefined {
  const { key } = answer;
  switch (answer.answer) {
    case 'accepted':
      return undefined;
    case 'already-decided': {
      const first = call.decision?.decision;
      // Decided in the same way before, by whomever, or ended without a decision: the recorded outcome answers.
      if (answer.at === null || (first !== undefined && sameDecision(first, judged.decision))) return undefined;
      const by = answer.by?.principal.id ?? null;
      return new ToolgateError(
        'decision-conflict',
        `The call ${JSON.stringify(key)} was already decided otherwise${by === null ? '' : ` by ${by}`}; the first decision stands.`,
        {
          data: { key, by, at: answer.at },
        },
      );
    }
    case 'stale':
      return new ToolgateError('decision-stale', `${answer.message} (call ${JSON.stringify(key)})`, {
        data: { key, reason: 'changed' },
      });
    case 'not-permitted':
      return new ToolgateError('not-permitted', `${answer.message} (call ${JSON.stringify(key)})`, {
        data: { action: 'decide' },
      });
    case 'invalid':
      if (call.state === 'free' || call.state === 'invalid') {
        return new ToolgateError('decision-not-needed', `The call ${JSON.stringify(key)} needs no decision.`, {
          data: { key },
        });
      }
      return new ToolgateError('decision-invalid', `${answer.message} (call ${JSON.stringify(key)})`, {
        data: { key },
      });
    default:
      return new ToolgateError('decision-unknown-key', answer.message, { data: { key, known: [] } });
  }
}
