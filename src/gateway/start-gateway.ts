import { createHmac, randomUUID } from 'node:crypto';
import type { Hono } from 'hono';
import type { GatewayConfig } from '../config/types.ts';
import type { ConfirmationStore } from '../confirm/store-port.ts';
import type { Clock } from '../core/clock.ts';
import { digestText } from '../core/digest.ts';
import { errorMessage, ToolgateError } from '../core/errors.ts';
import type { IdSource } from '../core/ids.ts';
import { silentLogger } from '../core/logger.ts';
import type { Logger } from '../core/logger.ts';
import { randomIds, systemClock } from '../core/system.ts';
import { sqliteStore } from '../stores/sqlite/index.ts';
import type { DownstreamOptions } from './downstream-server.ts';
import { createGatewayCore } from './gateway-core.ts';
import type { GatewayCore } from './gateway-core.ts';
import { callerPrincipal } from './http-access.ts';
import { createHttpApp } from './http-app.ts';
import { createMcpEndpoint } from './mcp-endpoint.ts';
import { createPages } from './pages.ts';
import { announceGateway, findRunningGateway, withdrawGateway } from './process-lock.ts';
import type { RunningGateway } from './process-lock.ts';
import { LiveCalls } from './live-calls.ts';
import { listenHttp } from './listen-http.ts';
import type { HttpListener } from './listen-http.ts';
import { StartCodes } from './start-codes.ts';
import { serveStandardInput } from './stdio.ts';
import type { StdioStreams } from './stdio.ts';
import { loadTokens } from './tokens.ts';
import type { GatewayTokens } from './tokens.ts';
import type { UpstreamStatus } from './types.ts';

/** What can be given to {@link startGateway} beside the configuration. */
export interface GatewayOptions {
  /** Default: SQLite at `config.storePath`. One that is given is not closed. */
  readonly store?: ConfirmationStore | undefined;
  /**
   * Also (or, when another process of the same state directory already serves HTTP, only) speak MCP over standard input and
   * output, or over the given streams.
   */
  readonly stdio?: boolean | StdioStreams | undefined;
  readonly logger?: Logger | undefined;
  readonly clock?: Clock | undefined;
  readonly ids?: IdSource | undefined;
  /** Told of each change of a server's state, from the start on. */
  readonly onProgress?: ((status: UpstreamStatus) => void) | undefined;
}

/** A running gateway. */
export interface Gateway {
  /** Where HTTP is served, without a slash at the end. */
  readonly url: string;
  readonly mcpUrl: string;
  /** The page for people; carries no credential. */
  readonly pageUrl: string;
  /** Undefined when authentication is switched off. */
  readonly tokens: GatewayTokens | undefined;
  /** False in a second process over standard input: the first one serves HTTP and the page. */
  readonly servesHttp: boolean;
  /** A link that signs one person in, once, within ten minutes. Print it in a terminal, never give it to a model or client. */
  startLink(): string;
  upstreams(): readonly UpstreamStatus[];
  /** Told of each change of a server's state. Gives back the end of the subscription. */
  onProgress(listener: (status: UpstreamStatus) => void): () => void;
  /** Resolves when every server has answered or failed once, or after the time. Default 30 seconds. */
  settled(timeoutMs?: number): Promise<readonly UpstreamStatus[]>;
  /** Resolves when the client over standard input has gone. Never, without one. */
  readonly stdioEnded: Promise<void>;
  /** Stops listening, lets running calls finish for a moment, ends every child process. May be called more than once. */
  close(): Promise<void>;
}

/**
 * Starts a gateway: listens, connects to its servers in the background, and returns at once. Throws `invalid-option` when the
 * port is in use, `config-invalid` for broken token files, `store-failed` and `store-newer` for the store.
 */
