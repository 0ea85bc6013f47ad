import { canonicalJson } from '../core/canonical-json.ts';
import { replyIdOf } from '../core/call-identity.ts';
import { ToolCallConfirmationRequiredError, ToolgateError } from '../core/errors.ts';
import type { Reply } from '../core/message.ts';
import type { Outcome } from '../core/outcome.ts';
import { callContext, toolContext } from './call-context.ts';
import type { ReplyContext } from './call-context.ts';
import { checkEditable } from './check-editable.ts';
import { activatedTools, editNote, executionOf, preparedBehaviors } from './execution.ts';
import type { ManagerSetup } from './manager-options.ts';
import { cancelledOutcome, deniedOutcome, failedOutcome, respondedOutcome, unknownOutcome } from './outcomes.ts';
import { openPause, replyDigest, sealPause } from './pause-token.ts';
import { callName, prepareCall } from './prepare-call.ts';
import type { PreparedCall, PreparedRun } from './prepare-call.ts';
import type { ReplyIdentity } from './records.ts';
import { runAll } from './run-all.ts';
import { runCall } from './run-call.ts';
import type { ToolCallDecisions } from './tool-call-decisions.ts';
import type { ToolConversation, ToolExecution } from './types.ts';

/** Runs calls that were prepared and need nobody any more: free replies, with or without a store, and stateless resumptions. */
export async function runPrepared(
  setup: ManagerSetup,
  context: ReplyContext,
  identity: ReplyIdentity,
  prepared: readonly PreparedCall[],
  settled: ReadonlyMap<string, Outcome>,
  notes: ReadonlyMap<string, string>,
  suspended?: Map<string, ToolCallConfirmationRequiredError>,
): Promise<ToolExecution> {
  context.signal.throwIfAborted();
  const outcomes = await runAll(prepared, setup.concurrency, async (call): Promise<Outcome> => {
    const name = callName(call.call);
    const known = settled.get(name.key);
    if (known !== undefined) return known;
    if (call.kind === 'invalid' || call.kind === 'denied') return call.outcome;
    if (context.signal.aborted) return cancelledOutcome(name);
    const told = toolContext(setup, context, name, identity, 1);
    let outcome: Outcome;
    try {
      outcome = await runCall(name, call.tool, call.arguments, told, setup.telemetry, context.executor);
    } catch (error) {
      if (!(error instanceof ToolCallConfirmationRequiredError)) throw error;
      // Without a store nothing could go on from here, and running the tool again would do twice what its agent has done.
      if (suspended === undefined)
        return failedOutcome(name, 'an agent inside it waits for a decision, which needs a store here.');
      suspended.set(name.key, error);
      return unknownOutcome(name);
    }
    const note = notes.get(name.key);
    return note === undefined ? outcome : { ...outcome, note };
  });
  return executionOf(outcomes, preparedBehaviors(prepared), activatedTools(prepared));
}

/** The pause of a stateless manager: an error that says what waits, with the sealed state when there is a secret. */
export function statelessPause(
  setup: ManagerSetup,
  conversation: ToolConversation,
  reply: Reply,
  waiting: readonly PreparedRun[],
): ToolCallConfirmationRequiredError {
  const keys = waiting.map((call) => call.call.key);
  if (setup.sealing === undefined) return new ToolCallConfirmationRequiredError(keys);
  const now = setup.clock.now();
  const expiresAt = setup.expiresInMs === null ? null : now + setup.expiresInMs;
  const content = {
    pause: null,
    reply: replyDigest(reply),
    policyVersion: setup.policy.version,
    waiting: waiting.map((call) => [call.call.key, call.digest] as const),
  };
  return new ToolCallConfirmationRequiredError(keys, {
    expiresAt,
    token: sealPause(setup.sealing, conversation, content, now, expiresAt),
  });
}

