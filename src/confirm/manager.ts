import { ToolCallConfirmationRequiredError, ToolgateError } from '../core/errors.ts';
import type { Message, Reply } from '../core/message.ts';
import type { Outcome } from '../core/outcome.ts';
import { finderOf } from './call-context.ts';
import type { ReplyContext, ProgressListener } from './call-context.ts';
import { findTool } from './find-tool.ts';
import { FreeProposal, principalText } from './free-proposal.ts';
import type { CheckedFor, CheckedReply } from './free-proposal.ts';
import { claimForHost, finishForHost } from './claim-for-host.ts';
import type { ClaimAnswer, HostClaim } from './claim-for-host.ts';
import { confirmationsOf, supersede } from './confirmations.ts';
import { executeDecided, runPrepared, statelessPause } from './execute-stateless.ts';
import { executeStored, replyIdentity, runFree } from './execute-stored.ts';
import { flushFreeAudit } from './free-audit.ts';
import { setUpManager } from './manager-options.ts';
import type { ManagerSetup, ToolCallingManagerOptions, ToolsInput } from './manager-options.ts';
import { outcomeMessages } from './outcome-messages.ts';
import { pauseView } from './pause-view.ts';
import { findReply, proposeReply } from './propose-call.ts';
import type { Proposal } from './propose-call.ts';
import { groupOfOne } from './reply-group.ts';
import type { PreparedRun } from './prepare-call.ts';
import { callsToRun, prepareReply } from './prepare-reply.ts';
import type { ReplyIdentity } from './records.ts';
import type { CallExecutor } from './run-call.ts';
import { runRecorded } from './run-recorded.ts';
import { callText, singleReply } from './single-reply.ts';
import { standingRulesOf } from './standing-rules.ts';
import type { StandingRules } from './standing-rules.ts';
import type { ConfirmationStore } from './store-port.ts';
import { startSweeping, sweep } from './sweep.ts';
import type { SweepReport } from './sweep.ts';
import type { ToolCallDecisions } from './tool-call-decisions.ts';
import { defaultLookup, lookupOf } from './tool-lookup.ts';
import type { Confirmations, PauseView, ToolConversation, ToolExecution } from './types.ts';
import { requirePause } from './update-pause.ts';

/** How calls are run, beside the tools' own ways. */
export interface ExecuteOptions {
  /** Runs each call in place of the tool's own `execute`. */
  readonly execute?: CallExecutor | undefined;
  readonly onProgress?: ProgressListener | undefined;
}

/** One call as frameworks and gateways hand it over. */
export interface SingleCall {
  readonly toolCallId?: string | undefined;
  readonly toolName: string;
  readonly input: unknown;
  /** Names the delivery: the same id and call again attach to the first. Default: `toolCallId`, else a digest of messages and call. */
  readonly replyId?: string | undefined;
}

export interface SingleCallOptions extends ExecuteOptions {
  readonly conversation: ToolConversation;
  readonly decisions?: ToolCallDecisions | undefined;
  /** For `propose`: `all` records the call although it waits for nobody, because a call beside it does. Default: as of the manager. */
  readonly record?: 'waiting' | 'all' | undefined;
  /**
   * For `executeToolCall`: what `propose` gave for this very call a moment ago. When it waited for nobody its checks count for this run,
   * once and for a few seconds; otherwise they are made again.
   */
  readonly proposal?: Proposal | undefined;
}

export interface ResumeOptions extends ExecuteOptions {
  /** Where the calls' tools are. Default: the tools the manager was made with. */
  readonly tools?: ToolsInput | undefined;
  /** Messages before the reply, for tools and policies that look at them. Default none. */
  readonly messages?: readonly Message[] | undefined;
  readonly attributes?: Readonly<Record<string, unknown>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs the tool calls of a model's reply: checks them all, asks the policy, pauses when one needs a person, runs each
 * call at most once (with a store), and gives one outcome for each, in order. (Spring AI: `ToolCallingManager`.)
 */
export class ToolCallingManager {
  /** What waits, and deciding about it. Needs a store. */
  readonly confirmations: Confirmations;
  /** Approvals given in advance. Needs a store. */
  readonly rules: StandingRules;
  readonly #setup: ManagerSetup;
  /** How often something was recorded. */
  #recorded = 0;

