import { parseDuration } from './duration.ts';
import { fillPlaceholders } from './placeholders.ts';
import type { LimitInput, LimitsInput, ServerInput } from './input.ts';
import type { ServerConfig, ServerTimeouts, ServerTransport } from './types.ts';

/** Limits and trust for servers that do not say it themselves. */
export interface ServerDefaults extends LimitsInput {
  readonly trust?: 'none' | 'annotations' | undefined;
}

/** Values shorter than this are not treated as secrets: hiding every `1` would make messages unreadable. */
const shortestSecret = 6;

/**
 * One entry of `mcpServers` with its placeholders filled. What cannot be started (no program and no address, a variable that
 * is missing) is told in `problem`; it never stops the other servers.
 */
export function resolveServer(
  name: string,
  input: ServerInput,
  defaults: ServerDefaults,
  environment: Readonly<Record<string, string | undefined>>,
): ServerConfig {
  const problems: string[] = [];
  const secrets = new Set<string>();

  function fill(field: string, value: string, secret = false): string {
    const filled = fillPlaceholders(value, environment);
    for (const each of filled.missing) {
      problems.push(
        `${field} names the environment variable ${each.variable}, which is not set. Set it, or write \${${each.variable}:-default}.`,
      );
    }
    for (const each of filled.inserted) addSecret(each);
    if (secret) addSecret(filled.text);
    return filled.text;
  }
  function addSecret(value: string): void {
    if (value.length >= shortestSecret && value !== environment['HOME'] && value !== environment['USER'])
      secrets.add(value);
  }
  function fillAll(
    field: string,
    values: Readonly<Record<string, string | number | boolean>> | undefined,
  ): Record<string, string> {
    return Object.fromEntries(
      Object.entries(values ?? {}).map(([key, value]) => [key, fill(`${field}.${key}`, String(value), true)]),
    );
  }

  const transport = resolveTransport(input, problems, fill, fillAll);
  const timeout =
    input.timeout === undefined ? undefined : input.timeout < 1_000 ? input.timeout * 1_000 : input.timeout;
  const timeouts: ServerTimeouts = {
    connectMs: resolveLimit(input.connectTimeoutMs, defaults.connectTimeoutMs, 30_000),
    listMs: resolveLimit(input.listTimeoutMs, defaults.listTimeoutMs, 30_000),
    callMs: resolveLimit(input.callTimeoutMs ?? timeout, defaults.callTimeoutMs, 60_000),
    callTotalMs: resolveLimit(input.callTotalTimeoutMs, defaults.callTotalTimeoutMs, 600_000),
  };
  return {
    name,
    transport,
    disabled: input.disabled ?? (input.enabled === undefined ? false : !input.enabled),
    problem: problems.length === 0 ? undefined : problems.join(' '),
    trust: input.trust ?? defaults.trust ?? 'none',
    protocol: input.protocol ?? 'auto',
    shared: input.shared ?? false,
    timeouts,
    includeTools: input.includeTools,
    excludeTools: [...(input.excludeTools ?? []), ...(input.disabledTools ?? [])],
    description: input.description,
    maxTools: input.maxTools ?? defaults.maxTools ?? 2_000,
    secrets: [...secrets],
  };
}

function resolveTransport(
  input: ServerInput,
  problems: string[],
  fill: (field: string, value: string, secret?: boolean) => string,
  fillAll: (
    field: string,
    values: Readonly<Record<string, string | number | boolean>> | undefined,
  ) => Record<string, string>,
): ServerTransport {
  const url = input.url ?? input.serverUrl ?? input.httpUrl;
  if (input.command !== undefined && url === undefined) {
    return {
      type: 'stdio',
      command: fill('command', input.command),
      args: (input.args ?? []).map((value, index) => fill(`args[${index}]`, value)),
      env: fillAll('env', input.env),
      cwd: input.cwd === undefined ? undefined : fill('cwd', input.cwd),
    };
  }
  if (input.command !== undefined) problems.push('It has both a command and a url: keep one.');
  if (url === undefined) {
    problems.push('It has neither a command nor a url.');
    return { type: 'stdio', command: '', args: [], env: {} };
  }
  const filled = fill('url', url);
  if (!URL.canParse(filled) || !/^https?:$/.test(new URL(filled).protocol))
    problems.push('Its url is not an http or https address.');
  const said = input.type ?? input.transport;
  if (said === 'stdio') problems.push('Its type is stdio but it has a url.');
  const type = said === 'sse' ? 'sse' : said === undefined && input.httpUrl === undefined ? 'auto' : 'http';
  return { type, url: filled, headers: fillAll('headers', input.headers) };
}

/** The first limit that is said: 0 and null mean none. */
function resolveLimit(own: LimitInput | undefined, inherited: LimitInput | undefined, standard: number): number | null {
  const said = own === undefined ? inherited : own;
  if (said === undefined) return standard;
  const value = typeof said === 'string' ? (parseDuration(said) ?? standard) : said;
  return value === null || value === 0 ? null : value;
}
