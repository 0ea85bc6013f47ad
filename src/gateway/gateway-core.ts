import { createRegistry } from '../catalog/registry.ts';
import type { Catalogue, RegisteredTool } from '../catalog/types.ts';
import type { GatewayConfig } from '../config/types.ts';
import { ToolCallingManager } from '../confirm/manager.ts';
import type { ConfirmationStore } from '../confirm/store-port.ts';
import type { StandingRules } from '../confirm/standing-rules.ts';
import type { Confirmations } from '../confirm/types.ts';
import { sleep } from '../core/clock.ts';
import type { Clock } from '../core/clock.ts';
import type { DecisionMaker } from '../core/decision.ts';
import { errorMessage, ToolgateError } from '../core/errors.ts';
import type { IdSource } from '../core/ids.ts';
import type { Logger } from '../core/logger.ts';
import type { Message } from '../core/message.ts';
import type { ToolProviderRequest } from '../core/provider.ts';
import { defaultSearchStrategy } from '../gate/default-search.ts';
import { createSearchService } from '../search/search-service.ts';
import type { ToolSelector } from '../select/select-tools.ts';
import { CallRunner } from './call-runner.ts';
import { EventHub } from './event-hub.ts';
import { approverPrincipal } from './http-access.ts';
import type { SelectTools } from './http-tools.ts';
import { createListCache } from './list-cache.ts';
import { Metrics } from './metrics.ts';
import { nameFile } from './name-file.ts';
import { policyRules, verdictOf } from './policy.ts';
import { reservedNames } from './surface.ts';
import { toolClass } from './tool-class.ts';
import type { SearchHit, ToolSource } from './tool-source.ts';
import type { UpstreamStatus } from './types.ts';
import { Upstream } from './upstream.ts';

/** What a gateway's inside is made with. */
export interface CoreOptions {
  readonly config: GatewayConfig;
  readonly store: ConfirmationStore;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  onStatus?(status: UpstreamStatus): void;
}

/** The inside of a gateway: servers, the one registry, the one place that runs tools. Knows no port and no protocol. */
export interface GatewayCore {
  readonly tools: ToolSource;
  readonly runner: CallRunner;
  readonly confirmations: Confirmations;
  /** Approvals given in advance, by whoever may decide on the page. */
  readonly rules: StandingRules;
  readonly select: SelectTools;
  readonly events: EventHub;
  readonly metrics: Metrics;
  isPinned(tool: RegisteredTool): boolean;
  /** What happens to a call of the tool, by the rules and the default. */
  verdictOf(tool: RegisteredTool): 'allow' | 'confirm' | 'deny';
  /** Whether the fixed surface is shown; decided once, when it is first asked. */
  showsSurface(): Promise<boolean>;
  upstreams(): readonly UpstreamStatus[];
  missingServers(): readonly string[];
  audit(pauseId: string): Promise<readonly object[]>;
  /** A client's session has ended: what was opened for it is closed. */
  endSession(id: string): void;
  start(): Promise<void>;
  /** Resolves when every server has answered or failed once, or after the time. */
  settled(timeoutMs: number): Promise<void>;
  /** Every call that is held is answered with how it stands; false when none was. Before the front closes. */
  releaseHolds(): Promise<boolean>;
  close(): Promise<void>;
}

/** Servers answer one after the other at the start; each makes another list. */
const warmUpMs = 750;

