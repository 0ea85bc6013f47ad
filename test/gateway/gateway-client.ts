import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { ClientCapabilities } from '@modelcontextprotocol/client';
import type { Gateway } from '../../src/gateway/index.ts';

/** The real client of the SDK, connected over HTTP with the caller's token. */
export async function connectClient(
  gateway: Pick<Gateway, 'mcpUrl' | 'tokens'>,
  options: {
    readonly era?: 'legacy' | 'modern';
    readonly capabilities?: ClientCapabilities;
    readonly prepare?: (client: Client) => void;
  } = {},
): Promise<Client> {
  const mode = options.era === 'legacy' ? 'legacy' : 'auto';
  const client = new Client(
    { name: 'test-client', version: '1.0.0' },
    { versionNegotiation: { mode }, capabilities: options.capabilities ?? {} },
  );
  options.prepare?.(client);
  const headers = gateway.tokens === undefined ? {} : { authorization: `Bearer ${gateway.tokens.caller}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(gateway.mcpUrl), { requestInit: { headers } }));
  return client;
}

/** The text of a result of `tools/call`. */
export function textOf(result: unknown): string {
  const { content } = result as { content: { type: string; text?: string }[] };
  return content.map((block) => block.text ?? '').join('\n');
}

/** Requests to the HTTP interface with one of the tokens. */
export function httpOf(
  gateway: Pick<Gateway, 'url' | 'tokens'>,
  role: 'caller' | 'approver' | 'nobody',
): {
  get(path: string): Promise<{ status: number; body: never }>;
  post(path: string, body: unknown): Promise<{ status: number; body: never }>;
} {
  const token = role === 'nobody' ? undefined : gateway.tokens?.[role];
  const headers = {
    'content-type': 'application/json',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  const read = async (response: Response): Promise<{ status: number; body: never }> => ({
    status: response.status,
    body: (await response.json()) as never,
  });
  return {
    get: async (path) => read(await fetch(`${gateway.url}${path}`, { headers })),
    post: async (path, body) =>
      read(
        await fetch(`${gateway.url}${path}`, {
          method: 'POST',
          headers,
          body: typeof body === 'string' ? body : JSON.stringify(body),
        }),
      ),
  };
}

/** Looks every few milliseconds until it holds; an error that says what was waited for when it does not in time. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  milliseconds: number = 20_000,
): Promise<void> {
  const end = Date.now() + milliseconds;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`Waited in vain for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
