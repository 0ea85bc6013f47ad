import { createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server';
import type { Clock } from '../core/clock.ts';
import { digestText } from '../core/digest.ts';
import { errorMessage } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import type { Principal } from '../core/principal.ts';
import { createDownstreamServer, listedTools } from './downstream-server.ts';
import type { DownstreamOptions } from './downstream-server.ts';
import { LegacySessions } from './legacy-sessions.ts';

/** `/mcp`: both generations of the protocol on one address. */
export interface McpEndpoint {
  fetch(request: Request): Promise<Response>;
  /** Looks whether what `tools/list` shows is another list now, and tells clients only then. */
  listMayHaveChanged(): void;
  close(): Promise<void>;
}

export function createMcpEndpoint(options: {
  downstream(): DownstreamOptions;
  readonly principal: Principal;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly onSessionEnded: (id: string) => void;
}): McpEndpoint {
  const { logger, principal, clock } = options;
  const onError = (error: Error): void =>
    logger.debug('a protocol message was refused', { error: errorMessage(error) });
  let shared: DownstreamOptions | undefined;
  const downstream = (): DownstreamOptions => (shared ??= options.downstream());
  const createServer = (): ReturnType<typeof createDownstreamServer> => createDownstreamServer(principal, downstream());
  const modern = createMcpHandler(createServer, { legacy: 'reject', onerror: onError });
  const sessions = new LegacySessions({ createServer, clock, onError, onEnded: options.onSessionEnded });
  let told: string | undefined;
  let looking: Promise<void> = Promise.resolve();

  async function look(): Promise<void> {
    try {
      const digest = digestText(JSON.stringify(await listedTools(downstream())));
      const changed = told !== undefined && told !== digest;
      told = digest;
      if (!changed) return;
      modern.notify.toolsChanged();
      await sessions.notifyListChanged();
    } catch (error) {
      logger.warn('clients could not be told of a change', { error: errorMessage(error) });
    }
  }

  return {
    async fetch(request) {
      if (told === undefined) await (looking = looking.then(look));
      return (await isLegacyRequest(request)) ? sessions.fetch(request) : modern.fetch(request);
    },
    listMayHaveChanged() {
      // Before the first client there is nobody to tell.
      if (told !== undefined) looking = looking.then(look);
    },
    async close() {
      await modern.close();
      await sessions.close();
    },
  };
}
