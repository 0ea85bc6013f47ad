/**
 * `src/cli` is the program: it reads the command line and the environment, calls what the package offers, and writes
 * results to standard output and everything else to standard error. It may import everything.
 */

/** The outside of a command, so that commands can be tested without a process. */
export interface CommandIo {
  /** Results only. */
  readonly stdout: (text: string) => void;
  /** Progress, warnings and errors. */
  readonly stderr: (text: string) => void;
  /** All of standard input, or null when it is a terminal. */
  readonly readStdin: () => Promise<string | null>;
  /** True when standard output is a terminal. */
  readonly isTty: boolean;
  /** True when standard error is a terminal, so that progress may overwrite its line. */
  readonly isErrorTty: boolean;
  readonly columns: number;
  readonly color: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly directory: string;
  /** Aborted when the person interrupts. */
  readonly signal: AbortSignal;
}

/** What a command ends with. The same for all commands. */
export const exitCodes = {
  /** Done. */
  ok: 0,
  /** It was tried and failed; the message says why. */
  failed: 1,
  /** The command line, the configuration or an input file is wrong. */
  usage: 2,
  /** It ran, and the answer is no: a check found something, nothing was found, a decision was refused. */
  no: 3,
  /** The person interrupted. */
  interrupted: 130,
} as const;

/** The io of this process. */
export function processIo(signal: AbortSignal): CommandIo {
  const { stdout, stderr, stdin, env } = process;
  // Whoever reads the output may have seen enough (`| head`): that is no fault.
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(exitCodes.ok);
      throw error;
    });
  }
  return {
    stdout: (text) => void stdout.write(text),
    stderr: (text) => void stderr.write(text),
    async readStdin() {
      if (stdin.isTTY === true) return null;
      const pieces: Buffer[] = [];
      for await (const piece of stdin) pieces.push(piece as Buffer);
      return Buffer.concat(pieces).toString('utf8');
    },
    isTty: stdout.isTTY === true,
    isErrorTty: stderr.isTTY === true,
    columns: stdout.columns ?? 100,
    color: stdout.isTTY === true && env['NO_COLOR'] === undefined && env['TERM'] !== 'dumb',
    environment: env,
    directory: process.cwd(),
    signal,
  };
}
