import type { RegisteredTool } from '../catalog/types.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { callContext, finderOf } from './call-context.ts';
import type { ReplyContext } from './call-context.ts';
import type { CallStep } from './apply-step.ts';
import { checkEditable } from './check-editable.ts';
import { editNote } from './execution.ts';
import { findTool } from './find-tool.ts';
import type { ManagerSetup } from './manager-options.ts';
import { deniedOutcome } from './outcomes.ts';
import { prepareCall } from './prepare-call.ts';
import type { CallRecord } from './records.ts';

/** What a recorded call would run with, or what has to happen to it instead. */
export type Recheck =
  | { readonly run: true; readonly tool: RegisteredTool; readonly arguments: unknown; readonly note?: string }
  | { readonly run: false; readonly step: CallStep };

/**
 * Asks everything once more, right before a call would run: is the tool still there and permitted, is it, its schema, the
 * policy and the arguments what was asked about, and what does the policy say now. Deny wins; a throw means not run; any
 * difference means: ask again.
 */
export async function recheckCall(setup: ManagerSetup, context: ReplyContext, call: CallRecord): Promise<Recheck> {
  const keyed = {
    key: call.key,
    part: { type: 'tool-call' as const, toolCallId: call.toolCallId, toolName: call.toolName, input: call.input },
  };
  // A call that was recorded stays callable, whatever is shown to the model now.
  const tool = await findTool(keyed, { ...finderOf(setup, context), shown: undefined });
  if ('kind' in tool) return instead(call, 'invalidate', 'tool-missing', { outcome: tool.outcome });
  // Nobody was asked about a free call, so there is nothing it could have become different from.
  const asked = call.state !== 'free';
  if (asked && tool.fingerprint !== call.fingerprint) return instead(call, 'outdate', 'tool-changed');
  const proposed = await prepareCall(keyed, tool, call.input, setup.policy, callContext(context, call));
  if (proposed.kind === 'invalid') {
    return asked
      ? instead(call, 'outdate', 'arguments-no-longer-fit')
      : instead(call, 'invalidate', 'arguments-no-longer-fit', { outcome: proposed.outcome });
  }
  if (proposed.kind === 'denied') return instead(call, 'forbid', 'policy', { outcome: proposed.outcome });
  if (asked && proposed.digest !== call.digest) return instead(call, 'outdate', 'policy-or-arguments-changed');
  // Free when proposed and in need of a person now: nobody has been asked yet.
  if (!asked && proposed.kind === 'confirm') return instead(call, 'outdate', 'policy-asks-now');
  if (proposed.failed) return refuseFailed(call);
  if (call.edited === null) return { run: true, tool, arguments: proposed.arguments };
  const edited = await prepareCall(keyed, tool, call.edited.input, setup.policy, callContext(context, call));
  if (edited.kind === 'denied') return instead(call, 'forbid', 'policy', { outcome: edited.outcome });
  // A faulty edit is the approver's affair and never reaches the model: ask again.
  if (edited.kind === 'invalid' || checkEditable(call.demand, proposed.arguments, edited.arguments) !== undefined) {
    return instead(call, 'outdate', 'edit-does-not-fit');
  }
  if (edited.failed) return refuseFailed(call);
  const same =
    canonicalJson([edited.arguments], { mode: 'lenient' }) === canonicalJson([proposed.arguments], { mode: 'lenient' });
  const note = same ? {} : { note: editNote(proposed.arguments, edited.arguments) };
  return { run: true, tool, arguments: edited.arguments, ...note };
}

function refuseFailed(call: CallRecord): Recheck {
  return instead(call, 'forbid', 'policy-failed', {
    outcome: deniedOutcome(call, 'policy', 'the policy could not be asked again before running'),
  });
}

function instead(
  call: CallRecord,
  event: 'invalidate' | 'outdate' | 'forbid',
  reason: string,
  set?: CallStep['set'],
): Recheck {
  const kind = event === 'outdate' ? 'call-stale' : event === 'forbid' ? 'call-denied' : 'call-invalid';
  return {
    run: false,
    step: {
      key: call.key,
      event,
      ...(set === undefined ? {} : { set }),
      audit: { kind, key: call.key, body: { reason, by: 'policy', was: call.state } },
    },
  };
}
