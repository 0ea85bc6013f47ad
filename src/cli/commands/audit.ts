import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { loadConfig } from '../../config/load-config.ts';
import type { AuditRow } from '../../confirm/records.ts';
import { verifyAudit } from '../../confirm/verify-audit.ts';
import { ToolgateError } from '../../core/errors.ts';
import { sqliteStore } from '../../stores/sqlite/index.ts';
import { safeLine } from '../../text/safe-plain.ts';
import { exitCodes } from '../io.ts';
import type { CommandIo } from '../io.ts';
import { stateDirectoryOf } from '../state-directory.ts';

interface AuditOptions {
  readonly store?: string;
  readonly config?: string;
  readonly state?: string;
  readonly json?: boolean;
}

/** `toolgate audit`: reads and checks the record of who decided what. */
export function addAuditCommand(program: Command, io: CommandIo, end: (code: number) => void): void {
  const audit = program.command('audit').description('Read and check the record of what was asked, decided and run.');
  const source = (command: Command): Command =>
    command
      .option('--store <file>', 'the SQLite file of the store')
      .option('--config <file>', 'or the configuration that names it')
      .option(
        '--state <directory>',
        'or where the gateway keeps its state (default: as the configuration here says, else .toolgate)',
      )
      .option('--json', 'as JSON');
  source(audit.command('verify'))
    .description(
      'Check every hash chain, and with TOOLGATE_SECRET every signed checkpoint. Ends with 3 when something was changed.',
    )
    .action(async (options: AuditOptions) => end(await verify(options, io)));
  source(audit.command('show <id>'))
    .description('Everything that happened to one confirmation.')
    .action(async (id: string, options: AuditOptions) => end(await show(id, options, io)));
}

async function openStore(options: AuditOptions, io: CommandIo): Promise<ReturnType<typeof sqliteStore>> {
  const file = resolve(io.directory, options.store ?? (await storeOf(options, io)));
  if (!existsSync(file))
    throw new ToolgateError('invalid-option', `There is no store ${file}.`, { data: { option: 'store' } });
  return sqliteStore({ path: file });
}

async function storeOf(options: AuditOptions, io: CommandIo): Promise<string> {
  if (options.config !== undefined)
    return (await loadConfig(resolve(io.directory, options.config), { environment: io.environment })).config.storePath;
  return join(await stateDirectoryOf(options.state, io), 'toolgate.db');
}

async function verify(options: AuditOptions, io: CommandIo): Promise<number> {
  const store = await openStore(options, io);
  try {
    const secret = io.environment['TOOLGATE_SECRET'];
    const report = await verifyAudit(store, secret === undefined ? {} : { secret });
    if (options.json === true) io.stdout(`${JSON.stringify(report, null, 2)}\n`);
    else {
      io.stdout(
        `${report.chains} chains, ${report.rows} entries, ${report.checkpoints} checkpoints${secret === undefined ? ' (signatures not checked: TOOLGATE_SECRET is not set)' : ''}\n`,
      );
      for (const { chain, sequence, problem } of report.problems)
        io.stdout(`✗ ${safeLine(chain)}, entry ${sequence}: ${problem}\n`);
      io.stdout(
        report.problems.length === 0
          ? 'Whole and unchanged.\n'
          : `${report.problems.length} problems: the record was changed outside toolgate.\n`,
      );
    }
    return report.problems.length === 0 ? exitCodes.ok : exitCodes.no;
  } finally {
    await store.close();
  }
}

async function show(id: string, options: AuditOptions, io: CommandIo): Promise<number> {
  const store = await openStore(options, io);
  try {
    const rows: AuditRow[] = [];
    for (;;) {
      const page = await store.readAudit(id, rows.length + 1);
      rows.push(...page);
      if (page.length === 0) break;
    }
    if (rows.length === 0)
      throw new ToolgateError('pause-not-found', `There is no record of ${id}.`, { data: { pause: id } });
    if (options.json === true) io.stdout(`${JSON.stringify(rows, null, 2)}\n`);
    else
      for (const row of rows)
        io.stdout(
          `${String(row.sequence).padStart(3)}  ${new Date(row.at).toISOString()}  ${row.kind.padEnd(12)} ${row.key ?? ''}  ${safeLine(JSON.stringify(row.body))}\n`,
        );
    return exitCodes.ok;
  } finally {
    await store.close();
  }
}
