import type { Outcome } from '../core/outcome.ts';
import type { ReturnBehavior } from '../core/tool.ts';
import { isReturnDirect, outcomeMessages, returnBehaviorOf } from './outcome-messages.ts';
import type { PreparedCall } from './prepare-call.ts';
import type { CallRecord } from './records.ts';
import type { ToolExecution } from './types.ts';

/** The result of a reply whose calls have all ended. */
export function executionOf(
  outcomes: readonly Outcome[],
  behaviors: ReadonlyMap<string, ReturnBehavior>,
  activated: readonly string[],
): ToolExecution {
  return {
    outcomes,
    messages: outcomeMessages(outcomes),
    returnDirect: isReturnDirect(outcomes, behaviors),
    activated,
  };
}

export function preparedBehaviors(prepared: readonly PreparedCall[]): ReadonlyMap<string, ReturnBehavior> {
  return new Map(prepared.map((call) => [call.call.key, returnBehaviorOf(call.tool)]));
}

export function recordedBehaviors(calls: readonly CallRecord[]): ReadonlyMap<string, ReturnBehavior> {
  return new Map(calls.map((call) => [call.key, call.returnBehavior]));
}

/** Names of hidden tools among the calls that are to be shown from now on. */
export function activatedTools(prepared: readonly PreparedCall[]): readonly string[] {
  const names = prepared
    .map((call) => ('activate' in call ? call.activate : undefined))
    .filter((name) => name !== undefined);
  return [...new Set(names)];
}

/** What the model is told when a person changed a call's arguments. */
export function editNote(proposed: unknown, effective: unknown): string {
  return (
    `A person changed the arguments before the call ran. Proposed: ${JSON.stringify(proposed)} ` +
    `Run with: ${JSON.stringify(effective)} The result below is of the changed call; do not run the original one.`
  );
}
