import type { Hono } from 'hono';
import type { GatewayConfig } from '../config/types.ts';
import type { Clock } from '../core/clock.ts';
import { errorMessage } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import { isPlainObject } from '../core/json.ts';
import { inboxRoutes } from '../inbox/routes.tsx';
import type { InboxAuditEntry, InboxTool, InboxUpstream } from '../inbox/types.ts';
import type { RegisteredTool } from '../catalog/types.ts';
import type { GatewayCore } from './gateway-core.ts';
import { approverPrincipal, roleOf } from './http-access.ts';
import { shortReason } from './short-reason.ts';
import type { StartCodes } from './start-codes.ts';
import type { GatewayTokens } from './tokens.ts';
import type { UpstreamStatus } from './types.ts';

/** What the pages are made with. */
export interface PagesOptions {
  readonly core: GatewayCore;
  readonly config: GatewayConfig;
  readonly tokens: GatewayTokens;
  readonly secret: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly codes: StartCodes;
}

/** The pages where a person decides, over this gateway's state. */
export function createPages(options: PagesOptions): Hono {
  const { core, config, tokens, logger } = options;
  const transports = new Map(
    config.servers.map((server) => [server.name, server.transport.type === 'auto' ? 'http' : server.transport.type]),
  );
  return inboxRoutes({
    confirmations: core.confirmations,
    authenticate: (request) =>
      roleOf(request, config.auth ? tokens : undefined) === 'approver' ? approverPrincipal : null,
    secret: options.secret,
    ...(config.publicUrl === undefined ? {} : { publicOrigins: [new URL(config.publicUrl).origin] }),
    redeemStartCode: (code) => (options.codes.redeem(code) ? approverPrincipal : null),
    tools: async () => (await core.tools.catalogue()).tools.map((tool) => inboxTool(tool, core)),
    search: async (query) => {
      const { hits } = await core.tools.search({ query, limit: 20 });
      return hits.map((hit) => ({ ...inboxTool(hit.tool, core), score: hit.score, parts: hit.parts }));
    },
    upstreams: () => core.upstreams().map((status) => inboxUpstream(status, transports.get(status.name))),
    rules: core.rules,
    audit: async (pauseId) => (await core.audit(pauseId)).map(inboxAudit),
    subscribe: (listener) => core.events.subscribe(listener),
    onError: (error) => logger.error('a page could not be made', { error: errorMessage(error) }),
    clock: options.clock,
  });
}

function inboxTool(registered: RegisteredTool, core: GatewayCore): InboxTool {
  const { definition, tool, name } = registered;
  return {
    name,
    title: definition.title,
    description: definition.description,
    server: tool.server?.name,
    annotations: definition.annotations,
    verdict: core.verdictOf(registered),
  };
}

function inboxUpstream(status: UpstreamStatus, transport: string | undefined): InboxUpstream {
  return {
    name: status.name,
    state: status.state === 'ready' ? 'connected' : status.state,
    tools: status.tools,
    detail: status.reason === undefined ? undefined : shortReason(status.reason),
    transport,
    since: status.since,
  };
}

function inboxAudit(row: object): InboxAuditEntry {
  const { at, kind, key, body } = row as { at: number; kind: string; key: string | null; body: unknown };
  const by = isPlainObject(body) ? body['by'] : undefined;
  return { at, event: kind, ...(key === null ? {} : { key }), ...(typeof by === 'string' ? { by } : {}) };
}
