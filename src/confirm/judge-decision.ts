import type { Decision, DecisionMaker } from '../core/decision.ts';
import type { Digest } from '../core/digest.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { isPlainObject } from '../core/json.ts';
import { errorMessage } from '../core/errors.ts';
import { callContext } from './call-context.ts';
import { checkEditable } from './check-editable.ts';
import type { JudgedDecision } from './decide-call.ts';
import type { ManagerSetup } from './manager-options.ts';
import { callView, pauseView } from './pause-view.ts';
import { prepareCall } from './prepare-call.ts';
import type { CallRecord, PauseRecord } from './records.ts';
import { storedJson } from './stored-json.ts';
import { defaultLookup } from './tool-lookup.ts';

/** Answers what about a decision needs asking outside: may this person decide, and do edited arguments fit. Done before the write, since none of it depends on what may change. */
export async function judgeDecision(
  setup: ManagerSetup,
  pause: PauseRecord,
  call: CallRecord,
  decision: Decision & { readonly expected?: Digest },
  by: DecisionMaker | null,
): Promise<JudgedDecision> {
  const { expected } = decision;
  const base = { decision: withoutExpected(decision), expected, by };
  const notPermitted = await refusal(setup, pause, call, by);
  if (notPermitted !== undefined) return { ...base, notPermitted };
  if (decision.type !== 'approve' || decision.arguments === undefined || call.state !== 'awaiting') return base;
  const invalid = await problemOfEdit(setup, pause, call, decision.arguments);
  return invalid === undefined ? base : { ...base, invalid };
}

function withoutExpected(decision: Decision & { readonly expected?: Digest }): Decision {
  const { expected: _, ...rest } = decision;
  return rest as Decision;
}

async function refusal(
  setup: ManagerSetup,
  pause: PauseRecord,
  call: CallRecord,
  by: DecisionMaker | null,
): Promise<string | undefined> {
  // No maker: the host's own program, which holds the store anyway.
  if (by === null) return undefined;
  const { tenant, principal } = pause.identity;
  if ((by.principal.tenant ?? '') !== tenant) return 'This call belongs to another tenant.';
  const approver = call.demand?.approver ?? setup.approver;
  if (approver === 'not-caller' && pause.principal !== null && by.principal.id === principal) {
    return 'Whoever asked for a call cannot decide it.';
  }
  const { canDecide } = setup.options;
  if (canDecide === undefined) return undefined;
  try {
    if (Object.is(await canDecide(by, pauseView(pause), callView(call)), true)) return undefined;
  } catch (error) {
    setup.logger.warn('canDecide failed, which counts as no.', {
      pause: pause.id,
      key: call.key,
      error: errorMessage(error),
    });
  }
  return 'You are not among those who may decide this call.';
}

async function problemOfEdit(
  setup: ManagerSetup,
  pause: PauseRecord,
  call: CallRecord,
  input: unknown,
): Promise<string | undefined> {
  const lookup = await defaultLookup(setup);
  const tool = lookup?.get(call.toolName);
  // Without the tool at hand the edit is checked where it would run, and asked again there when it does not fit.
  if (tool === undefined || tool.fingerprint !== call.fingerprint)
    return unusable(checkEditable(call.demand, call.proposed, input));
  const context = {
    conversation: pause.identity.conversation,
    principal: pause.principal ?? undefined,
    messages: [],
    attributes: {},
    signal: new AbortController().signal,
  };
  const keyed = {
    key: call.key,
    part: { type: 'tool-call' as const, toolCallId: call.toolCallId, toolName: call.toolName, input },
  };
  const prepared = await prepareCall(
    keyed,
    tool,
    input,
    setup.policy,
    callContext({ ...context, lookup: { get: () => tool }, shown: undefined, path: [] }, call),
  );
  if (prepared.kind === 'invalid' || prepared.kind === 'denied') {
    return unusable(prepared.outcome.result.content[0]?.text ?? 'they do not fit.');
  }
  if (tool.tool.parse === undefined) {
    const coerced = coercedArgument(input, prepared.arguments);
    if (coerced !== undefined) return unusable(coerced);
  }
  return unusable(checkEditable(call.demand, call.proposed, storedJson(prepared.arguments)));
}

/** A model's `"5"` for a number is read as 5; a person who edits is told instead, so that what is shown is what runs. */
function coercedArgument(input: unknown, parsed: unknown): string | undefined {
  if (!isPlainObject(input) || !isPlainObject(parsed)) return undefined;
  for (const [name, value] of Object.entries(input)) {
    if (!Object.hasOwn(parsed, name)) continue;
    const [given, read] = [value, parsed[name]].map((part) => canonicalJson([part], { mode: 'lenient' }).slice(1, -1));
    if (given !== read) return `${JSON.stringify(name)} is ${given} and would be read as ${read}. Write it so.`;
  }
  return undefined;
}

function unusable(problem: string | undefined): string | undefined {
  return problem === undefined ? undefined : `The edited arguments cannot be used: ${problem}`;
}
