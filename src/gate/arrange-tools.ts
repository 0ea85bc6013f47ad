import type { Catalogue, RegisteredTool } from '../catalog/types.ts';
import { planShownTools } from '../select/budget.ts';
import type { WantedTool } from '../select/order.ts';
import type { SelectionEntry, SelectionReason, SelectionReport } from '../select/types.ts';
import type { ListedTools } from './list-tools.ts';
import type { ConversationSession } from './session.ts';

/** Reasons that hold for this call only: passing everything because nobody could be asked must not stay for ever. */
const passing: ReadonlySet<SelectionReason> = new Set(['fallback', 'kept-unasked', 'shadow']);
/** Reasons that no budget overrides. */
const protectedReasons: ReadonlySet<SelectionReason> = new Set([
  'always',
  'included',
  'direct',
  'called',
  'found',
  'forced',
  'pending',
]);

export interface Arrangement {
  /** What is shown, in order. */
  readonly tools: readonly RegisteredTool[];
  readonly names: ReadonlySet<string>;
  readonly report: SelectionReport;
  /** The list that was last made of it. */
  listed?: ListedTools;
}

/** What arranging needs beside the selection. */
export interface ArrangeOptions {
  readonly tokenBudget: number | undefined;
  readonly sticky: boolean;
  readonly isNewUserMessage: boolean;
}

/** Puts a selection behind what was shown before, keeps the budget, remembers the result in the session, and completes the report. */
export function arrangeTools(
  catalogue: Catalogue,
  report: SelectionReport,
  session: ConversationSession,
  options: ArrangeOptions,
): Arrangement {
  session.turn += 1;
  const entries = new Map(report.entries.map((entry) => [entry.name, entry]));
  const wanted: WantedTool[] = [];
  for (const entry of report.entries) {
    if (!entry.kept) continue;
    wanted.push({
      name: entry.name,
      tokens: entry.tokens,
      probability: entry.probability,
      isProtected:
        protectedReasons.has(entry.reason) || session.found.has(entry.name) || session.called.has(entry.name),
    });
  }
  const plan = planShownTools({
    shown: options.sticky ? session.shown : [],
    wanted,
    isAvailable: (name) => catalogue.get(name) !== undefined,
    tokenBudget: options.tokenBudget,
    isNewUserMessage: options.isNewUserMessage,
    turn: session.turn,
  });
  const shownNames = new Set(plan.shown.map(({ name }) => name));
  const evicted = new Set(plan.evicted);
  const overBudget = new Set(plan.overBudget);
  const before = new Set(session.shown.map(({ name }) => name));
  session.shown = plan.shown.filter(({ name }) => {
    const entry = entries.get(name);
    return before.has(name) || session.mode === 'skip' || entry === undefined || !passing.has(entry.reason);
  });

  const final = report.entries.map((entry): SelectionEntry => {
    if (shownNames.has(entry.name)) return entry.kept ? entry : { ...entry, kept: true, reason: 'shown' };
    if (evicted.has(entry.name)) return { ...entry, kept: false, reason: 'evicted' };
    if (overBudget.has(entry.name)) return { ...entry, kept: false, reason: 'budget' };
    return entry;
  });
  const notes = [...report.notes];
  if (evicted.size > 0)
    notes.push(`Taken out to keep the token budget, which starts the prompt cache anew: ${[...evicted].join(', ')}.`);
  if (overBudget.size > 0) notes.push(`Left out to keep the token budget: ${[...overBudget].join(', ')}.`);
  if (plan.gone.length > 0) notes.push(`No longer there: ${plan.gone.join(', ')}.`);
  return {
    tools: plan.shown.flatMap(({ name }) => catalogue.get(name) ?? []),
    names: shownNames,
    report: { ...report, entries: final, notes, tokens: { all: report.tokens.all, shown: plan.tokens } },
  };
}
