import { main } from '../../src/cli/main.ts';
import type { CommandIo } from '../../src/cli/io.ts';

/** What a command printed and how it ended. */
export interface CliResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the program in this process. */
export async function runCli(
  args: readonly string[],
  options: { readonly stdin?: string; readonly directory?: string; readonly signal?: AbortSignal } = {},
): Promise<CliResult> {
  let stdout = '';
  let stderr = '';
  const io: CommandIo = {
    stdout: (text) => {
      stdout += text;
    },
    stderr: (text) => {
      stderr += text;
    },
    readStdin: async () => options.stdin ?? null,
    isTty: false,
    isErrorTty: false,
    columns: 100,
    color: false,
    environment: { PATH: process.env['PATH'] },
    directory: options.directory ?? process.cwd(),
    signal: options.signal ?? new AbortController().signal,
  };
  const code = await main(args, io);
  return { code, stdout, stderr };
}
