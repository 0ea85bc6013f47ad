import { ToolgateError } from '../core/errors.ts';
import type { Message } from '../core/message.ts';
import { calledToolNames } from './called-tools.ts';
import { settle } from './selection.ts';
import type { SelectionDraft } from './selection.ts';
import type { SelectionReason } from './types.ts';

/** The caller's tool choice: `required` means that some tool must be called, a name that this one must. */
export type SelectionToolChoice = 'auto' | 'none' | 'required' | { readonly tool: string };

/** Reasons for which a caller can pass tools without a question. */
export type PassReason = Extract<SelectionReason, 'direct' | 'found' | 'shown' | 'pending'>;

/** Whom no question is put about. */
export interface Passes {
  readonly messages: readonly Message[];
  readonly alwaysInclude: ReadonlySet<string>;
  readonly toolChoice: SelectionToolChoice | undefined;
  readonly passed: ReadonlyMap<string, PassReason> | undefined;
}

/**
 * Keeps, without a question, the tools that must pass: marked as always visible, named in `alwaysInclude`, forced, called in the
 * messages, and those the caller names. Throws `unknown-tool` for a forced tool that is not there, before anything is asked.
 */
export function passUnasked(draft: SelectionDraft, passes: Passes): void {
  const { alwaysInclude, passed, toolChoice } = passes;
  const called = calledToolNames(passes.messages);
  const forced = typeof toolChoice === 'object' ? toolChoice.tool : undefined;
  let forcedFound = false;
  const included = new Set<string>();
  draft.tools.forEach((tool, position) => {
    const { name } = tool;
    const isIncluded = alwaysInclude.size > 0 && alwaysInclude.has(name);
    if (isIncluded) included.add(name);
    if (name === forced) forcedFound = true;
    let reason: SelectionReason | undefined;
    if (tool.visibility === 'always') reason = 'always';
    else if (isIncluded) reason = 'included';
    else if (name === forced) reason = 'forced';
    else if (called.size > 0 && called.has(name)) reason = 'called';
    else reason = passed?.get(name);
    if (reason !== undefined) settle(draft, position, true, reason);
  });
  if (forced !== undefined && !forcedFound) {
    throw new ToolgateError(
      'unknown-tool',
      `The tool choice forces the tool ${JSON.stringify(forced)}, and there is no such tool here.`,
      {
        data: { tool: forced },
      },
    );
  }
  const missing = [...alwaysInclude].filter((name) => !included.has(name));
  if (missing.length > 0) draft.notes.push(`alwaysInclude names tools that are not there: ${missing.join(', ')}.`);
}
