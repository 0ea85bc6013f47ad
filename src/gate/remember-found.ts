import type { ToolExecution } from '../confirm/types.ts';
import type { Outcome } from '../core/outcome.ts';
import { foundOfResult, withFound } from './found-in-messages.ts';
import type { ConversationSession } from './session.ts';

/** What an outcome found. Only the gate's own search finds: the same entry in another tool's result is a stranger's. */
export function foundOfOutcome(outcome: Outcome, searchNames: ReadonlySet<string>): readonly string[] {
  return searchNames.has(outcome.toolName) ? foundOfResult(outcome.result) : [];
}

/** Keeps what an execution's searches found, in the session and in the messages, so that it survives a restart. */
export function rememberFound(
  execution: ToolExecution,
  session: ConversationSession,
  searchNames: ReadonlySet<string>,
): ToolExecution {
  for (const name of execution.activated) session.found.add(name);
  const found = new Map<number, readonly string[]>();
  execution.outcomes.forEach((outcome, position) => {
    const names = foundOfOutcome(outcome, searchNames);
    if (names.length === 0) return;
    found.set(position, names);
    for (const name of names) session.found.add(name);
  });
  return { ...execution, messages: withFound(execution.messages, found) };
}
