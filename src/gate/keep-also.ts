import type { Message } from '../core/message.ts';
import { calledToolNames } from '../select/called-tools.ts';
import type { SelectionEntry, SelectionReport } from '../select/types.ts';
import type { ConversationSession } from './session.ts';

/**
 * A selection made earlier for the same user message, with what was found since and what was called, here or only in the messages.
 * The same report comes back when there is nothing to add.
 */
export function keepAlso(
  report: SelectionReport,
  session: ConversationSession,
  messages: readonly Message[],
): SelectionReport {
  let inMessages: ReadonlySet<string> | undefined;
  const isCalled = (name: string): boolean =>
    session.called.has(name) || (inMessages ??= calledToolNames(messages)).has(name);
  const isMissing = (entry: SelectionEntry): boolean =>
    !entry.kept && (session.found.has(entry.name) || isCalled(entry.name));
  if (!report.entries.some(isMissing)) return report;
  let shown = report.tokens.shown;
  const entries = report.entries.map((entry): SelectionEntry => {
    if (!isMissing(entry)) return entry;
    shown += entry.tokens;
    return { ...entry, kept: true, reason: isCalled(entry.name) ? 'called' : 'found' };
  });
  return { ...report, entries, tokens: { ...report.tokens, shown } };
}
