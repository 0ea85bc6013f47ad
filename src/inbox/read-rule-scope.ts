import type { RuleScope } from '../confirm/standing-rules.ts';
import type { CallView } from '../confirm/types.ts';
import { isPlainObject } from '../core/json.ts';

/** How long a rule may live, in days, as the form offers it. */
export const ruleDays = [1, 7, 30, 90] as const;

const dayMs = 86_400_000;

/** What the form of a standing rule says. Arguments are named by position, because a model may put anything into a name. */
export interface RuleForm {
  readonly scope: RuleScope;
  /** Names of the arguments that may have any value. */
  readonly free: readonly string[];
  readonly anyArguments: boolean;
  readonly conversation: 'this' | 'all';
  readonly principal: 'caller' | 'everybody';
  readonly days: number;
}

/** Reads the fields of the form; what is missing or unknown means the narrower choice. */
export function readRuleForm(fields: URLSearchParams, call: CallView): RuleForm {
  const names = argumentNames(call);
  const chosen = new Set(fields.getAll('free'));
  const free = names.filter((_, position) => chosen.has(String(position)));
  const anyArguments = fields.get('arguments') === 'any';
  const conversation = fields.get('conversation') === 'all' ? 'all' : 'this';
  const principal = fields.get('principal') === 'everybody' ? 'everybody' : 'caller';
  const days = ruleDays.find((count) => String(count) === fields.get('days')) ?? 30;
  const byName = Object.fromEntries(free.map((name) => [name, 'any' as const]));
  const scope: RuleScope = {
    arguments: anyArguments ? 'any' : byName,
    conversation,
    principal,
    expiresInMs: days * dayMs,
  };
  return { scope, free, anyArguments, conversation, principal, days };
}

/** Top-level arguments of a call, in its order. */
export function argumentNames(call: CallView): readonly string[] {
  return isPlainObject(call.proposedArguments) ? Object.keys(call.proposedArguments) : [];
}