  /** Throws `invalid-option`. */
  constructor(options: ToolCallingManagerOptions = {}) {
    this.#setup = setUpManager(options);
    this.confirmations = confirmationsOf(this.#setup);
    this.rules = standingRulesOf(this.#setup);
  }

  /** Part of what approvals are bound to. */
  get policyVersion(): string {
    return this.#setup.policy.version;
  }

  /**
   * Runs a reply. Throws {@link ToolCallConfirmationRequiredError} when calls wait; with their decisions the same reply is
   * executed again. Without a store a set of decisions is all or nothing; with one each is recorded on its own, and a
   * reply delivered again gives what is recorded. Other errors: `decision-*`, `token-*`, `pause-not-found`, `call-running`,
   * `not-permitted`, `store-failed`; none of them leaves a call half decided.
   */
  async executeToolCalls(
    conversation: ToolConversation,
    reply: Reply,
    decisions?: ToolCallDecisions,
    options: ExecuteOptions = {},
  ): Promise<ToolExecution> {
    const setup = this.#setup;
    const calls = callsToRun(reply);
    const context = contextOf(conversation, options);
    if (setup.store !== undefined) {
      try {
        return await executeStored(setup, setup.store, conversation, context, reply, decisions);
      } catch (error) {
        if (error instanceof ToolCallConfirmationRequiredError) this.#recorded += 1;
        throw error;
      }
    }
    const prepared = await prepareReply(setup, context, calls);
    if (decisions !== undefined) return executeDecided(setup, conversation, context, reply, prepared, decisions);
    const waiting = prepared.filter((call): call is PreparedRun => call.kind === 'confirm');
    if (waiting.length > 0) throw statelessPause(setup, conversation, reply, waiting);
    return runPrepared(setup, context, statelessIdentity(conversation, reply), prepared, new Map(), new Map());
  }

  /**
   * The same checks for one call, as its own pause. Gives its outcome, or throws {@link ToolCallConfirmationRequiredError}
   * with the pause's id; later `confirmations.get` shows it and `resume` runs it.
   */
  async executeToolCall(call: SingleCall, options: SingleCallOptions): Promise<Outcome> {
    const { conversation, decisions, proposal } = options;
    const text = callText(call);
    const checked =
      decisions === undefined && proposal !== undefined
        ? FreeProposal.take(proposal, this.#checkedFor(text, conversation))
        : undefined;
    const execution =
      (checked === undefined ? undefined : await this.#runChecked(conversation, checked, options)) ??
      (await this.executeToolCalls(conversation, singleReply(call, conversation, text), decisions, options));
    const outcome = execution.outcomes[0];
    if (outcome === undefined) throw new ToolgateError('internal', 'A single call came to no outcome.');
    return outcome;
  }

  /**
   * The checks of {@link executeToolCall} without running: whether the call waits for a person. With a store a call that waits is
   * recorded before this resolves, and one that was decided meanwhile waits no longer.
   */
  async propose(call: SingleCall, options: SingleCallOptions): Promise<Proposal> {
    const { conversation, record = this.#setup.record } = options;
    const text = callText(call);
    const reply = singleReply(call, conversation, text);
    const context = contextOf(conversation, options);
    const { proposal, free } = await proposeReply(this.#setup, conversation, context, reply, record);
    if (free === undefined) this.#recorded += 1;
    const [prepared] = free ?? [];
    // What the manager records it has to find again.
    const isKept = this.#setup.store !== undefined && this.#setup.record === 'all';
    if (prepared?.kind !== 'free' || text === undefined || isKept) return proposal;
    return new FreeProposal({ reply, prepared, ...this.#checkedFor(text, conversation) });
  }

  /** What is recorded of a single call. Without a store, or when nothing is recorded: undefined. */
  async find(call: SingleCall, conversation: ToolConversation): Promise<PauseView | undefined> {
    return findReply(this.#setup, conversation, singleReply(call, conversation));
  }

  /**
   * For frameworks that only have hooks around their own run: the same checks as {@link executeToolCall}, then the right to run the
   * call, or the outcome it already has. Needs a store. Throws {@link ToolCallConfirmationRequiredError} and `call-running`.
   */
  async claim(call: SingleCall, options: SingleCallOptions): Promise<ClaimAnswer> {
    const { conversation, decisions } = options;
    const reply = singleReply(call, conversation);
    return claimForHost(this.#setup, this.#need(), conversation, contextOf(conversation, options), reply, decisions);
  }

  /** Records how a claimed call ended and gives the outcome that counts. Throws `claim-lost` when the claim had ended before; the result is recorded as late. */
  async finish(claim: HostClaim, outcome: unknown): Promise<Outcome> {
    return finishForHost(this.#setup, this.#need(), claim, outcome);
  }

  /**
   * Runs what was decided of a pause, from any process that has the tools: no model call, no selection. Throws
   * `pause-not-found`, and {@link ToolCallConfirmationRequiredError} while calls wait.
   */
  async resume(pauseId: string, options: ResumeOptions = {}): Promise<ToolExecution> {
    const setup = this.#setup;
    const store = this.#need();
    const { pause, now } = requirePause(await store.get(pauseId), pauseId);
    const lookup = options.tools === undefined ? await defaultLookup(setup) : lookupOf(options.tools);
    if (lookup === undefined) {
      throw new ToolgateError('invalid-option', 'resume needs tools: give them here, or to the manager.', {
        data: { option: 'tools' },
      });
    }
    const context = contextOf(
      {
        id: pause.identity.conversation,
        messages: options.messages ?? [],
        tools: lookup,
        principal: pause.principal ?? undefined,
        attributes: options.attributes,
        signal: options.signal,
        path: pause.path,
      },
      options,
    );
    return runRecorded(setup, store, context, pause.identity, groupOfOne(pause, now));
  }

  /**
   * Settles what waits in a conversation because the user wrote something new instead of deciding. Never touches a running
   * call. Gives the pauses with the messages that keep the history valid.
   */
  async supersede(
    conversation: Pick<ToolConversation, 'id' | 'principal'>,
  ): Promise<readonly { readonly pause: PauseView; readonly messages: readonly Message[] }[]> {
    const { store } = this.#setup;
    if (store === undefined || conversation.id === undefined) return [];
    const pauses = await supersede(this.#setup, store, { id: conversation.id, principal: conversation.principal });
    return pauses.map((pause) => ({
      pause: pauseView(pause),
      messages: outcomeMessages(pause.calls.map((call) => call.outcome).filter((outcome) => outcome !== null)),
    }));
  }

  /** Settles what is overdue, applies the retention, signs a checkpoint of the audit. Run it now and then, from any process. */
  async sweep(): Promise<SweepReport> {
    return sweep(this.#setup, this.#need());
  }

  /** Sweeps every so often (default a minute) until the returned function is called. Does not keep the process alive. */
  startSweeping(everyMs = 60_000): () => void {
    return startSweeping(this.#setup, this.#need(), everyMs);
  }

  /** Writes what is still to be audited. The store is not closed: it belongs to whoever made it. */
  async close(): Promise<void> {
    if (this.#setup.store !== undefined) await flushFreeAudit(this.#setup, this.#setup.store);
  }

  #checkedFor(text: string | undefined, conversation: ToolConversation): CheckedFor {
    const principal = principalText(conversation.principal);
    return { manager: this, recorded: this.#recorded, text, conversation, principal, at: this.#setup.clock.now() };
  }

  /** Undefined when the tool is not the one that was checked, or may not be called any more. */
  async #runChecked(
    conversation: ToolConversation,
    { reply, prepared }: CheckedReply,
    options: ExecuteOptions,
  ): Promise<ToolExecution | undefined> {
    const setup = this.#setup;
    const context = contextOf(conversation, options);
    const found = await findTool(prepared.call, finderOf(setup, context));
    if ('kind' in found || found.tool !== prepared.tool.tool) return undefined;
    if (setup.store === undefined)
      return await runPrepared(
        setup,
        context,
        statelessIdentity(conversation, reply),
        [prepared],
        new Map(),
        new Map(),
      );
    return await runFree(setup, setup.store, context, reply, replyIdentity(conversation, reply), [prepared]);
  }

  #need(): ConfirmationStore {
    const { store } = this.#setup;
    if (store !== undefined) return store;
    throw new ToolgateError('invalid-option', 'This needs a manager with a store.', { data: { option: 'store' } });
  }
}

function statelessIdentity(conversation: ToolConversation, reply: Reply): ReplyIdentity {
  return {
    tenant: conversation.principal?.tenant ?? '',
    principal: conversation.principal?.id ?? '',
    conversation: conversation.id ?? '',
    replyId: reply.id ?? '',
  };
}

function contextOf(conversation: ToolConversation, options: ExecuteOptions): ReplyContext {
  return {
    lookup: lookupOf(conversation.tools),
    messages: conversation.messages,
    conversation: conversation.id,
    principal: conversation.principal,
    shown: conversation.shown,
    attributes: conversation.attributes ?? {},
    path: conversation.path ?? [],
    signal: conversation.signal ?? new AbortController().signal,
    executor: options.execute,
    onProgress: options.onProgress,
  };
}
