import type { Message } from '../core/message.ts';
import { calledToolNames } from '../select/called-tools.ts';
import type { SelectionEntry, SelectionReport } from '../select/types.ts';
import type { ConversationSession } from './session.ts';

/** A selection made earlier for the same user message, with what was found since and what was called, here or only in the messages. */
export function keepAlso(
  report: SelectionReport,
  session: ConversationSession,
  messages: readonly Message[],
): SelectionReport {
  const inMessages = calledToolNames(messages);
  const isCalled = (name: string): boolean => session.called.has(name) || inMessages.has(name);
  let shown = report.tokens.shown;
  const entries = report.entries.map((entry): SelectionEntry => {
    if (entry.kept || !(session.found.has(entry.name) || isCalled(entry.name))) return entry;
    shown += entry.tokens;
    return { ...entry, kept: true, reason: isCalled(entry.name) ? 'called' : 'found' };
  });
  return { ...report, entries, tokens: { ...report.tokens, shown } };
}
