import type { CallView, PauseView } from '../confirm/types.ts';
import { digestJson } from '../core/digest.ts';
import type { Decision } from '../core/decision.ts';
import type { Digest } from '../core/digest.ts';
import { errorMessage } from '../core/errors.ts';
import { isPlainObject } from '../core/json.ts';
import type { CallAnswer } from './call-answers.ts';

/** One decision of a form: for which call, what, and what the person saw. */
export interface FormDecision {
  readonly call: CallView;
  readonly decision: Decision & { readonly expected: Digest };
  readonly typed: NonNullable<CallAnswer['typed']>;
}

/** What a form says: decisions to hand on, and those that cannot be used with the reason. */
export interface FormDecisions {
  readonly decisions: readonly FormDecision[];
  readonly refused: readonly CallAnswer[];
  /** The form as a whole is unusable. */
  readonly problem?: string;
}

/**
 * Reads a posted form. A decision is what its button says and nothing else: no button, no decision. Each named call needs the
 * digest that its page showed.
 */
export function readDecisions(form: FormData, pause: PauseView): FormDecisions {
  const kind = text(form, 'decision');
  const positions = [...new Set(form.getAll('call').filter((value) => typeof value === 'string'))];
  if (positions.length === 0)
    return { decisions: [], refused: [], problem: 'No call was ticked. Nothing was decided.' };
  const decisions: FormDecision[] = [];
  const refused: CallAnswer[] = [];
  for (const position of positions) {
    const call = pause.calls.find((candidate) => String(candidate.position) === position);
    if (call === undefined)
      return { decisions: [], refused: [], problem: 'The form names a call that this request does not have.' };
    const expected = text(form, `digest-${position}`);
    if (expected === undefined)
      return { decisions: [], refused: [], problem: 'The form does not say what was seen. Load the page again.' };
    const read = readOne(form, kind, position, call);
    if (read === undefined)
      return { decisions: [], refused: [], problem: 'The form carries no decision that is known here.' };
    if ('problem' in read) {
      refused.push({
        position: call.position,
        answer: { answer: 'invalid', message: read.problem },
        typed: read.typed,
      });
    } else {
      decisions.push({ call, decision: { ...read.decision, expected: expected as Digest }, typed: read.typed });
    }
  }
  return { decisions, refused };
}

type Read =
  | { readonly decision: Decision; readonly typed: NonNullable<CallAnswer['typed']> }
  | { readonly problem: string; readonly typed: NonNullable<CallAnswer['typed']> };

function readOne(form: FormData, kind: string | undefined, position: string, call: CallView): Read | undefined {
  if (kind === 'approve') return { decision: { type: 'approve' }, typed: {} };
  if (kind === 'deny') {
    const message = (text(form, `message-${position}`) ?? text(form, 'message') ?? '').trim();
    return { decision: message === '' ? { type: 'deny' } : { type: 'deny', message }, typed: { message } };
  }
  if (kind === 'respond') {
    const result = text(form, `result-${position}`) ?? '';
    if (result.trim() === '')
      return { problem: 'The answer is empty. Write what the model shall read.', typed: { result } };
    return { decision: { type: 'respond', result }, typed: { result } };
  }
  if (kind === 'approve-edited') return readEdit(text(form, `arguments-${position}`) ?? '', call);
  return undefined;
}

function readEdit(typed: string, call: CallView): Read {
  let value: unknown;
  try {
    value = JSON.parse(typed);
  } catch (error) {
    return { problem: `The arguments are not JSON: ${errorMessage(error)}`, typed: { arguments: typed } };
  }
  if (!isPlainObject(value)) return { problem: 'The arguments must be a JSON object.', typed: { arguments: typed } };
  if (sameJson(value, call.proposedArguments)) return { decision: { type: 'approve' }, typed: {} };
  return { decision: { type: 'approve', arguments: value }, typed: { arguments: typed } };
}

function sameJson(left: unknown, right: unknown): boolean {
  try {
    return digestJson(left) === digestJson(right);
  } catch {
    return false;
  }
}

function text(form: FormData, name: string): string | undefined {
  const value = form.get(name);
  return typeof value === 'string' ? value : undefined;
}
