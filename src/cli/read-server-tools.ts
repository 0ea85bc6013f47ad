import { definitionsOf } from '../catalog/definitions-of.ts';
import { createRegistry } from '../catalog/registry.ts';
import type { GatewayConfig } from '../config/types.ts';
import type { ToolDefinition } from '../core/tool.ts';
import type { UpstreamStatus } from '../gateway/types.ts';
import { startServers } from './start-servers.ts';

/** What the servers of a configuration offer, and how each of them fared. */
export interface ServerTools {
  readonly tools: readonly ToolDefinition[];
  readonly statuses: readonly UpstreamStatus[];
}

/** Starts the servers, lists their tools under exposed names, and stops them. */
export async function readServerTools(config: GatewayConfig, signal: AbortSignal): Promise<ServerTools> {
  const servers = await startServers(config, signal);
  try {
    const registry = createRegistry({ providers: servers.providers, prefix: config.prefix });
    const catalogue = await registry.catalogue({
      userMessage: { role: 'user', content: '' },
      messages: [],
      invocation: { id: 'tools', attributes: {} },
      signal,
    });
    return { tools: definitionsOf(catalogue), statuses: servers.statuses };
  } finally {
    await servers.close();
  }
}
