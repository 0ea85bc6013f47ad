import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';

/** The program as it is shipped. `npm test` builds it first. */
export const program: string = fileURLToPath(new URL('../../bin/toolgate.js', import.meta.url));
/** False in a tree that was not built: the tests of whole processes are skipped there. */
export const isBuilt: boolean = existsSync(fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url)));

/** A gateway in a process of its own. */
export interface GatewayProcess {
  readonly process: ChildProcess;
  readonly url: string;
  readonly mcpUrl: string;
  readonly tokens: { readonly caller: string; readonly approver: string };
  readonly output: () => string;
  /** Resolves with the code or the signal. */
  readonly exit: Promise<number | string>;
  kill(signal: 'SIGKILL' | 'SIGTERM' | 'SIGINT'): Promise<number | string>;
}

/** Starts `toolgate serve` and waits until every server has answered or failed once. */
export async function startGatewayProcess(
  configFile: string,
  stateDirectory: string,
  more: readonly string[] = [],
): Promise<GatewayProcess> {
  const child = spawn(process.execPath, [program, 'serve', '--config', configFile, '--json', ...more], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const ready = new Promise<Record<string, unknown>>((resolve, reject) => {
    let rest = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      rest += text;
      const lines = rest.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const event = JSON.parse(line) as Record<string, unknown>;
        if (event['event'] === 'ready') resolve(event);
      }
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.once('exit', (code) => reject(new Error(`The gateway ended with ${String(code)}: ${output}`)));
  });
  const exit = new Promise<number | string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? code ?? 'nothing'));
  });
  const event = await ready;
  return {
    process: child,
    url: String(event['url']),
    mcpUrl: String(event['mcpUrl']),
    tokens: JSON.parse(await readFile(join(stateDirectory, 'tokens.json'), 'utf8')) as GatewayProcess['tokens'],
    output: () => output,
    exit,
    kill(signal) {
      child.kill(signal);
      return exit;
    },
  };
}

/** The processes that were started by a process, and by those, from the system's own table. */
export async function descendantsOf(pid: number): Promise<readonly number[]> {
  const { readdir } = await import('node:fs/promises');
  const parents = new Map<number, number>();
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const status = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => undefined);
    const match = /^\d+ \(.*\) \S (\d+) /s.exec(status ?? '');
    if (match !== null) parents.set(Number(entry), Number(match[1]));
  }
  const found: number[] = [pid];
  for (const current of found)
    for (const [child, parent] of parents) if (parent === current && !found.includes(child)) found.push(child);
  return found.slice(1);
}

/** True while a process is there (a zombie is not). */
export async function isAlive(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  return status !== undefined && !/^\d+ \(.*\) [ZX] /s.test(status);
}
