import type { Client } from '@modelcontextprotocol/client';
import { afterEach, expect } from 'vitest';
import type { ConfigInput, Gateway, GatewayOptions } from '../../src/gateway/index.ts';
import { startTestGateway } from './fake-gateway.ts';
import { connectClient, textOf } from './gateway-client.ts';

/** What is closed after the test, last opened first. */
export const open: { close(): Promise<unknown> }[] = [];

/** To be called once in a test file: nothing outlives a test. */
export function closeAfterEach(): void {
  afterEach(async () => {
    for (const each of open.splice(0).reverse()) await each.close().catch(() => undefined);
  });
}

/** A gateway that lists every tool under its own name. */
export async function gatewayWith(
  input: ConfigInput,
  options: GatewayOptions = {},
): Promise<Gateway & { readonly directory: string }> {
  const gateway = await startTestGateway({ mode: 'all', ...input }, options);
  open.push(gateway);
  return gateway;
}

/** A client of it. */
export async function clientOf(gateway: Gateway, options: Parameters<typeof connectClient>[1] = {}): Promise<Client> {
  const client = await connectClient(gateway, options);
  open.push(client);
  return client;
}

/** The names of the tools behind it. */
export async function namesOf(client: Client): Promise<readonly string[]> {
  const names = (await client.listTools(undefined, { cacheMode: 'bypass' })).tools.map(({ name }) => name);
  // It is there in every mode.
  expect(names.at(-1)).toBe('get_confirmation');
  return names.slice(0, -1);
}

/** The text of a call's result. */
export async function textOfCall(client: Client, name: string, args: Record<string, unknown> = {}): Promise<string> {
  return textOf(await client.callTool({ name, arguments: args }));
}

/** Where a server stands. */
export function stateOf(gateway: Gateway, name: string): string | undefined {
  return gateway.upstreams().find((status) => status.name === name)?.state;
}
