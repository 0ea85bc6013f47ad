import { definitionsOf } from '../catalog/definitions-of.ts';
import { createRegistry } from '../catalog/registry.ts';
import type { GatewayConfig } from '../config/types.ts';
import { silentLogger } from '../core/logger.ts';
import { systemClock } from '../core/system.ts';
import type { ToolDefinition } from '../core/tool.ts';
import type { UpstreamStatus } from '../gateway/types.ts';
import { Upstream } from '../gateway/upstream.ts';

/** What the servers of a configuration offer, and how each of them fared. */
export interface ServerTools {
  readonly tools: readonly ToolDefinition[];
  readonly statuses: readonly UpstreamStatus[];
}

/** Starts the servers, waits until each has answered or failed once, lists their tools under exposed names, and stops them. */
export async function readServerTools(config: GatewayConfig, signal: AbortSignal): Promise<ServerTools> {
  let wake: () => void = () => {};
  const upstreams = config.servers.map(
    (server) =>
      new Upstream(server, {
        clock: systemClock,
        logger: silentLogger,
        environment: config.environment,
        cache: { load: async () => undefined, save: async () => {} },
        onChange: () => wake(),
      }),
  );
  const stop = (): void => wake();
  signal.addEventListener('abort', stop, { once: true });
  try {
    await Promise.all(upstreams.map(async (upstream) => await upstream.start()));
    while (!signal.aborted && upstreams.some(({ status }) => status.state === 'connecting')) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    signal.throwIfAborted();
    const registry = createRegistry({ providers: upstreams.map(({ provider }) => provider), prefix: config.prefix });
    const catalogue = await registry.catalogue({
      userMessage: { role: 'user', content: '' },
      messages: [],
      invocation: { id: 'tools', attributes: {} },
      signal,
    });
    return { tools: definitionsOf(catalogue), statuses: upstreams.map(({ status }) => status) };
  } finally {
    signal.removeEventListener('abort', stop);
    await Promise.all(upstreams.map(async (upstream) => await upstream.close()));
  }
}
