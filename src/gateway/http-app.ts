import { Hono } from 'hono';
import type { Catalogue } from '../catalog/types.ts';
import type { Confirmations } from '../confirm/types.ts';
import type { Logger } from '../core/logger.ts';
import { errorMessage } from '../core/errors.ts';
import type { CallRunner } from './call-runner.ts';
import type { EventHub } from './event-hub.ts';
import { checkHostAndOrigin, requireApprover, requireCaller, roleOf } from './http-access.ts';
import type { AccessOptions } from './http-access.ts';
import { confirmationRoutes } from './http-confirmations.ts';
import { errorBody, respondError } from './http-errors.ts';
import { eventStream } from './http-events.ts';
import { toolRoutes } from './http-tools.ts';
import type { SelectTools } from './http-tools.ts';
import type { Metrics } from './metrics.ts';
import { openApiDocument } from './openapi.ts';
import type { ToolSource } from './tool-source.ts';
import type { UpstreamStatus } from './types.ts';
import { packageVersion } from './version.ts';
import { shortReason } from './short-reason.ts';

/** What the HTTP side stands on. */
export interface HttpOptions {
  readonly access: AccessOptions;
  readonly runner: CallRunner;
  readonly confirmations: Confirmations;
  readonly tools: ToolSource;
  readonly select: SelectTools;
  readonly events: EventHub;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly instance: string;
  readonly stateDirectoryDigest: string;
  upstreams(): readonly UpstreamStatus[];
  audit(pauseId: string): Promise<readonly object[]>;
  /** Serves `/mcp`. */
  mcp(request: Request): Promise<Response>;
  /** The pages, mounted at the root; absent in a gateway without them. */
  readonly pages?: Hono | undefined;
}

/** Everything the gateway serves over HTTP. Made without a port, so that it can be tested without one. */
export function createHttpApp(options: HttpOptions): Hono {
  const { access, logger, metrics } = options;
  const app = new Hono();
  app.onError((error, c) => respondError(c, error, logger));
  app.notFound((c) =>
    c.json(
      errorBody('not-found', `There is nothing at ${c.req.path}. The interface is described at /api/openapi.json.`),
      404,
    ),
  );
  app.use(checkHostAndOrigin(access));

  app.get('/healthz', (c) =>
    c.json({ status: 'ok', version: packageVersion, instance: options.instance, state: options.stateDirectoryDigest }),
  );
  app.get('/readyz', (c) => {
    // Without a token nobody learns search paths or what a server last wrote.
    const known = roleOf(c.req.raw, access.tokens) !== undefined;
    const readiness = readinessOf(options.upstreams(), known ? 'full' : 'short');
    return c.json(readiness, readiness.ready ? 200 : 503);
  });
  app.get('/api/openapi.json', (c) => c.json(openApiDocument()));
  app.get('/metrics', requireApproverOrCaller(access), async (c) => {
    const waiting = await options.confirmations.list({ state: 'open', callStates: ['awaiting'], limit: 500 });
    const states = new Map<string, number>();
    for (const upstream of options.upstreams()) states.set(upstream.state, (states.get(upstream.state) ?? 0) + 1);
    const catalogue: Catalogue = await options.tools.catalogue();
    return c.text(
      metrics.render([
        ['toolgate_confirmations_waiting', {}, waiting.items.length],
        ['toolgate_tools', {}, catalogue.tools.length],
        ...[...states].map(([state, count]) => ['toolgate_upstreams', { state }, count] as const),
      ]),
      200,
      { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
    );
  });

  app.all('/mcp', requireCaller(access, false), async (c) => {
    try {
      return await options.mcp(c.req.raw);
    } catch (error) {
      logger.error('a protocol request failed', { error: errorMessage(error) });
      return c.json({ jsonrpc: '2.0', error: { code: -32603, message: 'Internal error' }, id: null }, 500);
    }
  });
  app.get('/events', requireApprover(access), (c) => eventStream(c, options.events));
  for (const path of ['/api/select', '/api/search', '/api/tools', '/api/tools/*'])
    app.use(path, requireCaller(access, true));
  app.route('/api', toolRoutes(options));
  for (const path of ['/api/confirmations', '/api/confirmations/*', '/api/audit', '/api/audit/*', '/api/upstreams'])
    app.use(path, requireApprover(access));
  app.route('/api', confirmationRoutes(options));
  app.get('/api/upstreams', (c) => c.json({ upstreams: options.upstreams() }));
  app.all('/api/*', (c) =>
    c.json(
      errorBody(
        'not-found',
        `There is nothing at ${c.req.method} ${c.req.path}. The interface is described at /api/openapi.json.`,
      ),
      404,
    ),
  );
  if (options.pages !== undefined) app.route('/', options.pages);
  return app;
}

function requireApproverOrCaller(access: AccessOptions): ReturnType<typeof requireCaller> {
  return async (c, next) => {
    if (roleOf(c.req.raw, access.tokens) !== undefined) return next();
    return c.json(errorBody('not-permitted', 'This needs one of the two tokens, as "Authorization: Bearer …".'), 401);
  };
}

/** Ready when every server that is switched on answers; else which do not, and why. */
export function readinessOf(
  upstreams: readonly UpstreamStatus[],
  detail: 'full' | 'short' = 'full',
): {
  readonly ready: boolean;
  readonly missing: readonly { readonly name: string; readonly state: string; readonly reason: string | null }[];
  readonly upstreams: Readonly<Record<string, string>>;
} {
  const missing = upstreams
    .filter((upstream) => upstream.state !== 'ready' && upstream.state !== 'disabled')
    .map(({ name, state, reason }) => {
      const text = reason ?? (state === 'connecting' ? 'It has not answered yet.' : null);
      return { name, state, reason: detail === 'full' || text === null ? text : shortReason(text) };
    });
  return {
    ready: missing.length === 0,
    missing,
    upstreams: Object.fromEntries(upstreams.map(({ name, state }) => [name, state])),
  };
}
