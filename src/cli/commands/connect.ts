import { resolve } from 'node:path';
import type { Command } from 'commander';
import { ToolgateError } from '../../core/errors.ts';
import { loadTokens } from '../../gateway/tokens.ts';
import { defaultConfigFile } from '../config-file.ts';
import { connectToGateway } from '../gateway-client.ts';
import type { GatewayClientOptions } from '../gateway-client.ts';
import { exitCodes } from '../io.ts';
import type { CommandIo } from '../io.ts';
import { stateDirectoryOf } from '../state-directory.ts';

interface ConnectOptions extends GatewayClientOptions {
  readonly stdio?: boolean;
  readonly config?: string;
  readonly json?: boolean;
}

/** How each client writes a server down, and where. */
const clients: Readonly<
  Record<
    string,
    {
      readonly file: string;
      readonly key: string;
      readonly address?: 'url' | 'serverUrl' | 'none';
      readonly type?: 'http';
    }
  >
> = {
  'claude-desktop': {
    file: 'claude_desktop_config.json (Settings, Developer, Edit Config)',
    key: 'mcpServers',
    address: 'none',
  },
  'claude-code': { file: '.mcp.json in your project', key: 'mcpServers', type: 'http' },
  cursor: { file: '.cursor/mcp.json in your project, or ~/.cursor/mcp.json', key: 'mcpServers' },
  vscode: { file: '.vscode/mcp.json in your project', key: 'servers', type: 'http' },
  windsurf: { file: '~/.codeium/windsurf/mcp_config.json', key: 'mcpServers', address: 'serverUrl' },
};

/** `toolgate connect`: what to put into a client's configuration. It prints, and changes nobody's files. */
export function addConnectCommand(program: Command, io: CommandIo, end: (code: number) => void): void {
  program
    .command('connect [client]')
    .description(`Print what a client's configuration needs: ${Object.keys(clients).join(', ')}.`)
    .option('--stdio', 'let the client start the gateway itself, over standard input and output')
    .option('--config <file>', `with --stdio: the gateway's configuration (default ${defaultConfigFile})`)
    .option('--gateway <address>', 'the running gateway (default: what the state directory says)')
    .option(
      '--state <directory>',
      'where it keeps its tokens (default: as the configuration here says, else .toolgate)',
    )
    .option('--json', 'only the JSON')
    .action(async (client: string | undefined, options: ConnectOptions) =>
      end(await connect(client ?? 'claude-code', options, io)),
    );
}

async function connect(name: string, options: ConnectOptions, io: CommandIo): Promise<number> {
  const client = Object.hasOwn(clients, name) ? clients[name] : undefined;
  if (client === undefined) {
    throw new ToolgateError(
      'invalid-option',
      `There is no client ${JSON.stringify(name)} here. Known are: ${Object.keys(clients).join(', ')}.`,
      { data: { option: 'client' } },
    );
  }
  const onlyStarts = client.address === 'none';
  if (onlyStarts && options.stdio !== true)
    io.stderr(`${name} starts its servers itself and takes no address, so it gets the command.\n`);
  const server = options.stdio === true || onlyStarts ? standardInput(options, io) : await address(client, options, io);
  const text = JSON.stringify({ [client.key]: { toolgate: server } }, null, 2);
  if (options.json !== true)
    io.stderr(
      `For ${name} (others: ${Object.keys(clients)
        .filter((other) => other !== name)
        .join(', ')}). Put this into ${client.file}:\n\n`,
    );
  io.stdout(`${text}\n`);
  return exitCodes.ok;
}

function standardInput(options: ConnectOptions, io: CommandIo): object {
  return {
    command: 'npx',
    args: [
      '-y',
      'toolgate',
      'serve',
      '--stdio',
      '--config',
      resolve(io.directory, options.config ?? defaultConfigFile),
    ],
  };
}

async function address(client: (typeof clients)[string], options: ConnectOptions, io: CommandIo): Promise<object> {
  const gateway = await connectToGateway(options, io);
  const { caller } = await loadTokens(await stateDirectoryOf(options.state, io));
  return {
    ...(client.type === undefined ? {} : { type: client.type }),
    [client.address ?? 'url']: `${gateway.url}/mcp`,
    headers: { Authorization: `Bearer ${caller}` },
  };
}
