import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import process from 'node:process';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { Clock } from '../core/clock.ts';
import { ToolgateError } from '../core/errors.ts';
import { systemClock } from '../core/system.ts';
import { JsonLineReader } from './json-lines.ts';
import { lastWords } from './last-words.ts';

/** A program that speaks the protocol over its standard input and output. */
export interface ChildProcessOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment of the child; nothing else is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string | undefined;
  /** For error messages. */
  readonly server: string;
  /** Lines on standard output that are no messages, and all of standard error. */
  readonly onNoise?: (line: string, stream: 'stdout' | 'stderr') => void;
  /** Hides secrets in what the program wrote. */
  readonly redact?: (text: string) => string;
  /** After the end of input, and again after SIGTERM. Default 1,000 ms. */
  readonly graceMs?: number;
  readonly clock?: Clock;
}

const ownGroup = process.platform !== 'win32';
const liveGroups = new Set<number>();
let watching = false;

/** Nothing that was started may outlive the gateway: when it ends in any way it can notice, the groups are killed. */
function watchExit(): void {
  if (watching) return;
  watching = true;
  process.on('exit', () => {
    for (const pid of liveGroups) signalGroup(pid, 'SIGKILL');
  });
}

/** Sends a signal to a whole process group; false when there is none any more. */
function signalGroup(pid: number, signal: 'SIGTERM' | 'SIGKILL' | 0): boolean {
  try {
    process.kill(ownGroup ? -pid : pid, signal);
    return true;
  } catch {
    return false;
  }
}

/**
 * A transport over a child process of its own process group, so that package runners, shells and whatever they started end
 * with it. Noise on standard output is handed over and ignored.
 */
export class ChildProcessTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #options: ChildProcessOptions;
  readonly #clock: Clock;
  #child: ChildProcessWithoutNullStreams | undefined;
  #exit: Promise<void> | undefined;
  #stderrTail = '';
  #ended: string | undefined;
  #closed = false;
  readonly #inbox: Record<string, unknown>[] = [];
  #delivering = false;

  constructor(options: ChildProcessOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /** The SDK tells a process from an HTTP transport by `pid` and `stderr`, which decides how silence is read. */
  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  get stderr(): null {
    return null;
  }

  /** How the process ended and what it last wrote on standard error; undefined while it runs. */
  get ended(): string | undefined {
    if (this.#ended === undefined) return undefined;
    // Before the line is cut: half a secret would not be found any more.
    const words = lastWords(this.#options.redact?.(this.#stderrTail) ?? this.#stderrTail);
    return words === '' ? this.#ended : `${this.#ended}; its last words: ${words}`;
  }

  start(): Promise<void> {
    if (this.#child !== undefined) throw new ToolgateError('internal', 'The transport was already started.');
    const { command, args, env, cwd, onNoise } = this.#options;
    watchExit();
    return new Promise((resolve, reject) => {
      const child = spawn(command, [...args], {
        env: { ...env },
        cwd,
        stdio: 'pipe',
        shell: false,
        detached: ownGroup,
        windowsHide: true,
      });
      this.#child = child;
      this.#exit = new Promise((resolveExit) => {
        child.once('error', (error) => {
          const missing = (error as { code?: unknown }).code === 'ENOENT';
          const text = missing ? this.#notFound() : error.message;
          this.#ended = text;
          reject(
            new ToolgateError('upstream-unavailable', text, { data: { server: this.#options.server }, cause: error }),
          );
          if (child.pid === undefined) resolveExit();
        });
        child.once('exit', (code, signal) => {
          this.#ended = signal === null ? `the process ended with code ${code}` : `the process was ended by ${signal}`;
          resolveExit();
        });
      });
      child.once('spawn', () => {
        if (child.pid !== undefined) liveGroups.add(child.pid);
        resolve();
      });
      // `close` comes after the pipes are empty, so that the last words of a process that crashed are known by then.
      child.once('close', () => this.#finish());
      child.once('exit', () => this.#clock.schedule(250, () => this.#finish()));
      const reader = new JsonLineReader({
        message: (message) => this.#deliver(message),
        junk: (line) => onNoise?.(line, 'stdout'),
      });
      child.stdout.on('data', (chunk: Uint8Array) => reader.append(chunk));
      child.stderr.setEncoding('utf8');
      child.stderr.on('data', (text: string) => {
        this.#stderrTail = (this.#stderrTail + text).slice(-4_000);
        onNoise?.(text, 'stderr');
      });
      child.stdin.on('error', (error) => this.onerror?.(error));
      child.stdout.on('error', (error) => this.onerror?.(error));
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    const child = this.#child;
    if (child === undefined || !child.stdin.writable) {
      return Promise.reject(
        new ToolgateError('upstream-unavailable', this.ended ?? 'The process is not running.', {
          data: { server: this.#options.server },
        }),
      );
    }
    return new Promise((resolve, reject) => {
      child.stdin.write(`${JSON.stringify(message)}\n`, (error) =>
        error === null || error === undefined ? resolve() : reject(error),
      );
    });
  }

  /**
   * In order, and with a breath after each notification: the client handles those a moment later than answers, so the last
   * progress of a call would be lost when its result stands right behind it.
   */
  #deliver(message: Record<string, unknown>): void {
    this.#inbox.push(message);
    if (!this.#delivering) void this.#deliverAll();
  }

  async #deliverAll(): Promise<void> {
    this.#delivering = true;
    for (let message = this.#inbox.shift(); message !== undefined; message = this.#inbox.shift()) {
      this.onmessage?.(message as JSONRPCMessage);
      if (!Object.hasOwn(message, 'id')) await new Promise((resolve) => setImmediate(resolve));
    }
    // In the same step in which the inbox was found empty: a message that comes next must start a new round.
    this.#delivering = false;
  }

  /** End of input, then SIGTERM, then SIGKILL to the whole group. Resolves when nothing of it is left. */
  async close(): Promise<void> {
    const child = this.#child;
    const pid = child?.pid;
    if (child === undefined || pid === undefined || this.#exit === undefined) return;
    child.stdin.end();
    await this.#endsWithin(this.#exit);
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      if (!signalGroup(pid, 0)) break;
      signalGroup(pid, signal);
      await this.#groupEndsWithin(pid);
    }
    liveGroups.delete(pid);
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
    this.#finish();
  }

  #finish(): void {
    if (this.#closed) return;
    this.#closed = true;
    const pid = this.#child?.pid;
    // The process is gone, but what it started may not be.
    if (pid !== undefined && liveGroups.delete(pid)) signalGroup(pid, 'SIGTERM');
    this.onclose?.();
  }

  #endsWithin(exit: Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#clock.schedule(this.#options.graceMs ?? 1_000, resolve);
      void exit.then(() => {
        cancel();
        resolve();
      });
    });
  }

  /** A group has no event for its end: it is looked at every few milliseconds. */
  async #groupEndsWithin(pid: number): Promise<void> {
    const until = this.#clock.now() + (this.#options.graceMs ?? 1_000);
    while (signalGroup(pid, 0) && this.#clock.now() < until) {
      await new Promise<void>((resolve) => this.#clock.schedule(10, resolve));
    }
  }

  #notFound(): string {
    const { command, env, cwd } = this.#options;
    const path = env['PATH'] ?? env['Path'] ?? '';
    return `the program ${JSON.stringify(command)} was not found (searched in PATH=${path}${cwd === undefined ? '' : `, started in ${cwd}`})`;
  }
}
