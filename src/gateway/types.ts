import type { JsonObject } from '../core/json.ts';

/**
 * `src/gateway` is one MCP server in front of many: upstream connections, the fixed surface, waiting, HTTP. It imports
 * everything below it, `src/config` and `src/adapters/mcp.ts`, and nothing of the command line.
 */

/**
 * Where the connection to a server stands. `stale`: not connected, but its last good tool list is known and served.
 * `failed` is tried again with growing pauses; `disabled` is not.
 */
export type UpstreamState = 'connecting' | 'ready' | 'stale' | 'failed' | 'disabled';

/** One server as pages and `/readyz` show it. */
export interface UpstreamStatus {
  readonly name: string;
  readonly state: UpstreamState;
  /** Why it is not ready. Holds no secrets. */
  readonly reason?: string | undefined;
  readonly tools: number;
  /** Milliseconds since the epoch of the last change of state. */
  readonly since: number;
  /** Attempts to connect since it was last ready. */
  readonly attempts: number;
  /** The protocol era that was agreed on. */
  readonly era?: 'legacy' | 'modern' | undefined;
  /** Milliseconds since the epoch, while it waits to try again. */
  readonly retryAt?: number | undefined;
}

/** A question of a server to the person behind the client, in the middle of a call. */
export type ElicitationParams = JsonObject;
/** `accept`, `decline` or `cancel`, with what was filled in. */
export interface ElicitationAnswer {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: JsonObject | undefined;
}

/** What a downstream request adds to a call, handed through the manager as an attribute of the conversation. */
export interface CallHooks {
  /** The request's `_meta`, without the reserved keys. */
  readonly meta?: JsonObject | undefined;
  /** The client's session, where it holds one. */
  readonly session?: string | undefined;
  progress?(update: {
    readonly progress: number;
    readonly total?: number | undefined;
    readonly message?: string | undefined;
  }): void;
  elicit?(params: ElicitationParams): Promise<ElicitationAnswer>;
}

/** Name of the attribute that carries {@link CallHooks}. */
export const callHooksAttribute = 'toolgate.gateway.call';
