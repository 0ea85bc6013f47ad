import type { Decision, DecisionMaker } from '../core/decision.ts';
import type { Outcome, OutcomeStatus } from '../core/outcome.ts';
import { textResult, toToolResult } from '../core/result.ts';
import type { ArgumentIssue } from '../core/tool.ts';

/** The part of a call that an outcome names. */
export interface CallName {
  readonly key: string;
  readonly toolCallId: string;
  readonly toolName: string;
}

type By = DecisionMaker | 'policy';

function outcome(call: CallName, status: OutcomeStatus, text: string, by?: By | null): Outcome {
  return {
    key: call.key,
    toolCallId: call.toolCallId,
    toolName: call.toolName,
    status,
    ...(by === undefined || by === null ? {} : { by }),
    result: textResult(text, { isError: status !== 'responded' }),
  };
}

/** What the model reads when a person or the policy says no. Says so plainly, because a bare refusal makes models try again. */
export function deniedOutcome(call: CallName, by: By | null, reason?: string): Outcome {
  const who = by === 'policy' ? 'The policy' : 'A person';
  const why =
    reason === undefined || reason === '' ? 'No reason was given.' : `Reason given: ${JSON.stringify(reason)}`;
  return outcome(
    call,
    'denied',
    `Not executed. ${who} denied this call of ${call.toolName}. ${why} Do not repeat this call; ask the user or continue without it.`,
    by,
  );
}

/** For a call that was denied before in the same turn. */
export function repeatedDenialOutcome(call: CallName): Outcome {
  return outcome(
    call,
    'denied',
    `Not executed. A person has already denied this same call of ${call.toolName} in this turn, so nobody was asked again. ` +
      'Do not repeat it; ask the user or continue without it.',
    'policy',
  );
}

/** A person's answer in place of running the tool. */
export function respondedOutcome(
  call: CallName,
  decision: Extract<Decision, { type: 'respond' }>,
  by: By | null,
): Outcome {
  return { ...outcome(call, 'responded', '', by), result: toToolResult(decision.result) };
}

export function invalidArgumentsOutcome(call: CallName, issues: readonly ArgumentIssue[]): Outcome {
  // Each message is a sentence of its own, with or without its full stop; the list ends with one.
  const list = issues
    .map((issue) => `${issue.path === '' ? 'arguments' : issue.path}: ${issue.message.replace(/\.$/, '')}`)
    .join('; ');
  return outcome(
    call,
    'invalid',
    `Not executed. The arguments of ${call.toolName} do not fit its schema: ${list}. Correct them and call again.`,
  );
}

/** For a name that nobody knows, and exactly alike for a tool this caller may not use. */
export function unknownToolOutcome(call: CallName, available: readonly string[]): Outcome {
  const shown = available.slice(0, 30);
  const more = available.length > shown.length ? ` and ${available.length - shown.length} more` : '';
  const list = shown.length === 0 ? 'No tools are available.' : `Available tools: ${shown.join(', ')}${more}.`;
  // Some models leak their own wrapper for parallel calls as if it were a tool, and repeat it when they are only told that it is unknown.
  const hint = /^multi_tool_use\b|[._]parallel$/i.test(call.toolName)
    ? ' Call the inner tools directly, each as a call of its own.'
    : '';
  return outcome(
    call,
    'invalid',
    `Not executed. There is no tool named ${JSON.stringify(call.toolName)}.${hint} ${list}`,
  );
}

export function goneToolOutcome(call: CallName): Outcome {
  return outcome(
    call,
    'invalid',
    `Not executed. The tool ${JSON.stringify(call.toolName)} existed earlier and is not available now. Continue without it or look for another one.`,
  );
}

/** For a tool that exists and was not shown: the model gets what it needs to call it properly. */
export function activatedOutcome(call: CallName, definition: unknown): Outcome {
  return outcome(
    call,
    'invalid',
    `Not executed. ${call.toolName} was not among the tools shown, and is from now on. Its definition: ${JSON.stringify(definition)} Call it again with arguments that fit.`,
  );
}

export function hiddenToolOutcome(call: CallName): Outcome {
  return outcome(
    call,
    'invalid',
    `Not executed. ${call.toolName} is not among the tools shown to you. Search for it with the tool search first, then call it.`,
  );
}

export function expiredOutcome(call: CallName): Outcome {
  return outcome(
    call,
    'expired',
    `Not executed. Nobody decided about this call of ${call.toolName} in time. This is not a refusal: ask again if it is still needed.`,
  );
}

export function supersededOutcome(call: CallName): Outcome {
  return outcome(
    call,
    'superseded',
    `Not executed. A newer message took the place of this call of ${call.toolName} before anybody decided about it.`,
  );
}

export function cancelledOutcome(call: CallName, by?: By | null, reason?: string): Outcome {
  const why = reason === undefined || reason === '' ? '' : ` Reason given: ${JSON.stringify(reason)}`;
  return outcome(call, 'cancelled', `Not executed. This call of ${call.toolName} was cancelled.${why}`, by);
}

export function unknownOutcome(call: CallName): Outcome {
  return outcome(
    call,
    'unknown',
    `This call of ${call.toolName} was started, and it is not known how it ended: it may or may not have taken effect. ` +
      'Do not repeat it; a person has to check.',
  );
}

export function failedOutcome(call: CallName, message: string): Outcome {
  return outcome(call, 'failed', `The tool ${call.toolName} failed: ${message}`);
}

/** What a person says of a call whose end was unknown. */
export function resolvedOutcome(call: CallName, how: 'succeeded' | 'failed', by: DecisionMaker): Outcome {
  const text =
    how === 'succeeded'
      ? 'was checked by a person: it took effect.'
      : 'was checked by a person: it did not take effect.';
  return {
    ...outcome(call, how, `This call of ${call.toolName} ${text}`, by),
    result: textResult(`This call of ${call.toolName} ${text}`, { isError: how === 'failed' }),
  };
}
