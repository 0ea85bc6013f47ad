import { Console } from 'node:console';
import process from 'node:process';

/**
 * Over standard output a client reads protocol messages and nothing else, but libraries write to the console. Sends everything
 * written there to standard error, until the returned function is called.
 */
export function cleanStandardOutput(): () => void {
  const before = globalThis.console;
  globalThis.console = new Console({ stdout: process.stderr, stderr: process.stderr });
  return () => {
    globalThis.console = before;
  };
}
