import { Command, CommanderError } from 'commander';
import { ToolgateError, errorMessage, isToolgateError } from '../core/errors.ts';
import { commands } from './commands.ts';
import { exitCodes, processIo } from './io.ts';
import type { CommandIo } from './io.ts';
import { packageVersion } from './package-version.ts';

/** Errors that mean that the command line or a file it names is wrong. */
const usageCodes = new Set([
  'config-invalid',
  'dataset-invalid',
  'invalid-option',
  'invalid-tool',
  'invalid-schema',
  'duplicate-tool',
  'peer-missing',
]);

/** Runs the program and gives its exit code. Never throws. */
export async function main(args: readonly string[], given?: CommandIo): Promise<number> {
  const controller = new AbortController();
  // A terminal tells the whole group and a parent may tell again: the first one ends in order, only the third one at once.
  let interrupts = 0;
  const interrupt = (): void => {
    interrupts += 1;
    if (interrupts > 2) process.exit(exitCodes.interrupted);
    controller.abort(new ToolgateError('aborted', 'Interrupted.'));
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  const io = given ?? processIo(controller.signal);
  let code: number = exitCodes.ok;
  const program = createProgram(io, (value) => {
    code = value;
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    if (io.signal.aborted) return exitCodes.interrupted;
    return report(error, args.includes('--json'), io);
  } finally {
    process.removeListener('SIGINT', interrupt);
    process.removeListener('SIGTERM', interrupt);
  }
}

function report(error: unknown, json: boolean, io: CommandIo): number {
  if (isToolgateError(error)) {
    io.stderr(json ? `${JSON.stringify({ error })}\n` : `toolgate: ${error.message}\n`);
    return usageCodes.has(error.code) ? exitCodes.usage : exitCodes.failed;
  }
  io.stderr(
    json
      ? `${JSON.stringify({ error: { name: 'Error', code: 'internal', message: errorMessage(error), data: {} } })}\n`
      : `toolgate: ${errorMessage(error)}\n`,
  );
  return exitCodes.failed;
}

function createProgram(io: CommandIo, end: (code: number) => void): Command {
  const program = new Command('toolgate');
  program
    .description('Stands between a model and its tools: selects, searches, and makes risky calls wait for a person.')
    .version(packageVersion())
    .configureOutput({ writeOut: (text) => io.stdout(text), writeErr: (text) => io.stderr(text) })
    .exitOverride()
    .showSuggestionAfterError()
    .showHelpAfterError('(toolgate --help, or toolgate COMMAND --help, says what there is)')
    .addHelpText(
      'after',
      '\nExit codes: 0 done, 1 failed, 2 wrong command line or file, 3 the answer is no, 130 interrupted.',
    );
  for (const add of commands) add(program, io, end);
  for (const command of program.commands) settle(command, io);
  return program;
}

/** What commander keeps for each command: errors are thrown, words go to the io. */
function settle(command: Command, io: CommandIo): void {
  command
    .exitOverride()
    .showHelpAfterError('(--help says what there is)')
    .configureOutput({ writeOut: (text) => io.stdout(text), writeErr: (text) => io.stderr(text) });
  for (const inner of command.commands) settle(inner, io);
}
