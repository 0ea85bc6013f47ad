import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { Command } from 'commander';
import type { GatewayConfig } from '../../config/types.ts';
import { loadConfig } from '../../config/load-config.ts';
import { ToolgateError } from '../../core/errors.ts';
import { cleanStandardOutput } from '../../gateway/clean-standard-output.ts';
import { shortReason } from '../../gateway/short-reason.ts';
import { startGateway } from '../../gateway/start-gateway.ts';
import type { Gateway } from '../../gateway/start-gateway.ts';
import type { UpstreamStatus } from '../../gateway/types.ts';
import { defaultConfigFile } from '../config-file.ts';
import { errorLogger } from '../error-logger.ts';
import { exitCodes } from '../io.ts';
import type { CommandIo } from '../io.ts';
import { portOption } from '../option-values.ts';

/** How long the address is held back for servers that are still starting; they join later without it. */
const startPatienceMs = 8_000;

interface ServeOptions {
  readonly config?: string;
  readonly port?: number;
  readonly host?: string;
  readonly mode?: string;
  readonly state?: string;
  readonly stdio?: boolean;
  readonly auth: boolean;
  readonly try?: string;
  readonly verbose?: boolean;
  readonly json?: boolean;
}

/** `toolgate serve`: the gateway. */
export function addServeCommand(program: Command, io: CommandIo, end: (code: number) => void): void {
  program
    .command('serve')
    .description('Run the gateway: one MCP server in front of many, with a page where a person decides.')
    .option('--config <file>', `the configuration (default ${defaultConfigFile})`)
    .option('--port <port>', 'where to listen; 0 is any free one', portOption)
    .option('--host <address>', 'the address to listen on (default 127.0.0.1)')
    .option('--mode <mode>', 'what clients are shown: search (a fixed small surface), all, or auto')
    .option(
      '--state <directory>',
      'where tokens, tool lists and the store are kept (default: as the configuration says, else below your own state directory)',
    )
    .option('--stdio', 'also speak MCP over standard input and output')
    .option('--no-auth', 'ask nobody for a token; only on a machine that nobody else can reach')
    .option('--try <line>', 'a command to suggest when everything runs')
    .option('--verbose', 'log what happens, on standard error')
    .option('--json', 'one line of JSON for each event instead of text')
    .action(async (options: ServeOptions) => end(await serve(options, io)));
}

async function serve(options: ServeOptions, io: CommandIo): Promise<number> {
  const config = await readConfig(options, io);
  const progress = progressWriter(options, io);
  // Libraries that write to the console must not come between lines that programs read.
  const restoreConsole = cleanStandardOutput();
  try {
    const gateway = await startGateway(config, {
      stdio: options.stdio === true,
      logger: errorLogger(io, options.verbose === true ? 'debug' : 'error'),
      onProgress: progress.status,
    });
    try {
      progress.started(gateway, config);
      const statuses = await Promise.race([gateway.settled(startPatienceMs), aborted(io.signal)]);
      if (statuses !== undefined) progress.ready(gateway, statuses, config);
      await Promise.race(options.stdio === true ? [aborted(io.signal), gateway.stdioEnded] : [aborted(io.signal)]);
    } finally {
      await gateway.close();
    }
  } finally {
    restoreConsole();
  }
  progress.closed();
  return exitCodes.ok;
}

async function readConfig(options: ServeOptions, io: CommandIo): Promise<GatewayConfig> {
  const file = resolve(io.directory, options.config ?? defaultConfigFile);
  if (options.config === undefined && !existsSync(file)) {
    throw new ToolgateError(
      'config-invalid',
      `There is no ${defaultConfigFile} in ${io.directory}. Make one with the "mcpServers" block of your client ("toolgate import" takes it over), or name a file with --config.`,
      { data: { file } },
    );
  }
  const { config, warnings } = await loadConfig(file, { environment: io.environment });
  for (const { line, column, message } of warnings) {
    io.stderr(
      `${file}${line === undefined ? '' : `:${line}${column === undefined ? '' : `:${column}`}`}: warning: ${message}\n`,
    );
  }
  if (options.mode !== undefined && !['search', 'all', 'auto'].includes(options.mode)) {
    throw new ToolgateError(
      'invalid-option',
      `--mode must be search, all or auto, not ${JSON.stringify(options.mode)}.`,
      { data: { option: 'mode' } },
    );
  }
  const state = options.state === undefined ? undefined : resolve(io.directory, options.state);
  return {
    ...config,
    ...(options.port === undefined ? {} : { port: options.port }),
    ...(options.host === undefined ? {} : { host: options.host }),
    ...(options.mode === undefined ? {} : { mode: options.mode as GatewayConfig['mode'] }),
    ...(options.auth ? {} : { auth: false }),
    ...(state === undefined ? {} : { stateDirectory: state, storePath: resolve(state, basename(config.storePath)) }),
  };
}