export async function startGateway(config: GatewayConfig, options: GatewayOptions = {}): Promise<Gateway> {
  const logger = options.logger ?? silentLogger;
  const clock = options.clock ?? systemClock;
  const ids = options.ids ?? randomIds;
  if (!config.auth && !isLoopback(config.host)) {
    throw new ToolgateError(
      'invalid-option',
      `Without authentication the gateway listens on loopback only, not on ${config.host}: everybody who reaches it could decide. Leave auth on, or host off.`,
      { data: { option: 'auth' } },
    );
  }
  const tokens = await loadTokens(config.stateDirectory);
  const store = options.store ?? sqliteStore({ path: config.storePath });
  const listeners = new Set<(status: UpstreamStatus) => void>();
  if (options.onProgress !== undefined) listeners.add(options.onProgress);
  const core = createGatewayCore({
    config,
    store,
    clock,
    ids,
    logger,
    onStatus(status) {
      for (const listener of listeners) listener(status);
    },
  });
  const instance = randomUUID();
  const parts: Parts = {
    config,
    core,
    tokens,
    clock,
    logger,
    instance,
    stdio: options.stdio !== undefined && options.stdio !== false,
  };
  let opened: Front | undefined;
  try {
    opened = await openFront(parts);
    await core.start();
  } catch (error) {
    await opened?.close();
    await core.close();
    if (options.store === undefined) await store.close();
    throw error;
  }
  const front = opened;
  const { url } = front;
  const stdio = parts.stdio
    ? serveStandardInput(
        downstream(parts, url),
        callerPrincipal,
        options.stdio === true ? undefined : (options.stdio as StdioStreams),
      )
    : undefined;
  let closing: Promise<void> | undefined;
  return {
    url,
    mcpUrl: `${url}/mcp`,
    pageUrl: `${config.publicUrl?.replace(/\/$/, '') ?? url}/`,
    tokens: config.auth ? tokens : undefined,
    servesHttp: front.listener !== undefined,
    startLink: () => `${url}/start?code=${front.codes.issue()}`,
    upstreams: () => core.upstreams(),
    onProgress(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async settled(timeoutMs = 30_000) {
      await core.settled(timeoutMs);
      return core.upstreams();
    },
    stdioEnded: stdio?.ended ?? new Promise<void>(() => undefined),
    close() {
      closing ??= (async () => {
        if (await core.releaseHolds()) await front.listener?.answered(1_000);
        await stdio?.close();
        await front.close();
        await core.close();
        if (options.store === undefined) await store.close();
      })();
      return closing;
    },
  };
}

interface Parts {
  readonly config: GatewayConfig;
  readonly core: GatewayCore;
  readonly tokens: GatewayTokens;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly instance: string;
  readonly stdio: boolean;
}

interface Front {
  readonly url: string;
  readonly listener: HttpListener | undefined;
  readonly codes: StartCodes;
  close(): Promise<void>;
}

/** Serves HTTP, unless this is a process over standard input and another one already serves for the same state directory. */
async function openFront(parts: Parts): Promise<Front> {
  const { config, core, tokens, clock, logger, instance } = parts;
  const codes = new StartCodes(clock);
  const running: RunningGateway | undefined = parts.stdio ? await findRunningGateway(config.stateDirectory) : undefined;
  if (running !== undefined) return { url: running.url, listener: undefined, codes, close: async () => undefined };

  let url = '';
  const endpoint = createMcpEndpoint({
    downstream: () => downstream(parts, url),
    principal: callerPrincipal,
    clock,
    logger,
    onSessionEnded: (id) => core.endSession(id),
  });
  const secret = deriveKey(tokens, 'pages').toString('hex');
  const pages: Hono = createPages({ core, config, tokens, secret, clock, logger, codes });
  const hosts = [
    config.host,
    ...config.allowedHosts,
    ...(config.publicUrl === undefined ? [] : [new URL(config.publicUrl).hostname]),
  ];
  const app = createHttpApp({
    access: { tokens: config.auth ? tokens : undefined, hosts },
    runner: core.runner,
    confirmations: core.confirmations,
    tools: core.tools,
    select: core.select,
    events: core.events,
    metrics: core.metrics,
    logger,
    instance,
    stateDirectoryDigest: digestText(config.stateDirectory).slice(7, 23),
    upstreams: () => core.upstreams(),
    audit: (id) => core.audit(id),
    mcp: (request) => endpoint.fetch(request),
    pages,
  });
  const listener = await listenHttp(app, config.host, config.port).catch(async (error: unknown) => {
    await endpoint.close();
    const other = await findRunningGateway(config.stateDirectory);
    if (other === undefined) throw error;
    throw new ToolgateError(
      'invalid-option',
      `A gateway of this configuration runs already, at ${other.url}. Stop it first, or use that one.`,
      { data: { option: 'port' }, cause: error },
    );
  });
  url = listener.url;
  await announceGateway(config.stateDirectory, { url, instance }).catch((error: unknown) => {
    logger.warn('other processes will not find this gateway', { reason: errorMessage(error) });
  });
  const stopEvents = core.events.subscribe((event) => {
    if (event.type === 'tools') endpoint.listMayHaveChanged();
  });
  return {
    url,
    listener,
    codes,
    async close() {
      stopEvents();
      await withdrawGateway(config.stateDirectory, instance).catch((error: unknown) => {
        logger.warn('the note of where this gateway served stays behind', { reason: errorMessage(error) });
      });
      await endpoint.close();
      await listener.close();
    },
  };
}

function downstream(parts: Parts, url: string): DownstreamOptions {
  const { config, core, logger, tokens } = parts;
  const base = config.publicUrl?.replace(/\/$/, '') ?? url;
  let surfaceShown = config.mode !== 'all';
  void core.showsSurface().then((shown) => {
    surfaceShown = shown;
  });
  return {
    tools: core.tools,
    runner: core.runner,
    metrics: core.metrics,
    logger,
    holdMs: config.holdMs,
    isListed: (tool) => !surfaceShown || core.isPinned(tool),
    linkOf: (pauseId) => `${base}/pauses/${encodeURIComponent(pauseId)}`,
    missingServers: () => core.missingServers(),
    servers: config.servers
      .filter((server) => !server.disabled)
      .map(({ name, description }) => ({ name, description })),
    showsSurface: () => core.showsSurface(),
    listsEverything: () => !surfaceShown,
    live: new LiveCalls(parts.clock),
    mayWait: (tool) => core.verdictOf(tool) === 'confirm',
    acceptIn: config.acceptIn,
    acceptDestructiveInClient: config.acceptDestructiveInClient,
    stateKey: new Uint8Array(deriveKey(tokens, 'request-state')),
  };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** One key for each purpose, the same in every process of one gateway. */
function deriveKey(tokens: GatewayTokens, purpose: string): Buffer {
  return createHmac('sha256', tokens.approver).update(`toolgate-gateway-${purpose}-1`).digest();
}
