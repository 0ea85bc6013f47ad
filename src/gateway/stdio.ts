import process from 'node:process';
import type { Readable, Writable } from 'node:stream';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { Principal } from '../core/principal.ts';
import { cleanStandardOutput } from './clean-standard-output.ts';
import { createDownstreamServer } from './downstream-server.ts';
import type { DownstreamOptions } from './downstream-server.ts';

/** Streams to speak over in place of the process's own. */
export interface StdioStreams {
  readonly input: Readable;
  readonly output: Writable;
}

/** A client over standard input and output. */
export interface StdioService {
  /** Resolves when the client has closed its end. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** Serves one client over standard input and output, in the era it opens with. Nothing else may write to standard output. */
export function serveStandardInput(
  downstream: DownstreamOptions,
  principal: Principal,
  streams?: StdioStreams,
): StdioService {
  const transport =
    streams === undefined ? new StdioServerTransport() : new StdioServerTransport(streams.input, streams.output);
  const restoreConsole = streams === undefined ? cleanStandardOutput() : () => undefined;
  const handle = serveStdio(() => createDownstreamServer(principal, downstream), { transport });
  const input = streams?.input ?? process.stdin;
  return {
    ended: new Promise((resolve) => {
      input.once('end', resolve);
      input.once('close', resolve);
    }),
    async close() {
      await handle.close();
      restoreConsole();
    },
  };
}
