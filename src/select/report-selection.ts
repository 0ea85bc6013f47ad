import { errorMessage } from '../core/errors.ts';
import type { ResolvedSelectionOptions } from './select-options.ts';
import type { Selection, SelectionDraft } from './selection.ts';

/** Tells the log, the trace and the caller's hook. None of them can change or break the selection. */
export function reportSelection(selection: Selection, draft: SelectionDraft, options: ResolvedSelectionOptions): void {
  const { logger, onSelection } = options;
  quietly(() => {
    if (draft.degraded)
      logger.warn(draft.notes.join(' '), { asked: draft.asked, failed: draft.failed, requests: draft.requests });
  });
  if (onSelection === undefined) return;
  try {
    // A hook that returns a promise after all must not end as an unhandled rejection.
    void Promise.resolve(onSelection(selection.report) as unknown).catch((error: unknown) => complain(options, error));
  } catch (error) {
    complain(options, error);
  }
}

function complain(options: ResolvedSelectionOptions, error: unknown): void {
  quietly(() => {
    options.logger.warn('onSelection failed; the selection stands.', { error: errorMessage(error) });
  });
}

function quietly(call: () => void): void {
  try {
    call();
  } catch {
    // Neither a logger nor a trace that fails has a place to say so.
  }
}
