import { isPlainObject } from '../core/json.ts';

/** What a {@link JsonLineReader} tells. */
export interface JsonLineEvents {
  /** One protocol message: an object with `jsonrpc: "2.0"`. */
  message(message: Record<string, unknown>): void;
  /** A line that is not a protocol message, shortened. */
  junk(line: string): void;
}

/** Longest line that is still read: a message may carry pictures. */
export const maximumLineBytes: number = 64 * 1024 * 1024;

/**
 * Cuts a byte stream into lines and finds the protocol messages in it. Servers write banners, logs, half lines and marks on
 * standard output; none of that may end the session, not even a line that is valid JSON but no message.
 */
export class JsonLineReader {
  readonly #events: JsonLineEvents;
  readonly #limit: number;
  #parts: Uint8Array[] = [];
  #size = 0;
  #tooLong = false;

  constructor(events: JsonLineEvents, limit: number = maximumLineBytes) {
    this.#events = events;
    this.#limit = limit;
  }

  append(chunk: Uint8Array): void {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      this.#take(chunk.subarray(start, end));
      this.#finish();
      start = end + 1;
    }
    this.#take(chunk.subarray(start));
  }

  #take(part: Uint8Array): void {
    if (part.length === 0 || this.#tooLong) return;
    if (this.#size + part.length > this.#limit) {
      this.#tooLong = true;
      const head = new TextDecoder().decode((this.#parts[0] ?? part).subarray(0, 200));
      this.#parts = [];
      this.#events.junk(`(more than ${this.#limit} bytes without an end of line) ${head}`);
      return;
    }
    this.#parts.push(part);
    this.#size += part.length;
  }

  #finish(): void {
    const parts = this.#parts;
    const tooLong = this.#tooLong;
    this.#parts = [];
    this.#size = 0;
    this.#tooLong = false;
    if (tooLong) return;
    // Decoded only when whole, so that a character that was cut by a chunk's end is read right. The decoder drops a BOM.
    const line = new TextDecoder().decode(parts.length === 1 ? parts[0] : Buffer.concat(parts)).trim();
    if (line === '') return;
    const messages = readMessages(line);
    if (messages === undefined) this.#events.junk(line.slice(0, 300));
    else for (const message of messages) this.#events.message(message);
  }
}

/** The messages of a line: one, or several when it is a batch (allowed until 2025-03-26). Undefined for anything else. */
function readMessages(line: string): readonly Record<string, unknown>[] | undefined {
  if (!line.startsWith('{') && !line.startsWith('[')) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  const all = Array.isArray(value) ? (value as unknown[]) : [value];
  if (all.length === 0 || !all.every(isMessage)) return undefined;
  return all;
}

function isMessage(value: unknown): value is Record<string, unknown> {
  return isPlainObject(value) && value['jsonrpc'] === '2.0';
}
