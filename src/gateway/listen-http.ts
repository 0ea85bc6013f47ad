import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { createAdaptorServer } from '@hono/node-server';
import type { Hono } from 'hono';
import { ToolgateError } from '../core/errors.ts';

/** A port that is served. */
export interface HttpListener {
  /** Without a slash at the end. */
  readonly url: string;
  /** Resolves when every POST that is under way has been answered, at most after the time; some streams never end. */
  answered(mostMs: number): Promise<void>;
  close(): Promise<void>;
}

/** Listens, or throws `invalid-option` with a sentence that says what to do about it. */
export async function listenHttp(app: Hono, host: string, port: number): Promise<HttpListener> {
  const server = createAdaptorServer({ fetch: app.fetch, hostname: host }) as Server;
  const underWay = new Set<ServerResponse>();
  server.on('request', ({ method }, response) => {
    if (method !== 'POST') return;
    underWay.add(response);
    response.once('close', () => underWay.delete(response));
  });
  await new Promise<void>((resolve, reject) => {
    const onError = (error: Error): void => reject(listenError(error, host, port));
    server.once('error', onError);
    server.listen(port, host, () => {
      server.removeListener('error', onError);
      resolve();
    });
  });
  const address = server.address();
  const actual = typeof address === 'object' && address !== null ? address.port : port;
  const shown = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return {
    url: `http://${shown.includes(':') ? `[${shown}]` : shown}:${actual}`,
    async answered(mostMs) {
      const all = Promise.all([...underWay].map((response) => once(response, 'close')));
      await Promise.race([all, delay(mostMs, undefined, { ref: false })]);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // Streams of clients never end by themselves.
        server.closeAllConnections();
      }),
  };
}

function listenError(error: Error, host: string, port: number): ToolgateError {
  const code = (error as { code?: unknown }).code;
  const texts: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} on ${host} is in use by another program. Choose another with --port, or "port" in the configuration; 0 takes any free one.`,
    EACCES: `This user may not listen on port ${port}. Choose one above 1023 with --port, or "port" in the configuration.`,
    EADDRNOTAVAIL: `This machine has no address ${host}. Correct "host" in the configuration.`,
  };
  const text = typeof code === 'string' ? texts[code] : undefined;
  return new ToolgateError(
    'invalid-option',
    text ?? `The gateway cannot listen on ${host}, port ${port}: ${error.message}`,
    { data: { option: 'port' }, cause: error },
  );
}
