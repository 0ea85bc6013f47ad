import type { Command } from 'commander';
import { addCallCommand } from './commands/call.ts';
import { addDemoCommand } from './commands/demo.ts';
import { addEvalCommands } from './commands/eval.ts';
import { addInboxCommands } from './commands/inbox.ts';
import { addSearchCommand } from './commands/search.ts';
import { addSelectCommand } from './commands/select.ts';
import { addServeCommand } from './commands/serve.ts';
import { addToolsCommand } from './commands/tools.ts';
import { addConnectCommand } from './commands/connect.ts';
import { addImportCommand } from './commands/import.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addTailCommand } from './commands/tail.ts';
import { addAuditCommand } from './commands/audit.ts';
import { addPolicyCommand } from './commands/policy.ts';
import { addReportCommand } from './commands/report.ts';
import { addTuneCommand } from './commands/tune.ts';
import type { CommandIo } from './io.ts';

/** Adds one command to the program. Its action gives the exit code to `end`. */
export type AddCommand = (program: Command, io: CommandIo, end: (code: number) => void) => void;

/** In the order in which `--help` lists them. */
export const commands: readonly AddCommand[] = [
  addServeCommand,
  addDemoCommand,
  addToolsCommand,
  addSelectCommand,
  addSearchCommand,
  addCallCommand,
  addInboxCommands,
  addTailCommand,
  addAuditCommand,
  addPolicyCommand,
  addEvalCommands,
  addReportCommand,
  addTuneCommand,
  addImportCommand,
  addConnectCommand,
  addDoctorCommand,
];
