import type { ServerConfig } from '../config/types.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { sleep } from '../core/clock.ts';
import type { Clock } from '../core/clock.ts';
import { errorMessage, ToolgateError } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import type { ToolProvider } from '../core/provider.ts';
import type { Tool, ToolContext, ToolDefinition, ToolResult, ToolServer } from '../core/tool.ts';
import { mcpResultToToolResult } from '../adapters/mcp.ts';
import { listUpstreamTools } from './list-upstream-tools.ts';
import type { UpstreamTool } from './list-upstream-tools.ts';
import type { ListCache } from './list-cache.ts';
import { NoiseLog } from './noise-log.ts';
import { createRedactor } from './redact.ts';
import { rememberListing } from './raw-listing.ts';
import { RefreshSchedule } from './refresh-schedule.ts';
import { callHooksAttribute } from './types.ts';
import type { CallHooks, UpstreamState, UpstreamStatus } from './types.ts';
import { SessionConnections } from './session-connections.ts';
import { isConnectionLoss, isUnknownSession, UpstreamConnection } from './upstream-connection.ts';
import { serverIdentity } from './upstream-transport.ts';

/** What all servers of a gateway share. */
export interface UpstreamContext {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly environment: Readonly<Record<string, string>>;
  readonly cache: ListCache;
  /** Its status or its list changed. */
  onChange(upstream: Upstream, what: 'status' | 'tools'): void;
}

const firstPauseMs = 1_000;
const longestPauseMs = 60_000;
/** A connection that lived so long was good: the next pause starts small again. */
const steadyMs = 10_000;
/** Older HTTP servers may be unable to send notices: they are asked now and then. */
const pollMs = 60_000;

/**
 * One server: connects in the background, keeps its last good list, tries again with growing pauses, and never throws at
 * anybody but the caller of one of its tools. Nothing here waits for another server.
 */
export class Upstream {
  readonly config: ServerConfig;
  readonly server: ToolServer;
  readonly provider: ToolProvider;
  readonly #context: UpstreamContext;
  readonly #redact: (text: string) => string;
  readonly #noise: NoiseLog;
  readonly #refresh: RefreshSchedule;
  readonly #stop = new AbortController();
  #connection: UpstreamConnection | undefined;
  #list: readonly UpstreamTool[] | undefined;
  #listText = '';
  #tools: readonly Tool[] = [];
  #instructions: string | undefined;
  #status: UpstreamStatus;
  #era: 'legacy' | 'modern' | undefined;
  #run: Promise<void> | undefined;
  #wake: AbortController | undefined;
  #lost: (() => void) | undefined;
  readonly #sessions: SessionConnections;

  constructor(config: ServerConfig, context: UpstreamContext) {
    this.config = config;
    this.#context = context;
    this.#redact = createRedactor(config.secrets);
    this.server = {
      name: config.name,
      identity: this.#redact(serverIdentity(config)),
      trust: config.trust,
      description: config.description,
    };
    this.#noise = new NoiseLog(config.name, context.logger, this.#redact);
    this.#sessions = new SessionConnections((onClosed) => this.#open(() => undefined, onClosed), context.clock);
    this.#refresh = new RefreshSchedule({ clock: context.clock, refresh: () => this.#readList() });
    const off = config.disabled ? 'disabled' : undefined;
    this.#status = {
      name: config.name,
      state: off ?? (config.problem === undefined ? 'connecting' : 'failed'),
      reason: config.disabled ? 'It is switched off in the configuration.' : config.problem,
      tools: 0,
      since: context.clock.now(),
      attempts: 0,
    };
    this.provider = { id: config.name, dynamic: true, provideTools: () => this.#tools };
  }

  get status(): UpstreamStatus {
    return this.#status;
  }

  /** What the server says about itself; data, never instructions. */
  get instructions(): string | undefined {
    return this.#instructions;
  }