interface ProgressWriter {
  readonly status: (status: UpstreamStatus) => void;
  started(gateway: Gateway, config: GatewayConfig): void;
  ready(gateway: Gateway, statuses: readonly UpstreamStatus[], config: GatewayConfig): void;
  closed(): void;
}

/** With `--stdio` standard output belongs to the protocol, so people are told on standard error. */
function progressWriter(options: ServeOptions, io: CommandIo): ProgressWriter {
  const write = options.stdio === true ? io.stderr : io.stdout;
  if (options.json === true) {
    const line = (event: object): void => write(`${JSON.stringify(event)}\n`);
    return {
      status: (status) => line({ event: 'server', ...status }),
      started: (gateway) =>
        line({ event: 'listening', url: gateway.url, mcpUrl: gateway.mcpUrl, pageUrl: gateway.pageUrl }),
      ready: (gateway, servers) =>
        line({
          event: 'ready',
          url: gateway.url,
          mcpUrl: gateway.mcpUrl,
          pageUrl: gateway.pageUrl,
          startLink: gateway.startLink(),
          servers,
        }),
      closed: () => line({ event: 'closed' }),
    };
  }
  const seen = new Map<string, string>();
  return {
    status(status) {
      // That a server is starting was said in the first line; here comes what became of it.
      if (
        status.state === 'connecting' ||
        (status.state === 'stale' && status.reason?.includes('still starting') === true)
      )
        return;
      const text = statusLine(status);
      if (seen.get(status.name) === text) return;
      seen.set(status.name, text);
      write(text);
    },
    started: (gateway, config) =>
      write(
        `toolgate listens on ${gateway.url} and starts ${config.servers.map(({ name }) => name).join(', ') || 'no servers'} …\n`,
      ),
    ready: (gateway, statuses, config) => write(readyText(gateway, statuses, config, options)),
    closed: () => write('Stopped.\n'),
  };
}

function statusLine(status: UpstreamStatus): string {
  const mark = { ready: '✓', stale: '~', connecting: '…', failed: '✗', disabled: '-' }[status.state];
  const tools =
    status.state === 'ready' || status.state === 'stale'
      ? `, ${status.tools} ${status.tools === 1 ? 'tool' : 'tools'}`
      : '';
  return `  ${mark} ${status.name}: ${status.state}${tools}${status.reason === undefined ? '' : ` (${shortReason(status.reason)})`}\n`;
}

function readyText(
  gateway: Gateway,
  statuses: readonly UpstreamStatus[],
  config: GatewayConfig,
  options: ServeOptions,
): string {
  const missing = statuses.filter(({ state }) => state === 'failed' || state === 'connecting');
  const tools = statuses.reduce((sum, status) => sum + status.tools, 0);
  const answering = statuses.filter(({ state }) => state === 'ready' || state === 'stale').length;
  const lines = [
    '',
    `Ready: ${tools} tools of ${answering} ${answering === 1 ? 'server' : 'servers'} behind one address.`,
  ];
  if (missing.length > 0)
    lines.push(
      `Missing: ${missing.map(({ name, reason }) => `${name} (${reason === undefined ? 'still starting, joins when it answers' : shortReason(reason)})`).join('; ')}`,
    );
  lines.push(
    '',
    `  For you, to decide:    ${config.auth ? gateway.startLink() : gateway.pageUrl}`,
    `  For your MCP client:   ${gateway.mcpUrl}`,
    ...(config.auth && gateway.tokens !== undefined
      ? [`    with the header      Authorization: Bearer ${gateway.tokens.caller}`]
      : []),
  );
  if (options.try !== undefined) {
    lines.push('', '  Try it in a second terminal:', ...options.try.split('\\n').map((line) => `    ${line}`));
  }
  lines.push('', waitingRule(config), 'Ctrl-C stops the gateway; what waits is kept.', '');
  return `${lines.join('\n')}\n`;
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((done) => {
    if (signal.aborted) done(undefined);
    else signal.addEventListener('abort', () => done(undefined), { once: true });
  });
}

/** What waits without any rule of one's own, in one sentence. */
function waitingRule(config: GatewayConfig): string {
  const trusted = config.servers.filter(({ trust }) => trust === 'annotations').map(({ name }) => name);
  if (trusted.length === 0)
    return 'Every call waits on the page until you decide. "trust": "annotations" lets what a server calls harmless run; "policy" has your own rules.';
  const which =
    trusted.length === config.servers.length ? 'the servers (trusted)' : `the trusted servers (${trusted.join(', ')})`;
  return `Calls that may destroy or overwrite wait on the page until you decide; what ${which} call harmless runs at once.`;
}
