import type { Command } from 'commander';
import { runCasesCommand } from '../../eval/commands/run-cases-command.ts';
import type { CasesCommandOptions } from '../../eval/commands/run-cases-command.ts';
import { runEvalCommand } from '../../eval/commands/run-eval-command.ts';
import type { EvalCommandOptions } from '../../eval/commands/eval-options.ts';
import type { CommandIo } from '../io.ts';

function collect(value: string, before: readonly string[]): string[] {
  return [...before, value];
}

/** `toolgate eval` and `toolgate cases`: measuring on one's own cases. */
export function addEvalCommands(program: Command, io: CommandIo, end: (code: number) => void): void {
  program
    .command('eval')
    .description('Measure on labelled cases how well tools are found and selected.')
    .option('--set <name=directory>', 'a set: a folder with tools.jsonl and cases.jsonl; may be repeated', collect, [])
    .option(
      '--scorer <scorer>',
      'local, bm25, simple, hybrid, or the path of a module that exports createScorer',
      'local',
    )
    .option('--window <window>', 'what the scorer sees: conversation or last', 'conversation')
    .option('--sample <count>', 'at most so many cases of each set, or "all" (default 2000)')
    .option('--seed <number>', 'of the sample and of the intervals', '1')
    .option('--min-probability <share>', 'select tools of at least this probability')
    .option('--expected-recall <share>', 'select the most probable tools until they hold this share of the useful ones')
    .option('--max-tools <count>', 'with --expected-recall: at most so many')
    .option('--misses [count]', 'list cases in which something needed ranks low')
    .option('--against <file>', "an older run's JSON to compare with")
    .option('--fail-on-regression', 'exit with 3 when a metric is significantly worse than in the older run')
    .option('--html <file>', 'write a report with plots')
    .option('--out <file>', 'also write the run as JSON to a file')
    .option('--no-per-case', 'leave values of single cases out of the JSON')
    .option('--json', 'print the run as JSON')
    .action(async (options: EvalCommandOptions) =>
      end(
        await runEvalCommand(
          { ...options, directory: io.directory, signal: io.signal },
          { ...io, isTty: io.isErrorTty },
        ),
      ),
    );
  program
    .command('cases')
    .description('Turn recorded conversations into cases for "toolgate eval", and label them in the terminal.')
    .option('--from <file>', 'recorded conversations, JSON or one value a line; may be repeated', collect, [])
    .option('--tools <file>', 'the tools the conversations could use, in the form of tools.jsonl')
    .option('--out <file>', 'where labelled cases are added, in the form of cases.jsonl')
    .option('--accept-calls', 'take what was called as the label, without asking')
    .option('--drafts', 'print the drafts as JSON lines and label nothing')
    .action(async (options: CasesCommandOptions) =>
      end(await runCasesCommand({ ...options, directory: io.directory }, { ...io, isTty: io.isErrorTty })),
    );
}
