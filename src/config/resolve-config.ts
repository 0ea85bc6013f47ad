import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { childEnvironment } from './environment.ts';
import { parseDuration } from './duration.ts';
import { fillPlaceholders } from './placeholders.ts';
import { resolveServer } from './resolve-server.ts';
import type { ConfigInput } from './input.ts';
import type { GatewayConfig, PolicyRule } from './types.ts';

/** Where a configuration stands and what it may read. */
export interface ResolveOptions {
  /** Absolute path of the file, when there is one. */
  readonly file?: string | undefined;
  /** Directory that relative paths of the file start from. */
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Fills in every default. The input has passed the schema. */
export function resolveConfig(input: ConfigInput, options: ResolveOptions): GatewayConfig {
  const { environment, directory } = options;
  const path = (value: string): string => resolve(directory, fillPlaceholders(value, environment).text);
  const stateDirectory =
    input.stateDirectory === undefined ? defaultStateDirectory(options) : path(input.stateDirectory);
  const entries = Object.entries({ ...input.servers, ...input.mcpServers });
  return {
    file: options.file,
    servers: entries.map(([name, server]) =>
      resolveServer(name, server, { ...input.defaults, trust: input.trust }, environment),
    ),
    mode: input.mode ?? 'search',
    autoTokens: input.autoTokens ?? 8_000,
    host: input.host ?? '127.0.0.1',
    port: input.port ?? 4816,
    allowedHosts: input.allowedHosts ?? [],
    publicUrl: input.publicUrl,
    auth: input.auth ?? true,
    pinned: input.pinned ?? [],
    policy: Object.fromEntries(Object.entries(input.policy ?? {}).map(([pattern, rule]) => [pattern, toRule(rule)])),
    prefix: input.prefix ?? 'on-collision',
    acceptIn: input.acceptIn ?? 'page',
    acceptDestructiveInClient: input.acceptDestructiveInClient ?? false,
    holdMs: toMilliseconds(input.holdMs, 45_000),
    expiresMs: input.expires === null || input.expires === 0 ? null : toMilliseconds(input.expires, 86_400_000),
    maxWaiting: input.maxWaiting ?? 200,
    maxArgumentLength: input.maxArgumentLength ?? 1_000_000,
    startWaitMs: toMilliseconds(input.startWaitMs, 2_000),
    selection: input.selection ?? {},
    stateDirectory,
    storePath: input.store === undefined ? join(stateDirectory, 'toolgate.db') : path(input.store.path),
    environment: childEnvironment(environment),
  };
}

function toRule(rule: boolean | PolicyRule): PolicyRule {
  if (typeof rule === 'boolean') return rule ? 'confirm' : 'allow';
  return rule;
}

function toMilliseconds(value: number | string | undefined, standard: number): number {
  if (value === undefined) return standard;
  return typeof value === 'string' ? (parseDuration(value) ?? standard) : value;
}

/** One directory for each configuration file, so that two gateways never share a store by accident. */
function defaultStateDirectory(options: ResolveOptions): string {
  const { environment } = options;
  const base =
    environment['TOOLGATE_STATE_DIR'] ??
    join(
      environment['XDG_STATE_HOME'] ??
        environment['LOCALAPPDATA'] ??
        join(environment['HOME'] ?? homedir(), '.local', 'state'),
      'toolgate',
    );
  const digest = createHash('sha256')
    .update(options.file ?? options.directory)
    .digest('hex')
    .slice(0, 12);
  return join(base, digest);
}
