import type { ToolIndex } from '../../index/tool-index.ts';
import { messageText } from '../../core/message.ts';
import type { EvaluationTool } from '../types.ts';
import type { DraftCase } from './draft-cases.ts';

/** What a person is asked about one draft. */
export interface LabelQuestion {
  readonly draft: DraftCase;
  /** Counted from 1. */
  readonly number: number;
  readonly total: number;
  /** All tools, the called ones first, then by how well they match the last message. */
  readonly choices: readonly EvaluationTool[];
  /** Ids that are marked at first: what was called. */
  readonly marked: readonly string[];
}

/** What a person answered: the useful tools (none: no tool fits), not now, or enough. */
export type LabelAnswer = { readonly relevant: readonly string[] } | 'skip' | 'stop';

/** A labelled case in the form of `cases.jsonl`. */
export interface LabelledCase {
  readonly id: string;
  readonly kind: 'recorded';
  readonly messages: DraftCase['messages'];
  readonly relevant: readonly string[];
  readonly irrelevant?: true;
}

/** What came of labelling. */
export interface LabelSummary {
  readonly labelled: number;
  readonly skipped: number;
  /** Drafts that were labelled before. */
  readonly known: number;
  readonly stopped: boolean;
}

/**
 * Asks about every draft that has no label yet, and hands each label over at once, so that stopping loses nothing.
 * @param known ids that are labelled already
 */
export async function labelCases(
  drafts: readonly DraftCase[],
  tools: readonly EvaluationTool[],
  index: ToolIndex,
  known: ReadonlySet<string>,
  ask: (question: LabelQuestion) => Promise<LabelAnswer>,
  save: (labelled: LabelledCase) => Promise<void>,
): Promise<LabelSummary> {
  const open = drafts.filter((draft) => !known.has(draft.id));
  let labelled = 0;
  let skipped = 0;
  for (const [position, draft] of open.entries()) {
    const answer = await ask({
      draft,
      number: position + 1,
      total: open.length,
      choices: orderedChoices(draft, tools, index),
      marked: draft.called,
    });
    if (answer === 'stop') return { labelled, skipped, known: drafts.length - open.length, stopped: true };
    if (answer === 'skip') {
      skipped++;
      continue;
    }
    await save(toCase(draft, answer.relevant));
    labelled++;
  }
  return { labelled, skipped, known: drafts.length - open.length, stopped: false };
}

/** A draft with its label. */
export function toCase(draft: DraftCase, relevant: readonly string[]): LabelledCase {
  const { id, messages } = draft;
  return { id, kind: 'recorded', messages, relevant, ...(relevant.length === 0 ? { irrelevant: true } : {}) };
}

/** Called tools first, then those that match the last message, best first, then the rest in the catalogue's order. */
export function orderedChoices(
  draft: DraftCase,
  tools: readonly EvaluationTool[],
  index: ToolIndex,
): readonly EvaluationTool[] {
  const called = new Set(draft.called);
  const last = draft.messages.at(-1);
  const hits = last === undefined ? [] : index.search(messageText(last));
  const ordered = new Set<EvaluationTool>(tools.filter((tool) => called.has(tool.id)));
  for (const { ordinal } of hits) {
    const tool = tools[ordinal];
    if (tool !== undefined) ordered.add(tool);
  }
  for (const tool of tools) ordered.add(tool);
  return [...ordered];
}
