/**
 * `src/eval/commands` holds what the program's `eval` and `cases` do: options in, text and an exit code out. It imports the
 * rest of `src/eval` and Node's file system; it reads no environment and never ends the process.
 */

/** Where a command writes, and whether a person watches. */
export interface CommandIo {
  /** Results. Text comes with its own line ends. */
  stdout(text: string): void;
  /** Progress, warnings and errors. */
  stderr(text: string): void;
  /** True when stderr is a terminal: progress may redraw its line. */
  readonly isTty: boolean;
}
