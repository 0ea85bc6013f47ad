import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { parseJsonWithPositions } from '../../config/json-with-positions.ts';
import { ToolgateError, errorMessage } from '../../core/errors.ts';
import { isPlainObject } from '../../core/json.ts';
import { safeLine } from '../../text/safe-plain.ts';
import { defaultConfigFile } from '../config-file.ts';
import { exitCodes } from '../io.ts';
import type { CommandIo } from '../io.ts';
import { table } from '../table.ts';

interface ImportOptions {
  readonly out?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** `toolgate import`: takes over the servers of the clients on this machine. */
export function addImportCommand(program: Command, io: CommandIo, end: (code: number) => void): void {
  program
    .command('import [files...]')
    .description('Find the MCP servers that clients on this machine use, and write them into one configuration.')
    .option('--out <file>', `write the configuration there, for example ${defaultConfigFile}; without it, only list`)
    .option('--force', 'replace a file that is there')
    .option('--json', 'the configuration on standard output')
    .action((files: string[], options: ImportOptions) => end(takeOver(files, options, io)));
}

interface Found {
  readonly file: string;
  readonly name: string;
  readonly server: Readonly<Record<string, unknown>>;
}

function takeOver(files: readonly string[], options: ImportOptions, io: CommandIo): number {
  const found: Found[] = [];
  const places =
    files.length > 0
      ? files.map((file) => resolve(io.directory, file))
      : knownPlaces(io).filter((file) => existsSync(file));
  for (const file of places) found.push(...read(file, files.length > 0, io));
  const servers: Record<string, unknown> = {};
  const rows = found.map(({ file, name, server }) => {
    let own = name;
    for (
      let number = 2;
      Object.hasOwn(servers, own) && JSON.stringify(servers[own]) !== JSON.stringify(server);
      number += 1
    )
      own = `${name}-${number}`;
    servers[own] = server;
    const how =
      typeof server['url'] === 'string'
        ? server['url']
        : [server['command'], ...(Array.isArray(server['args']) ? (server['args'] as unknown[]) : [])].join(' ');
    return [safeLine(own), safeLine(how), safeLine(file)];
  });
  if (found.length === 0) {
    io.stderr(`No servers found in: ${places.join(', ') || knownPlaces(io).join(', ')}\n`);
    return exitCodes.no;
  }
  const text = `${JSON.stringify({ mcpServers: servers }, null, 2)}\n`;
  if (options.json === true) io.stdout(text);
  else
    io.stdout(
      table([{ title: 'server' }, { title: 'how it is reached', maximum: 60 }, { title: 'from', maximum: 60 }], rows),
    );
  if (options.out === undefined) return exitCodes.ok;
  const out = resolve(io.directory, options.out);
  if (existsSync(out) && options.force !== true) {
    throw new ToolgateError(
      'invalid-option',
      `${out} is there already. Name another file, or say --force to replace it.`,
      { data: { option: 'out' } },
    );
  }
  writeFileSync(out, text, { mode: 0o600 });
  io.stderr(`Wrote ${out}. Start with: toolgate serve --config ${options.out}\n`);
  return exitCodes.ok;
}

function read(file: string, mustExist: boolean, io: CommandIo): Found[] {
  let value: unknown;
  try {
    ({ value } = parseJsonWithPositions(readFileSync(file, 'utf8')));
  } catch (error) {
    if (mustExist)
      throw new ToolgateError('config-invalid', `Cannot read ${file}: ${errorMessage(error)}`, {
        data: { file },
        cause: error,
      });
    io.stderr(`${file}: left out, ${errorMessage(error)}\n`);
    return [];
  }
  const block = isPlainObject(value)
    ? (value['mcpServers'] ?? value['servers'] ?? (isPlainObject(value['mcp']) ? value['mcp']['servers'] : undefined))
    : undefined;
  if (!isPlainObject(block)) return [];
  return Object.entries(block).flatMap(([name, server]) =>
    isPlainObject(server) && name !== 'toolgate' ? [{ file, name, server }] : [],
  );
}

/** Where the common clients keep their servers. */
function knownPlaces(io: CommandIo): string[] {
  const home = io.environment['HOME'] ?? homedir();
  const application = io.environment['APPDATA'] ?? join(home, 'AppData', 'Roaming');
  return [
    join(io.directory, '.mcp.json'),
    join(io.directory, '.cursor', 'mcp.json'),
    join(io.directory, '.vscode', 'mcp.json'),
    join(home, '.claude.json'),
    join(home, '.cursor', 'mcp.json'),
    join(home, '.codeium', 'windsurf', 'mcp_config.json'),
    join(home, '.config', 'Claude', 'claude_desktop_config.json'),
    join(home, 'Library', 'Application Support', 'Claude', 'claude_desktop_config.json'),
    join(application, 'Claude', 'claude_desktop_config.json'),
  ];
}
