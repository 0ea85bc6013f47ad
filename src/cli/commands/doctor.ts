import { access, constants, mkdir } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { createRegistry } from '../../catalog/registry.ts';
import { loadConfig } from '../../config/load-config.ts';
import type { GatewayConfig } from '../../config/types.ts';
import { errorMessage } from '../../core/errors.ts';
import { findRunningGateway } from '../../gateway/process-lock.ts';
import { safeLine } from '../../text/safe-plain.ts';
import { defaultConfigFile } from '../config-file.ts';
import { exitCodes } from '../io.ts';
import type { CommandIo } from '../io.ts';
import { startServers } from '../start-servers.ts';

/** One thing that was looked at. */
interface Finding {
  readonly level: 'ok' | 'note' | 'problem';
  readonly what: string;
}

/** `toolgate doctor`: what is wrong before anything is started. */
export function addDoctorCommand(program: Command, io: CommandIo, end: (code: number) => void): void {
  program
    .command('doctor')
    .description(
      'Check the configuration, start every server once, and say what is wrong and what to do. Ends with 3 when something is.',
    )
    .option('--config <file>', `the configuration (default ${defaultConfigFile})`)
    .option('--json', 'the findings as JSON')
    .action(async (options: { readonly config?: string; readonly json?: boolean }) => end(await doctor(options, io)));
}

async function doctor(options: { readonly config?: string; readonly json?: boolean }, io: CommandIo): Promise<number> {
  const findings: Finding[] = [];
  const mark = { ok: '✓', note: '·', problem: '✗' };
  const add = (level: Finding['level'], what: string): void => {
    findings.push({ level, what });
    if (options.json !== true) io.stdout(`${mark[level]} ${safeLine(what)}\n`);
  };
  add('ok', `Node.js ${process.versions.node}`);
  const config = await checkConfig(options.config, add, io);
  if (config !== undefined) {
    await checkState(config, add);
    await checkPort(config, add);
    await checkServers(config, add, io);
  }
  if (options.json === true) io.stdout(`${JSON.stringify(findings, null, 2)}\n`);
  const problems = findings.filter(({ level }) => level === 'problem').length;
  if (options.json !== true)
    io.stdout(problems === 0 ? 'Nothing wrong.\n' : `${problems} ${problems === 1 ? 'problem' : 'problems'}.\n`);
  return problems === 0 ? exitCodes.ok : exitCodes.no;
}

type Add = (level: Finding['level'], what: string) => void;

async function checkConfig(given: string | undefined, add: Add, io: CommandIo): Promise<GatewayConfig | undefined> {
  const file = resolve(io.directory, given ?? defaultConfigFile);
  if (!existsSync(file)) {
    add(
      'problem',
      `There is no ${file}. "toolgate import --out ${defaultConfigFile}" takes over the servers of your clients.`,
    );
    return undefined;
  }
  try {
    const { config, warnings } = await loadConfig(file, { environment: io.environment });
    add('ok', `${file}: ${config.servers.length} servers`);
    for (const { line, message } of warnings) add('note', `${file}${line === undefined ? '' : `:${line}`}: ${message}`);
    return config;
  } catch (error) {
    add('problem', errorMessage(error));
    return undefined;
  }
}

async function checkState(config: GatewayConfig, add: Add): Promise<void> {
  try {
    await mkdir(config.stateDirectory, { recursive: true, mode: 0o700 });
    await access(config.stateDirectory, constants.W_OK);
    add('ok', `${config.stateDirectory} can be written`);
  } catch (error) {
    add('problem', `The state directory ${config.stateDirectory} cannot be written: ${errorMessage(error)}`);
  }
}

async function checkPort(config: GatewayConfig, add: Add): Promise<void> {
  const running = await findRunningGateway(config.stateDirectory);
  if (running !== undefined) {
    add('ok', `A gateway runs here already, on ${running.url}`);
    return;
  }
  if (config.port === 0) return;
  const server = createServer();
  const error = await new Promise<Error | undefined>((done) => {
    server.once('error', done);
    server.listen(config.port, config.host, () => done(undefined));
  });
  server.close();
  if (error === undefined) add('ok', `port ${config.port} is free`);
  else
    add(
      'problem',
      `Port ${config.port} on ${config.host} cannot be used: ${error.message}. Choose another with --port or "port".`,
    );
}

async function checkServers(config: GatewayConfig, add: Add, io: CommandIo): Promise<void> {
  const servers = await startServers(config, io.signal);
  try {
    for (const { name, state, tools, reason } of servers.statuses) {
      if (state === 'ready') add(tools > 0 ? 'ok' : 'note', `${name}: ${tools} tools`);
      else
        add(state === 'disabled' ? 'note' : 'problem', `${name}: ${state}${reason === undefined ? '' : `, ${reason}`}`);
    }
    const registry = createRegistry({ providers: servers.providers, prefix: config.prefix });
    const catalogue = await registry.catalogue({
      userMessage: { role: 'user', content: '' },
      messages: [],
      invocation: { id: 'doctor', attributes: {} },
      signal: io.signal,
    });
    for (const problem of catalogue.problems) {
      add(problem.code === 'renamed-tool' || problem.code === 'repaired-schema' ? 'note' : 'problem', problem.message);
    }
    const tokens = catalogue.tools.reduce((sum, tool) => sum + tool.tokens, 0);
    add(
      'ok',
      `${catalogue.tools.length} tools in all, about ${tokens.toLocaleString('en')} tokens if a client were shown all of them`,
    );
  } finally {
    await servers.close();
  }
}
