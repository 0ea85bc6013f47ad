import { SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Transport } from '@modelcontextprotocol/client';
import type { ServerConfig } from '../config/types.ts';
import { ChildProcessTransport } from './child-process-transport.ts';

/** What a transport to a server is made with. */
export interface TransportContext {
  readonly environment: Readonly<Record<string, string>>;
  readonly onNoise: (line: string, stream: 'stdout' | 'stderr') => void;
  readonly redact: (text: string) => string;
}

/** A new transport for one connection. `sse` chooses the older HTTP transport for an `auto` server. */
export function createUpstreamTransport(server: ServerConfig, context: TransportContext, sse: boolean): Transport {
  const { transport } = server;
  if (transport.type === 'stdio') {
    return new ChildProcessTransport({
      command: transport.command,
      args: transport.args,
      env: { ...context.environment, ...transport.env },
      cwd: transport.cwd,
      server: server.name,
      onNoise: context.onNoise,
      redact: context.redact,
    });
  }
  const url = new URL(transport.url);
  const requestInit: RequestInit = { headers: { ...transport.headers } };
  if (transport.type === 'sse' || sse) return new SSEClientTransport(url, { requestInit });
  return new StreamableHTTPClientTransport(url, { requestInit });
}

/** What identifies a server for fingerprints and rules: its command and arguments, or its URL's origin and path. Holds no secret values. */
export function serverIdentity(server: ServerConfig): string {
  const { transport } = server;
  if (transport.type === 'stdio') return `stdio:${JSON.stringify([transport.command, ...transport.args])}`;
  if (!URL.canParse(transport.url)) return `url:${server.name}`;
  const url = new URL(transport.url);
  return `url:${url.origin}${url.pathname}`;
}
