/**
 * `src/config` reads `toolgate.config.json`: placeholders filled, values checked, every fault with its place. Together with
 * `src/cli` it is the only part that reads the environment; it imports core and plain types only.
 */

import type { SelectionInput } from './input.ts';

/** How a server is reached. */
export type ServerTransport =
  | {
      readonly type: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      /** Added to the minimal environment every child gets. */
      readonly env: Readonly<Record<string, string>>;
      readonly cwd?: string | undefined;
    }
  | {
      /** `http`: Streamable HTTP. `sse`: the older two-channel transport. `auto`: the first, then the second when the server has only that. */
      readonly type: 'http' | 'sse' | 'auto';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
    };

/** Time limits of one server in milliseconds; null: no limit. */
export interface ServerTimeouts {
  /** From start to the end of the handshake. Default 30,000. */
  readonly connectMs: number | null;
  /** For one page of the tool list. Default 30,000. */
  readonly listMs: number | null;
  /** For a call without any sign of life; progress starts it anew. Default 60,000. */
  readonly callMs: number | null;
  /** For a call altogether. Default 600,000. */
  readonly callTotalMs: number | null;
}

/** One server, checked and with its placeholders filled. */
export interface ServerConfig {
  readonly name: string;
  readonly transport: ServerTransport;
  readonly disabled: boolean;
  /** Why it cannot be started, for example an environment variable that is not set. Other servers are not affected. */
  readonly problem?: string | undefined;
  readonly trust: 'none' | 'annotations';
  /** Which protocol era is spoken. Default `auto`: asked once. */
  readonly protocol: 'auto' | 'legacy' | 'modern';
  /**
   * False (default): two clients that hold sessions at the same time get a connection each, so that what one opened or asked is not
   * the other's. True: one connection for all.
   */
  readonly shared: boolean;
  readonly timeouts: ServerTimeouts;
  /** Names or patterns with `*` of the tools to keep; absent: all. */
  readonly includeTools?: readonly string[] | undefined;
  /** Names or patterns with `*` of the tools to leave out; stronger than `includeTools`. */
  readonly excludeTools: readonly string[];
  readonly description?: string | undefined;
  /** At most this many tools are taken. Default 2,000. */
  readonly maxTools: number;
  /** Values that came from the environment or from header and environment blocks: never shown in a message. */
  readonly secrets: readonly string[];
}

/** What a rule of the configuration file says of a call. */
export type PolicyRule = 'allow' | 'confirm' | 'deny' | { readonly deny: string };

/** The gateway's configuration, complete: every default is filled in. */
export interface GatewayConfig {
  /** The file it came from, absolute; absent for one that was made by a program. */
  readonly file?: string | undefined;
  readonly servers: readonly ServerConfig[];
  readonly mode: 'search' | 'all' | 'auto';
  /** `auto` lists everything while all definitions together stay below this many tokens. Default 8,000. */
  readonly autoTokens: number;
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Host names, besides loopback ones, under which the gateway may be addressed. */
  readonly allowedHosts: readonly string[];
  /** The address people use, when it differs from the one listened on. */
  readonly publicUrl?: string | undefined;
  readonly auth: boolean;
  /** Exposed or own names of tools that are listed under their own name beside the fixed ones. */
  readonly pinned: readonly string[];
  /** By exposed name or pattern with `*`. */
  readonly policy: Readonly<Record<string, PolicyRule>>;
  readonly prefix: 'on-collision' | 'always' | 'never';
  /** Where an approval counts. Default `page`. Destructive calls never count in a client unless `acceptDestructiveInClient`. */
  readonly acceptIn: 'page' | 'client';
  readonly acceptDestructiveInClient: boolean;
  /** How long a call is held open for a decision before it is answered with "waiting". Default 45,000; 0: not at all. */
  readonly holdMs: number;
  /** How long a question waits for a person. Default one day; null: for ever. */
  readonly expiresMs: number | null;
  /** At most this many calls of one caller may wait for a person at the same time. Default 200. */
  readonly maxWaiting: number;
  /** Largest arguments of one call, as JSON text in UTF-16 units. Default 1,000,000. */
  readonly maxArgumentLength: number;
  /** How long the first listing waits for servers that are still starting. Default 2,000. */
  readonly startWaitMs: number;
  /** Calibration and rule of the embedded decision model, for `/api/select`. Default: the model's own. */
  readonly selection: SelectionInput;
  /** Where tokens, the last good tool lists and, by default, the store are kept. */
  readonly stateDirectory: string;
  readonly storePath: string;
  /** The environment that child processes may inherit from (see `childEnvironment`). */
  readonly environment: Readonly<Record<string, string>>;
}

/** Something in the file that is not wrong but probably not meant. */
export interface ConfigWarning {
  /** JSON Pointer into the file. */
  readonly path: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  readonly message: string;
}

/** A configuration that was read. */
export interface LoadedConfig {
  readonly config: GatewayConfig;
  readonly warnings: readonly ConfigWarning[];
}
