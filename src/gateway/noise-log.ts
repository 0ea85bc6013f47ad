import type { Logger } from '../core/logger.ts';

const mostLines = 200;

/** What a server writes beside the protocol: each different line of standard output is logged once, with the server's name. */
export class NoiseLog {
  readonly #server: string;
  readonly #logger: Logger;
  readonly #redact: (text: string) => string;
  readonly #seen = new Set<string>();

  constructor(server: string, logger: Logger, redact: (text: string) => string) {
    this.#server = server;
    this.#logger = logger;
    this.#redact = redact;
  }

  add(line: string, stream: 'stdout' | 'stderr'): void {
    const text = this.#redact(line.trimEnd()).slice(0, 300);
    if (text === '') return;
    if (stream === 'stderr') {
      this.#logger.debug('upstream standard error', { server: this.#server, line: text });
      return;
    }
    if (this.#seen.has(text) || this.#seen.size >= mostLines) return;
    this.#seen.add(text);
    this.#logger.warn('upstream wrote a line that is no message; it is ignored', { server: this.#server, line: text });
  }
}
