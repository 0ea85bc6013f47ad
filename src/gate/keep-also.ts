import type { SelectionEntry, SelectionReport } from '../select/types.ts';
import type { ConversationSession } from './session.ts';

/** A selection made earlier for the same user message, with what was found and called since. */
export function keepAlso(report: SelectionReport, session: ConversationSession): SelectionReport {
  let shown = report.tokens.shown;
  const entries = report.entries.map((entry): SelectionEntry => {
    if (entry.kept || !(session.found.has(entry.name) || session.called.has(entry.name))) return entry;
    shown += entry.tokens;
    return { ...entry, kept: true, reason: session.called.has(entry.name) ? 'called' : 'found' };
  });
  return { ...report, entries, tokens: { ...report.tokens, shown } };
}