/** Runs a reply as decided. All or nothing: every problem with the decisions is a typed error before anything runs. */
export async function executeDecided(
  setup: ManagerSetup,
  conversation: ToolConversation,
  context: ReplyContext,
  reply: Reply,
  prepared: readonly PreparedCall[],
  decisions: ToolCallDecisions,
): Promise<ToolExecution> {
  const asked = checkToken(setup, conversation, reply, decisions);
  checkKeys(prepared, decisions);
  if (asked !== undefined) checkBound(setup, prepared, asked);
  const settled = new Map<string, Outcome>();
  const notes = new Map<string, string>();
  const runnable: PreparedCall[] = [];
  for (const call of prepared) {
    const decision = decisions.decisions.get(call.call.key);
    const name = callName(call.call);
    let run: PreparedCall = call;
    if (call.kind === 'confirm' && decision !== undefined) {
      if (decision.type === 'deny') settled.set(name.key, deniedOutcome(name, decisions.by, decision.message));
      if (decision.type === 'respond') settled.set(name.key, respondedOutcome(name, decision, decisions.by));
      if (call.failed && decision.type === 'approve') {
        settled.set(name.key, deniedOutcome(name, 'policy', 'the policy could not be asked again before running'));
      } else if (decision.type === 'approve' && decision.arguments !== undefined) {
        const edited = await applyEdit(setup, context, call, decision.arguments);
        if (
          canonicalJson(edited.arguments, { mode: 'lenient' }) !== canonicalJson(call.arguments, { mode: 'lenient' })
        ) {
          notes.set(name.key, editNote(call.arguments, edited.arguments));
        }
        run = edited;
      }
    }
    runnable.push(run);
  }
  const identity: ReplyIdentity = {
    tenant: conversation.principal?.tenant ?? '',
    principal: conversation.principal?.id ?? '',
    conversation: conversation.id ?? '',
    replyId: replyIdOf(conversation.messages, reply),
  };
  return runPrepared(setup, context, identity, runnable, settled, notes);
}

function checkToken(
  setup: ManagerSetup,
  conversation: ToolConversation,
  reply: Reply,
  decisions: ToolCallDecisions,
): ReadonlyMap<string, string> | undefined {
  if (setup.sealing === undefined) return undefined;
  const content = openPause(setup.sealing, decisions.token ?? '', conversation, reply, setup.clock.now());
  return new Map(content.waiting);
}

function checkKeys(prepared: readonly PreparedCall[], decisions: ToolCallDecisions): void {
  const byKey = new Map(prepared.map((call) => [call.call.key, call]));
  for (const key of decisions.decisions.keys()) {
    const call = byKey.get(key);
    if (call === undefined) {
      throw new ToolgateError(
        'decision-unknown-key',
        `The reply has no call ${JSON.stringify(key)}. Its calls are ${[...byKey.keys()].join(', ')}. Nothing was run.`,
        {
          data: { key, known: [...byKey.keys()] },
        },
      );
    }
    // A call that was denied by policy or lost its tool in the meantime is settled with that; the decision is moot, not wrong.
    if (call.kind === 'free' || (call.kind === 'invalid' && call.tool !== undefined)) {
      throw new ToolgateError(
        'decision-not-needed',
        `The call ${JSON.stringify(key)} needs no decision. Nothing was run.`,
        { data: { key } },
      );
    }
  }
  const missing = prepared
    .filter((call) => call.kind === 'confirm' && !decisions.decisions.has(call.call.key))
    .map((call) => call.call.key);
  if (missing.length > 0) {
    throw new ToolgateError(
      'decision-missing',
      `There is no decision for ${missing.join(', ')}. Nothing was run; absence is never consent.`,
      { data: { keys: missing } },
    );
  }
}

/** What is decided must be what was asked: the same calls, each with the same tool, arguments and policy. */
function checkBound(setup: ManagerSetup, prepared: readonly PreparedCall[], asked: ReadonlyMap<string, string>): void {
  for (const call of prepared) {
    if (call.kind !== 'confirm') continue;
    const { key } = call.call;
    if (asked.get(key) === call.digest) continue;
    throw new ToolgateError(
      'decision-stale',
      `What would run as ${JSON.stringify(key)} is not what was asked: the tool, its schema, the policy or the arguments changed. Ask again.`,
      {
        data: { key, reason: 'changed', policyVersion: setup.policy.version },
      },
    );
  }
}

async function applyEdit(
  setup: ManagerSetup,
  context: ReplyContext,
  call: PreparedRun,
  input: unknown,
): Promise<PreparedRun> {
  const { key } = call.call;
  const refuse = (problem: string): ToolgateError =>
    new ToolgateError(
      'decision-invalid',
      `The edited arguments for ${JSON.stringify(key)} cannot be used: ${problem} Nothing was run.`,
      { data: { key } },
    );
  const edited = await prepareCall(
    call.call,
    call.tool,
    input,
    setup.policy,
    callContext(context, callName(call.call)),
  );
  if (edited.kind === 'invalid' || edited.kind === 'denied')
    throw refuse(edited.outcome.result.content[0]?.text ?? 'they do not fit.');
  if (edited.failed) throw refuse('the policy could not be asked about them.');
  const problem = checkEditable(call.demand, call.arguments, edited.arguments);
  if (problem !== undefined) throw refuse(problem);
  return edited;
}
