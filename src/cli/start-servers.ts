import type { GatewayConfig } from '../config/types.ts';
import { silentLogger } from '../core/logger.ts';
import type { ToolProvider } from '../core/provider.ts';
import { systemClock } from '../core/system.ts';
import type { UpstreamStatus } from '../gateway/types.ts';
import { Upstream } from '../gateway/upstream.ts';

/** The servers of a configuration, running for one command. */
export interface StartedServers {
  readonly providers: readonly ToolProvider[];
  readonly statuses: readonly UpstreamStatus[];
  close(): Promise<void>;
}

/** Starts servers and waits until each has answered or failed once. On abort they are stopped and the signal's reason is thrown. */
export async function startServers(
  config: GatewayConfig,
  signal: AbortSignal,
  onStatus: (status: UpstreamStatus) => void = () => {},
): Promise<StartedServers> {
  let wake: () => void = () => {};
  const upstreams = config.servers.map(
    (server) =>
      new Upstream(server, {
        clock: systemClock,
        logger: silentLogger,
        environment: config.environment,
        cache: { load: async () => undefined, save: async () => {} },
        onChange(upstream) {
          onStatus(upstream.status);
          wake();
        },
      }),
  );
  const close = async (): Promise<void> => {
    await Promise.all(upstreams.map(async (upstream) => await upstream.close()));
  };
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
  } catch (error) {
    await close();
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
  return {
    providers: upstreams.map(({ provider }) => provider),
    statuses: upstreams.map(({ status }) => status),
    close,
  };
}
