import type { Confirmations, DecisionAnswer, PauseView } from '../confirm/types.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { sleep } from '../core/clock.ts';
import type { DecisionMaker } from '../core/decision.ts';
import { digestText } from '../core/digest.ts';
import { errorMessage, isToolgateError, ToolgateError } from '../core/errors.ts';
import type { ToolCallConfirmationRequiredError } from '../core/errors.ts';
import type { Reply } from '../core/message.ts';
import type { Principal } from '../core/principal.ts';
import { hasEnded, onlyCall } from './call-answers.ts';
import type { CallRequest, CallRunnerOptions, CallStanding, Decisions, HoldOptions } from './call-types.ts';
import { toolClass } from './tool-class.ts';
import { callHooksAttribute } from './types.ts';
import type { CallHooks } from './types.ts';

const mostRemembered = 10_000;

/**
 * Calls of clients, from the question to the result. The client may go away at any time: what waits is in the store, and this
 * process runs it once it was decided, whoever decided it and through which process.
 */
export class CallRunner {
  readonly #options: CallRunnerOptions;
  readonly #running = new Map<string, Promise<void>>();
  readonly #listeners = new Map<string, Set<CallHooks>>();
  /** Whose session a call came from, as long as this process knows it. */
  readonly #sessions = new Map<string, string>();
  readonly #complained = new Set<string>();
  #stopPolling: () => void = () => undefined;
  readonly #release = new AbortController();
  readonly #holds = new Set<Promise<CallStanding>>();
  #closed = false;

  constructor(options: CallRunnerOptions) {
    this.#options = options;
  }

  get confirmations(): Confirmations {
    return this.#options.manager.confirmations;
  }