export function createGatewayCore(options: CoreOptions): GatewayCore {
  const { config, store, clock, ids, logger } = options;
  const events = new EventHub();
  const metrics = new Metrics();
  let catalogueInHand: Promise<Catalogue> | undefined;

  const cache = createListCache(config.stateDirectory);
  const upstreams = config.servers.map(
    (server) =>
      new Upstream(server, {
        clock,
        logger,
        environment: config.environment,
        cache,
        onChange(upstream, what) {
          if (what === 'tools') {
            catalogueInHand = undefined;
            events.publish({ type: 'tools' });
            warmUp();
          }
          events.publish({ type: 'upstream', name: upstream.config.name, state: upstream.status.state });
          options.onStatus?.(upstream.status);
        },
      }),
  );
  const registry = createRegistry({
    providers: upstreams.map((upstream) => upstream.provider),
    prefix: config.prefix,
    reservedNames,
    names: nameFile(config.stateDirectory),
    clock,
    logger,
  });

  /** The catalogue of now. The same object as long as no list changes, so that whatever is built on it is built once. */
  function catalogue(): Promise<Catalogue> {
    if (catalogueInHand === undefined) {
      const mine = settledWithin(config.startWaitMs).then(() => registry.catalogue(emptyRequest()));
      catalogueInHand = mine;
      // A list that arrived while this one was made has already put it aside; a failure must not be kept either.
      mine.catch(() => {
        if (catalogueInHand === mine) catalogueInHand = undefined;
      });
    }
    return catalogueInHand;
  }

  let cancelWarmUp: () => void = () => undefined;
  /** Indexes a new list before somebody searches, once the servers have been quiet for a moment. */
  function warmUp(): void {
    cancelWarmUp();
    cancelWarmUp = clock.schedule(warmUpMs, () => {
      tools.search({ query: 'warm up', limit: 1 }).catch((error: unknown) => {
        logger.warn('the search index could not be made', { error: errorMessage(error) });
      });
    });
  }

  let stopSweeping: () => void = () => {};
  const startedAt = clock.now();
  /** The first listings wait a moment for servers that are still starting; later ones never wait. */
  async function settledWithin(milliseconds: number): Promise<void> {
    const left = startedAt + milliseconds - clock.now();
    if (left > 0) await waitUntilSettled(left);
  }

  async function waitUntilSettled(milliseconds: number): Promise<void> {
    const until = clock.now() + milliseconds;
    const open = (): boolean =>
      upstreams.some(
        ({ status }) =>
          status.state === 'connecting' ||
          (status.state === 'stale' && status.retryAt === undefined && status.attempts <= 1),
      );
    while (open() && clock.now() < until) await sleep(clock, 20);
  }

  const manager = new ToolCallingManager({
    policy: policyRules(config.policy),
    store,
    hidden: 'execute',
    expiresInMs: config.expiresMs,
    // Who may decide is a matter of the token, not of the name in it.
    approver: 'any',
    canGrantRules: (by) => by.principal.id === approverPrincipal.id && by.via !== 'client',
    canDecide: (by, _pause, call) => mayDecide(by, call.server, call.toolName),
    wasKnown: (name) => registry.wasKnown(name),
    tools: () => catalogue(),
    clock,
    ids,
    logger,
  });

  async function mayDecide(by: DecisionMaker, _server: string | null, toolName: string): Promise<boolean> {
    if (by.principal.id === approverPrincipal.id && by.via !== 'client') return true;
    if (by.via !== 'client' || config.acceptIn !== 'client') return false;
    const tool = (await catalogue()).get(toolName);
    return tool !== undefined && (toolClass(tool.tool) !== 'destructive' || config.acceptDestructiveInClient);
  }

  const searchService = createSearchService({ strategy: defaultSearchStrategy() });
  const tools: ToolSource = {
    catalogue,
    async search({ query, context, server, limit, signal }) {
      const all = await catalogue();
      const pool = poolOf(all);
      const words = context === undefined || context.trim() === '' ? query : `${query}\n${context}`;
      const outcome = await searchService.search(words, { pool, server, limit, signal });
      const hits: SearchHit[] = [];
      for (const found of outcome.found) {
        const tool = all.get(found.name);
        if (tool !== undefined) hits.push({ tool, score: found.score, parts: found.parts });
      }
      return { hits, total: outcome.total, words: outcome.text };
    },
  };

  const pools = new WeakMap<Catalogue, readonly RegisteredTool['definition'][]>();
  /** The same list for the same catalogue: the search keeps its index by it. */
  function poolOf(all: Catalogue): readonly RegisteredTool['definition'][] {
    const known = pools.get(all);
    if (known !== undefined) return known;
    const pool = all.tools.map((tool) => tool.definition);
    pools.set(all, pool);
    return pool;
  }

  async function ensureLive(server: string | null): Promise<void> {
    const upstream = upstreams.find(({ config: { name } }) => name === server);
    if (upstream === undefined || upstream.status.state === 'ready') return;
    // Again and again only at the pace of its own pauses: an approved call may wait for its server all day.
    if (upstream.status.attempts < 5) upstream.retryNow();
    const until = clock.now() + 10_000;
    const isReady = (): boolean => upstream.status.state === 'ready';
    while (!isReady() && clock.now() < until) await sleep(clock, 50);
    if (isReady()) return;
    const reason = upstream.status.reason ?? 'it is starting';
    throw new ToolgateError(
      'upstream-unavailable',
      `The server ${String(server)} does not answer, so the approved call has not run yet: ${reason}`,
      { data: { server } },
    );
  }

  const runner = new CallRunner({
    manager,
    catalogue,
    ensureLive,
    clock,
    ids,
    logger,
    events,
    mayWait: (tool) => verdictOf(tool, config.policy) === 'confirm',
    maxWaiting: config.maxWaiting,
    maxArgumentLength: config.maxArgumentLength,
  });
  let selector: Promise<ToolSelector> | undefined;
  /** Loaded when it is first asked for: most gateways only search. */
  function loadSelector(): Promise<ToolSelector> {
    selector ??= Promise.all([
      import('../select/select-tools.ts'),
      import('../relevance/local-decision-model.ts'),
    ]).then(([select, relevance]) =>
      select.createToolSelector({
        decisionModel: relevance.localDecisionModel({ calibration: config.selection.calibration }),
        rule: config.selection.rule,
        clock,
        logger,
      }),
    );
    return selector;
  }
  let surface: Promise<boolean> | undefined;

  return {
    tools,
    runner,
    rules: manager.rules,
    confirmations: observed(manager.confirmations, (id) => {
      events.publish({ type: 'confirmation', id, what: 'decided' });
      void runner.run(id);
    }),
    async select(messages, signal) {
      const all = await catalogue();
      const definitions = poolOf(all);
      const userMessage: Message = messages.findLast(({ role }) => role === 'user') ?? { role: 'user', content: '' };
      const { kept, report } = await (await loadSelector()).select(definitions, { messages, userMessage, signal });
      return { names: kept.map((position) => definitions[position]?.name ?? ''), report };
    },
    events,
    metrics,
    verdictOf: (tool) => verdictOf(tool, config.policy),
    isPinned: (tool) =>
      config.pinned.some(
        (name) =>
          name === tool.name || name === tool.tool.name || name === `${tool.tool.server?.name ?? ''}.${tool.tool.name}`,
      ),
    showsSurface() {
      surface ??= (async () => {
        if (config.mode !== 'auto') return config.mode === 'search';
        await waitUntilSettled(10_000);
        const all = await catalogue();
        return all.tools.reduce((sum, tool) => sum + tool.tokens, 0) > config.autoTokens;
      })();
      return surface;
    },
    upstreams: () => upstreams.map(({ status }) => status),
    missingServers: () =>
      upstreams
        .filter(({ status }) => status.state === 'failed' || status.state === 'connecting')
        .map(({ config: { name } }) => name),
    async audit(pauseId) {
      return await store.readAudit(pauseId, 1);
    },
    endSession(id) {
      for (const upstream of upstreams) upstream.endSession(id);
    },
    async start() {
      await Promise.all(upstreams.map((upstream) => upstream.start()));
      runner.start();
      stopSweeping = manager.startSweeping();
    },
    settled: waitUntilSettled,
    releaseHolds: () => runner.releaseHolds(),
    async close() {
      cancelWarmUp();
      stopSweeping();
      await runner.close();
      await Promise.allSettled(upstreams.map((upstream) => upstream.close()));
      await manager
        .close()
        .catch((error: unknown) => logger.warn('the audit could not be written', { error: errorMessage(error) }));
    },
  };
}

/** Confirmations that tell when something was decided, so that it runs at once and not at the next look. */
function observed(inner: Confirmations, decided: (pauseId: string) => void): Confirmations {
  return {
    list: (filter) => inner.list(filter),
    get: (id) => inner.get(id),
    async decide(id, decisions, by) {
      const answers = await inner.decide(id, decisions, by);
      decided(id);
      return answers;
    },
    wait: (id, options) => inner.wait(id, options),
    async cancel(id, by, reason) {
      const pause = await inner.cancel(id, by, reason);
      decided(id);
      return pause;
    },
    async resolveUnknown(id, key, resolution, by) {
      const pause = await inner.resolveUnknown(id, key, resolution, by);
      decided(id);
      return pause;
    },
  };
}

function emptyRequest(): ToolProviderRequest {
  return {
    userMessage: { role: 'user', content: '' },
    messages: [],
    invocation: { id: 'gateway', attributes: {} },
    signal: new AbortController().signal,
  };
}
