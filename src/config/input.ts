import type { SelectionRule } from '../decision/port.ts';

/** Milliseconds, or a text such as `45s`, `2m`, `1h`, `30d`. */
export type DurationInput = number | string;
/** As {@link DurationInput}; 0 and null: no limit. */
export type LimitInput = DurationInput | null;

/** Time limits, for a server or as defaults of all. */
export interface LimitsInput {
  readonly connectTimeoutMs?: LimitInput | undefined;
  readonly listTimeoutMs?: LimitInput | undefined;
  readonly callTimeoutMs?: LimitInput | undefined;
  readonly callTotalTimeoutMs?: LimitInput | undefined;
  readonly maxTools?: number | undefined;
}

/** How clients name the way a server is reached. */
export type TransportInput = 'stdio' | 'http' | 'streamable-http' | 'streamableHttp' | 'streamable_http' | 'sse';

/** One entry of `mcpServers` as written. Keys of today's clients are taken as they are; the rest are toolgate's own. */
export interface ServerInput extends LimitsInput {
  readonly command?: string | undefined;
  readonly args?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string | number | boolean>> | undefined;
  readonly cwd?: string | undefined;
  readonly url?: string | undefined;
  readonly serverUrl?: string | undefined;
  readonly httpUrl?: string | undefined;
  readonly headers?: Readonly<Record<string, string | number | boolean>> | undefined;
  readonly type?: TransportInput | undefined;
  readonly transport?: TransportInput | undefined;
  readonly disabled?: boolean | undefined;
  readonly enabled?: boolean | undefined;
  readonly description?: string | undefined;
  readonly timeout?: number | undefined;
  readonly includeTools?: readonly string[] | undefined;
  readonly excludeTools?: readonly string[] | undefined;
  readonly disabledTools?: readonly string[] | undefined;
  readonly trust?: 'none' | 'annotations' | undefined;
  readonly protocol?: 'auto' | 'legacy' | 'modern' | undefined;
  readonly shared?: boolean | undefined;
}

/** What `toolgate tune` writes. */
export interface SelectionInput {
  readonly calibration?: { readonly slope: number; readonly offset: number } | undefined;
  readonly rule?: SelectionRule | undefined;
}

/** The file as written, before defaults; also what a program may hand over. */
export interface ConfigInput {
  readonly mcpServers?: Readonly<Record<string, ServerInput>> | undefined;
  readonly servers?: Readonly<Record<string, ServerInput>> | undefined;
  readonly mode?: 'search' | 'all' | 'auto' | undefined;
  readonly autoTokens?: number | undefined;
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly allowedHosts?: readonly string[] | undefined;
  readonly publicUrl?: string | undefined;
  readonly auth?: boolean | undefined;
  readonly pinned?: readonly string[] | undefined;
  readonly policy?:
    | Readonly<Record<string, boolean | 'allow' | 'confirm' | 'deny' | { readonly deny: string }>>
    | undefined;
  readonly prefix?: 'on-collision' | 'always' | 'never' | undefined;
  readonly trust?: 'none' | 'annotations' | undefined;
  readonly acceptIn?: 'page' | 'client' | undefined;
  readonly acceptDestructiveInClient?: boolean | undefined;
  readonly holdMs?: DurationInput | undefined;
  readonly expires?: LimitInput | undefined;
  readonly maxWaiting?: number | undefined;
  readonly maxArgumentLength?: number | undefined;
  readonly startWaitMs?: DurationInput | undefined;
  readonly store?: { readonly path: string } | undefined;
  readonly selection?: SelectionInput | undefined;
  readonly stateDirectory?: string | undefined;
  readonly defaults?: LimitsInput | undefined;
}