  /** Looks for decisions that were made elsewhere or before this process started, now and again and again. */
  start(): void {
    const { clock, pollMs = 1_000 } = this.#options;
    const round = (): void => {
      void this.#runDecided().finally(() => {
        if (!this.#closed) this.#stopPolling = clock.schedule(pollMs, round);
      });
    };
    round();
  }

  /** Lets every call that is held answer how it stands, so that a client hears that it waits and not nothing. False: none was held. */
  async releaseHolds(): Promise<boolean> {
    this.#release.abort();
    return (await Promise.allSettled(this.#holds)).length > 0;
  }

  /** Runs nothing more; what runs is waited for at most `graceMs`. */
  async close(graceMs: number = 5_000): Promise<void> {
    this.#closed = true;
    this.#stopPolling();
    const all = Promise.allSettled(this.#running.values());
    await Promise.race([all, sleep(this.#options.clock, graceMs)]);
  }

  /** Runs a call, or says that it waits. Attaches to the same call of the same client that waits, runs or has just ended. */
  async call(request: CallRequest): Promise<CallStanding> {
    const { manager, ids } = this.#options;
    const text = this.#checkedText(request);
    const digest = digestText(text).slice(7, 39);
    // What never waits is never attached to, nor to what was recorded under other rules.
    const alone = request.fresh || this.#options.mayWait?.(request.tool) === false;
    const conversation = alone ? `mcp:${digest}:${ids.next('call')}` : `mcp:${digest}`;
    let replyId = 'first';
    if (!alone) {
      const earlier = await this.#earlier(conversation, request.principal);
      if (earlier !== undefined) {
        const standing = this.#attach(earlier);
        if (standing !== undefined) return standing;
        // A function of what was there before: two deliveries at once, in any process, are one call.
        replyId = `after:${earlier.id}`;
      }
    }
    if (this.#options.mayWait?.(request.tool) !== false) await this.#checkWaiting(request);
    const reply: Reply = {
      role: 'assistant',
      id: replyId,
      content: [{ type: 'tool-call', toolCallId: 'call', toolName: request.tool.name, input: request.arguments ?? {} }],
    };
    try {
      const execution = await manager.executeToolCalls(
        {
          id: conversation,
          messages: [],
          tools: await this.#options.catalogue(),
          principal: request.principal,
          attributes: { [callHooksAttribute]: request.hooks },
          signal: request.signal,
        },
        reply,
      );
      const outcome = execution.outcomes[0];
      if (outcome === undefined) throw new ToolgateError('internal', 'A call ended without an outcome.');
      return { kind: 'ended', outcome };
    } catch (error) {
      const pauseId = waitingPause(error);
      if (pauseId === undefined) throw error;
      if (request.hooks.session !== undefined) this.#rememberSession(pauseId, request.hooks.session);
      this.#options.events.publish({ type: 'confirmation', id: pauseId, what: 'waiting' });
      return { kind: 'waiting', pause: await this.#pause(pauseId) };
    }
  }

  /** Waits for the end of a call that waits; reports progress meanwhile. */
  async hold(pauseId: string, wait: HoldOptions, hooks: CallHooks, signal: AbortSignal): Promise<CallStanding> {
    const held = this.#hold(pauseId, wait, hooks, signal);
    this.#holds.add(held);
    return await held.finally(() => this.#holds.delete(held));
  }

  async #hold(pauseId: string, wait: HoldOptions, hooks: CallHooks, given: AbortSignal): Promise<CallStanding> {
    const { clock } = this.#options;
    const signal = AbortSignal.any([given, this.#release.signal]);
    const start = clock.now();
    const stopBeat = wait.holdMs > 0 ? this.#beat(hooks, wait.words) : () => undefined;
    const stopListening = this.#listen(pauseId, hooks);
    try {
      for (;;) {
        const pause = await this.#pause(pauseId);
        const standing = this.#standing(pause);
        const decided = onlyCall(pause)?.state !== 'awaiting';
        const left = start + (decided ? Math.max(wait.holdMs, wait.runMs) : wait.holdMs) - clock.now();
        if (given.aborted) await this.#cancelled(pause, given);
        if (standing.kind === 'ended' || left <= 0 || signal.aborted) return standing;
        if (!decided) {
          await this.confirmations.wait(pauseId, { timeoutMs: left, signal }).catch((error: unknown) => {
            if (!signal.aborted) throw error;
          });
        } else {
          void this.run(pauseId);
          const running = this.#running.get(pauseId) ?? Promise.resolve();
          await Promise.race([running, sleep(clock, left, signal).catch(() => undefined)]);
          if (!this.#standingEnded(await this.#pause(pauseId)))
            await sleep(clock, Math.min(left, 200), signal).catch(() => undefined);
        }
      }
    } finally {
      stopBeat();
      stopListening();
    }
  }

  /** A cancel of the client settles what has not run; a lost connection and the client's own impatience do not. */
  async #cancelled(pause: PauseView, signal: AbortSignal): Promise<void> {
    const reason: unknown = signal.reason;
    if (typeof reason !== 'string' || /time/i.test(reason) || pause.state === 'settled') return;
    const { principal: id, tenant } = pause.identity;
    await this.confirmations.cancel(pause.id, { principal: { id, tenant }, via: 'client' }, reason.slice(0, 200));
    this.#options.events.publish({ type: 'confirmation', id: pause.id, what: 'settled' });
  }

  /** Records decisions, starts what was approved, and waits at most `waitMs` for its end. Never runs a call twice. */
  async decide(
    pauseId: string,
    decisions: Decisions,
    by: DecisionMaker,
    waitMs: number,
  ): Promise<{ readonly answers: readonly DecisionAnswer[]; readonly pause: PauseView }> {
    const { clock, events } = this.#options;
    const answers = await this.confirmations.decide(pauseId, decisions, by);
    if (answers.some((answer) => answer.answer === 'accepted'))
      events.publish({ type: 'confirmation', id: pauseId, what: 'decided' });
    await Promise.race([this.run(pauseId), sleep(clock, waitMs)]);
    return { answers, pause: await this.#pause(pauseId) };
  }

  /** Runs what was decided of a pause, once at a time. Never rejects: what went wrong is in the pause or in the log. */
  run(pauseId: string): Promise<void> {
    const running = this.#running.get(pauseId);
    if (running !== undefined) return running;
    const mine = this.#resume(pauseId).finally(() => this.#running.delete(pauseId));
    this.#running.set(pauseId, mine);
    return mine;
  }

  /** The call as canonical text. Throws `not-permitted` for arguments that are too large to be shown to a person. */
  #checkedText(request: CallRequest): string {
    const text = canonicalJson([request.tool.name, request.arguments ?? {}], { mode: 'lenient' });
    const most = this.#options.maxArgumentLength ?? 1_000_000;
    if (text.length <= most) return text;
    throw new ToolgateError(
      'not-permitted',
      `The arguments of ${request.tool.name} are ${text.length} characters long; at most ${most} are taken (maxArgumentLength). Nothing was run.`,
      { data: { action: 'call' } },
    );
  }

  /** A caller that goes wild must not bury the calls that a person should look at. */
  async #checkWaiting(request: CallRequest): Promise<void> {
    if (toolClass(request.tool.tool) === 'read') return;
    const most = this.#options.maxWaiting ?? 200;
    const { id: principal, tenant = '' } = request.principal;
    const { items } = await this.confirmations.list({
      callStates: ['awaiting'],
      state: 'open',
      principal,
      tenant,
      limit: most,
    });
    if (items.length < most) return;
    throw new ToolgateError(
      'not-permitted',
      `${most} calls wait for a person already (maxWaiting), so ${request.tool.name} was not called. Let some be decided first.`,
      { data: { action: 'call' } },
    );
  }

  async #resume(pauseId: string): Promise<void> {
    const { manager, events, logger } = this.#options;
    try {
      const pause = await this.#pause(pauseId);
      const call = onlyCall(pause);
      if (call === undefined || call.state === 'awaiting' || pause.state === 'settled') return;
      if (call.state === 'approved') await this.#options.ensureLive(call.server);
      const hooks = this.#broadcast(pauseId);
      await manager.resume(pauseId, {
        tools: await this.#options.catalogue(),
        attributes: { [callHooksAttribute]: hooks },
      });
      this.#complained.delete(pauseId);
      this.#sessions.delete(pauseId);
    } catch (error) {
      if (waitingPause(error) !== undefined) return;
      const text = `${pauseId}\n${errorMessage(error)}`;
      if (this.#complained.has(text)) return;
      if (this.#complained.size >= mostRemembered) this.#complained.clear();
      this.#complained.add(text);
      logger.warn('what was decided could not be run yet', { pause: pauseId, reason: errorMessage(error) });
    } finally {
      events.publish({ type: 'confirmation', id: pauseId, what: 'settled' });
    }
  }

  async #runDecided(): Promise<void> {
    try {
      const { items } = await this.confirmations.list({
        state: 'open',
        callStates: ['approved', 'responded', 'stale'],
        limit: 100,
      });
      for (const pause of items) void this.run(pause.id);
    } catch (error) {
      this.#options.logger.warn('the store could not be read', { reason: errorMessage(error) });
    }
  }

  async #earlier(conversation: string, principal: Principal): Promise<PauseView | undefined> {
    const { items } = await this.confirmations.list({
      conversation,
      principal: principal.id,
      tenant: principal.tenant ?? '',
      limit: 1,
    });
    return items[0];
  }

  /** The standing of an earlier call that a repetition gets instead of a call of its own. */
  #attach(pause: PauseView): CallStanding | undefined {
    const call = onlyCall(pause);
    if (call === undefined) return undefined;
    if (pause.state === 'open') return this.#standing(pause);
    // What may or may not have happened is never started again by a repetition.
    if (call.state === 'unknown') return this.#standing(pause);
    if (call.state === 'expired' || call.state === 'cancelled' || call.state === 'superseded') return undefined;
    const endedAt = call.decision?.at ?? pause.createdAt;
    return this.#options.clock.now() - endedAt <= (this.#options.repeatMs ?? 600_000)
      ? this.#standing(pause)
      : undefined;
  }

  #standing(pause: PauseView): CallStanding {
    const call = onlyCall(pause);
    if (call !== undefined && hasEnded(call) && call.outcome !== null) return { kind: 'ended', outcome: call.outcome };
    return { kind: 'waiting', pause };
  }

  #standingEnded(pause: PauseView): boolean {
    return this.#standing(pause).kind === 'ended';
  }

  async #pause(pauseId: string): Promise<PauseView> {
    const pause = await this.confirmations.get(pauseId);
    if (pause === undefined)
      throw new ToolgateError('pause-not-found', `There is no confirmation with the id ${pauseId}.`, {
        data: { pause: pauseId },
      });
    return pause;
  }

  /** A convenience: a call whose session is forgotten runs over the server's main connection. */
  #rememberSession(pauseId: string, session: string): void {
    const oldest = this.#sessions.size >= mostRemembered ? this.#sessions.keys().next().value : undefined;
    if (oldest !== undefined) this.#sessions.delete(oldest);
    this.#sessions.set(pauseId, session);
  }

  /** A client that hears nothing gives up after a minute; most take progress as a sign of life. */
  #beat(hooks: CallHooks, words: string): () => void {
    let cancel: () => void = () => undefined;
    let count = 0;
    const beat = (): void => {
      hooks.progress?.({ progress: count, message: words });
      count += 1;
      cancel = this.#options.clock.schedule(5_000, beat);
    };
    beat();
    return () => cancel();
  }

  #listen(pauseId: string, hooks: CallHooks): () => void {
    const set = this.#listeners.get(pauseId) ?? new Set();
    set.add(hooks);
    this.#listeners.set(pauseId, set);
    return () => {
      set.delete(hooks);
      if (set.size === 0) this.#listeners.delete(pauseId);
    };
  }

  /** A call that runs after its decision reports to whoever holds on for it. */
  #broadcast(pauseId: string): CallHooks {
    return {
      session: this.#sessions.get(pauseId),
      progress: (update) => {
        for (const hooks of this.#listeners.get(pauseId) ?? []) hooks.progress?.(update);
      },
      elicit: async (params) => {
        const able = [...(this.#listeners.get(pauseId) ?? [])].find((hooks) => hooks.elicit !== undefined);
        return able?.elicit === undefined ? { action: 'cancel' } : able.elicit(params);
      },
    };
  }
}

/** The pause that an error speaks of, when it says that a call waits. */
function waitingPause(error: unknown): string | undefined {
  if (!isToolgateError(error) || error.code !== 'confirmation-required') return undefined;
  return (error as ToolCallConfirmationRequiredError).pause?.id;
}