  /** Starts in the background. Resolves when the last good list, if any, is loaded; never waits for the server. */
  async start(): Promise<void> {
    if (this.config.disabled || this.config.problem !== undefined || this.#run !== undefined) return;
    const cached = await this.#context.cache.load(this.server).catch(() => undefined);
    if (this.#stop.signal.aborted) return;
    if (cached !== undefined) {
      this.#era = cached.era;
      this.#instructions = cached.instructions;
      this.#setList(cached.tools);
      this.#setState('stale', 'It is still starting; its last known tools are shown.');
    }
    this.#run = this.#keepConnected();
  }

  async close(): Promise<void> {
    this.#stop.abort(new ToolgateError('aborted', 'The gateway is closing.'));
    this.#wake?.abort();
    this.#refresh.close();
    const connection = this.#connection;
    this.#connection = undefined;
    this.#lost?.();
    await Promise.all([connection?.close(), this.#sessions.close()]);
    await this.#run?.catch(() => undefined);
  }

  /** A client's session has ended: what was opened for it is closed. */
  endSession(session: string): void {
    this.#sessions.end(session);
  }

  /** Tries again at once instead of at the end of the pause. */
  retryNow(): void {
    this.#wake?.abort();
  }

  async #keepConnected(): Promise<void> {
    const { clock } = this.#context;
    let attempts = 0;
    while (!this.#stop.signal.aborted) {
      attempts += 1;
      this.#patch({ attempts, retryAt: undefined });
      const startedAt = clock.now();
      let reason: string;
      try {
        const session = await this.#connect();
        reason = await session.lost;
        if (clock.now() - startedAt >= steadyMs) attempts = 0;
      } catch (error) {
        reason = errorMessage(error);
      }
      this.#connection = undefined;
      if (this.#stop.signal.aborted) return;
      const pause = Math.min(firstPauseMs * 2 ** Math.max(0, attempts - 1), longestPauseMs);
      this.#setState(this.#list === undefined ? 'failed' : 'stale', this.#redact(reason), clock.now() + pause);
      const level = attempts === 1 ? 'warn' : 'debug';
      this.#context.logger[level]('upstream is not available', {
        server: this.config.name,
        reason: this.#redact(reason),
        retryInMs: pause,
      });
      this.#wake = new AbortController();
      await sleep(clock, pause, AbortSignal.any([this.#wake.signal, this.#stop.signal])).catch(() => undefined);
      if (this.#list === undefined && !this.#stop.signal.aborted) this.#setState('connecting', this.#redact(reason));
    }
  }

  /** Connects and reads the list. `lost` resolves, with the reason, when the connection is. */
  async #connect(): Promise<{ readonly lost: Promise<string> }> {
    let lose: (reason: string) => void = () => undefined;
    const lost = new Promise<string>((resolve) => {
      lose = resolve;
    });
    const connection = await this.#open(() => this.#refresh.notice(), lose);
    if (this.#stop.signal.aborted) {
      await connection.close();
      throw new ToolgateError('aborted', 'The gateway is closing.');
    }
    this.#connection = connection;
    this.#era = connection.era;
    this.#lost = () => {
      lose('the connection was given up');
      void connection.close();
    };
    try {
      await this.#readList();
    } catch (error) {
      this.#connection = undefined;
      void connection.close();
      throw error;
    }
    return { lost: lost.finally(this.#startPolling()) };
  }

  #open(onListChanged: () => void, onClosed: (reason: string) => void): Promise<UpstreamConnection> {
    const { clock, logger, environment } = this.#context;
    const onNoise = (line: string, stream: 'stdout' | 'stderr'): void => this.#noise.add(line, stream);
    const redact = this.#redact;
    const context = { clock, logger, environment, knownEra: this.#era, onListChanged, onNoise, redact, onClosed };
    return UpstreamConnection.open(this.config, context, this.#stop.signal).catch((error: unknown) => {
      // What was agreed on before may no longer hold: ask again next time.
      this.#era = undefined;
      throw error;
    });
  }

  #startPolling(): () => void {
    if (this.config.transport.type === 'stdio' || this.#era === 'modern') return () => undefined;
    let cancel: () => void = () => undefined;
    const plan = (): void => {
      cancel = this.#context.clock.schedule(pollMs, () => {
        this.#refresh.notice();
        plan();
      });
    };
    plan();
    return () => cancel();
  }

  /** Reads the list from the server; true when it is another one than before. */
  async #readList(): Promise<boolean> {
    const connection = this.#connection;
    if (connection === undefined) return false;
    const list = await listUpstreamTools(connection.client, this.config, this.server, this.#stop.signal);
    if (connection !== this.#connection) return false;
    this.#instructions = connection.client.getInstructions();
    const changed = this.#setList(list.tools);
    this.#setState('ready', list.notes.length === 0 ? undefined : list.notes.join(' '));
    this.#patch({ era: connection.era, attempts: 0 });
    if (changed) {
      const saved = { tools: list.tools, era: connection.era, instructions: this.#instructions };
      await this.#context.cache.save(this.server, saved).catch((error: unknown) => {
        this.#context.logger.warn('the tool list could not be kept', {
          server: this.config.name,
          error: errorMessage(error),
        });
      });
    }
    return changed;
  }

  #setList(list: readonly UpstreamTool[]): boolean {
    const text = canonicalJson(
      list.map((tool) => tool.raw),
      { mode: 'lenient' },
    );
    const changed = this.#list === undefined || text !== this.#listText;
    this.#list = list;
    this.#listText = text;
    if (!changed) return false;
    this.#tools = list.map(({ definition, raw }) => {
      const tool: Tool = {
        ...definition,
        execute: (args: never, context: ToolContext) => this.#execute(definition, args, context),
      };
      rememberListing(tool, raw);
      return tool;
    });
    this.#patch({ tools: list.length });
    this.#context.onChange(this, 'tools');
    return true;
  }

  async #execute(tool: ToolDefinition, args: unknown, context: ToolContext): Promise<ToolResult> {
    const given = context.attributes[callHooksAttribute] as CallHooks | undefined;
    const hooks: CallHooks = {
      meta: given?.meta,
      session: given?.session,
      progress: (update) => {
        context.progress({
          progress: update.progress,
          ...(update.total === undefined ? {} : { total: update.total }),
          ...(update.message === undefined ? {} : { message: update.message }),
        });
        given?.progress?.(update);
      },
      ...(given?.elicit === undefined
        ? {}
        : { elicit: (params) => given.elicit?.(params) ?? Promise.resolve({ action: 'cancel' as const }) }),
    };
    try {
      return mcpResultToToolResult(await this.#call(tool, args, hooks, context.signal));
    } catch (error) {
      throw this.#clean(error);
    }
  }

  async #call(
    tool: ToolDefinition,
    args: unknown,
    hooks: CallHooks,
    signal: AbortSignal,
  ): Promise<Record<string, unknown>> {
    const { session } = hooks;
    if (session !== undefined && !this.config.shared && !this.#sessions.usesMain(session))
      return this.#callInSession(session, tool, args, hooks, signal);
    const connection = this.#connection ?? (await this.#waitForConnection(signal));
    try {
      return await connection.call(tool, args, hooks, signal);
    } catch (error) {
      // A caller that went away brings its own lost connection as the reason: that says nothing about the server.
      if (signal.aborted) throw error;
      if (isConnectionLoss(error) && this.#connection === connection) this.#lost?.();
      if (!isUnknownSession(error)) throw error;
      // The server has forgotten the session, so the call certainly did not run: once more on a new one.
      if (this.#connection === connection) {
        this.#lost?.();
        this.#connection = undefined;
        await Promise.resolve();
      }
      return (await this.#waitForConnection(signal, true)).call(tool, args, hooks, signal);
    }
  }

  async #callInSession(
    session: string,
    tool: ToolDefinition,
    args: unknown,
    hooks: CallHooks,
    signal: AbortSignal,
  ): Promise<Record<string, unknown>> {
    try {
      return await (await this.#sessions.get(session)).call(tool, args, hooks, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      if (isConnectionLoss(error) || isUnknownSession(error)) this.#sessions.end(session);
      if (!isUnknownSession(error)) throw error;
      return (await this.#sessions.get(session)).call(tool, args, hooks, signal);
    }
  }

  /**
   * A call does not wait for the end of the pause: it asks for one attempt now, or takes the one that is being made, and gives up when
   * that fails. `another`: the one before is known to be of no use.
   */
  async #waitForConnection(signal: AbortSignal, another: boolean = false): Promise<UpstreamConnection> {
    const { clock } = this.#context;
    const until = clock.now() + Math.min(this.config.timeouts.connectMs ?? 30_000, 30_000);
    const seen = this.#status.attempts;
    const needsNew = another || this.#status.retryAt !== undefined;
    const hasFailed = (): boolean => this.#status.retryAt !== undefined && (!needsNew || this.#status.attempts > seen);
    while (
      this.#connection === undefined &&
      this.#run !== undefined &&
      !hasFailed() &&
      clock.now() < until &&
      !signal.aborted &&
      !this.#stop.signal.aborted
    ) {
      if (this.#status.attempts <= seen) this.retryNow();
      await sleep(clock, 20, signal).catch(() => undefined);
    }
    if (this.#connection !== undefined) return this.#connection;
    const reason = this.#status.reason ?? 'It is not connected.';
    throw new ToolgateError(
      'upstream-unavailable',
      `The server ${this.config.name} is not available, nothing was run: ${reason}`,
      { data: { server: this.config.name } },
    );
  }

  #clean(error: unknown): unknown {
    if (!(error instanceof ToolgateError))
      return new ToolgateError('upstream-failed', this.#redact(errorMessage(error)), {
        data: { server: this.config.name },
      });
    const message = this.#redact(error.message);
    return message === error.message ? error : new ToolgateError(error.code, message, { data: error.data });
  }

  #setState(state: UpstreamState, reason: string | undefined, retryAt?: number): void {
    const before = this.#status;
    const since = before.state === state ? before.since : this.#context.clock.now();
    this.#status = { ...before, state, reason, since, retryAt };
    if (before.state !== state || before.reason !== reason) this.#context.onChange(this, 'status');
  }

  #patch(change: Partial<UpstreamStatus>): void {
    this.#status = { ...this.#status, ...change };
  }
}
