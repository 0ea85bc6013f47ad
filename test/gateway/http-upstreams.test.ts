import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../src/config/load-config.ts';
import type { ServerConfig } from '../../src/config/types.ts';
import { Upstream } from '../../src/gateway/upstream.ts';
import { manualClock } from '../../src/testing/manual-clock.ts';
import { keepingLogger } from './fake-gateway.ts';
import { httpOf, until } from './gateway-client.ts';
import { startHttpServer } from './http-server.ts';
import { clientOf, closeAfterEach, gatewayWith, namesOf, open, stateOf, textOfCall } from './rig.ts';

closeAfterEach();

describe('servers over HTTP', () => {
  test.each(['modern', 'legacy'] as const)('of the %s era are listed and called', async (era) => {
    const server = await startHttpServer({ era, tools: { greet: () => 'hello' } });
    open.push(server);
    const gateway = await gatewayWith({
      trust: 'annotations',
      mcpServers: { remote: { url: server.url, headers: { 'x-key': 'sesame-sesame' } } },
    });
    await gateway.settled();
    expect(gateway.upstreams()[0]).toMatchObject({ state: 'ready', tools: 1, era });
    const client = await clientOf(gateway);
    expect(await textOfCall(client, 'greet')).toBe('hello');
    expect(server.headers()).toContain('sesame-sesame');
  });

  test.each(['modern', 'legacy'] as const)(
    'GW-10 blocks that nobody knows come through from a server of the %s era',
    async (era) => {
      const result = {
        content: [
          { type: 'future_type', x: 1 },
          { type: 'text', text: 't' },
        ],
        structuredContent: { n: 1 },
        _meta: { k: 'v' },
      };
      const server = await startHttpServer({ era, tools: { odd: () => result } });
      open.push(server);
      const gateway = await gatewayWith({
        trust: 'annotations',
        policy: { odd: 'confirm' },
        mcpServers: { remote: { url: server.url } },
      });
      await gateway.settled();
      const client = await clientOf(gateway);
      const { id } = (await client.callTool({ name: 'odd', arguments: {} })).structuredContent as { id: string };
      const decided = await httpOf(gateway, 'approver').post(`/api/confirmations/${id}/decisions`, {
        decision: 'approve',
      });
      const outcome = (decided.body as { confirmation: { calls: { outcome: { result: object } }[] } }).confirmation
        .calls[0]?.outcome.result as { meta: object };
      expect(outcome).toMatchObject({ content: result.content, structured: { n: 1 } });
      expect(outcome.meta).toMatchObject({ k: 'v' });
    },
  );

  test('that want an argument as a header get it', async () => {
    const inputSchema = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } };
    const server = await startHttpServer({ era: 'modern', tools: { query: () => 'rows' }, inputSchema });
    open.push(server);
    const gateway = await gatewayWith({ trust: 'annotations', mcpServers: { remote: { url: server.url } } });
    await gateway.settled();
    expect(await textOfCall(await clientOf(gateway, { era: 'legacy' }), 'query', { region: 'eu-west' })).toBe('rows');
    expect(server.headers()).toEqual(['eu-west']);
  });

  test('with the older two-channel transport only', async () => {
    const server = await startHttpServer({ era: 'sse', tools: { greet: () => 'hello' } });
    open.push(server);
    const gateway = await gatewayWith({ trust: 'annotations', mcpServers: { old: { url: server.url } } });
    await gateway.settled();
    expect(gateway.upstreams()[0]).toMatchObject({ state: 'ready', tools: 1 });
    expect(await textOfCall(await clientOf(gateway), 'greet')).toBe('hello');
  });

  test('GW-07 a change is heard over the listening stream', async () => {
    const server = await startHttpServer({ era: 'legacy', tools: { a: () => 'a' } });
    open.push(server);
    const gateway = await gatewayWith({ trust: 'annotations', mcpServers: { remote: { url: server.url } } });
    await gateway.settled();
    const client = await clientOf(gateway);
    expect(await namesOf(client)).toEqual(['a']);
    server.setTools({ b: () => 'b' });
    await until('the new list', async () => (await namesOf(client)).includes('b'));
    expect(await namesOf(client)).toEqual(['b']);
  });

  test('GW-07 a server that forbids the listening stream is asked once a minute', async () => {
    const server = await startHttpServer({ era: 'legacy', tools: { a: () => 'a' }, noStream: true });
    open.push(server);
    const clock = manualClock();
    const { config } = parseConfig(
      JSON.stringify({ mcpServers: { quiet: { url: server.url, type: 'http' } } }),
      '/x.json',
      { environment: {} },
    );
    const upstream = new Upstream(config.servers[0] as ServerConfig, {
      clock,
      logger: keepingLogger(),
      environment: {},
      cache: { load: () => Promise.resolve(undefined), save: () => Promise.resolve() },
      onChange: () => undefined,
    });
    open.push(upstream);
    await upstream.start();
    await until('the list', () => upstream.status.state === 'ready');
    const names = async (): Promise<string[]> =>
      (await upstream.provider.provideTools({} as never)).map(({ name }) => name);
    expect(await names()).toEqual(['a']);
    server.setTools({ b: () => 'b' });
    clock.advance(59_999);
    expect(clock.pending).toBe(1);
    clock.advance(1);
    clock.advance(50);
    await until('the new list', async () => (await names()).includes('b'));
    expect(await names()).toEqual(['b']);
  });

  test('GW-18 a session that the server has forgotten is opened again and the call repeated once; others are not disturbed', async () => {
    const forgetful = await startHttpServer({ era: 'legacy', tools: { x: () => 'x' } });
    const steady = await startHttpServer({ era: 'legacy', tools: { y: () => 'y' } });
    open.push(forgetful, steady);
    const gateway = await gatewayWith({
      trust: 'annotations',
      mcpServers: { u1: { url: forgetful.url }, u2: { url: steady.url } },
    });
    await gateway.settled();
    const client = await clientOf(gateway, { era: 'legacy' });
    expect(await textOfCall(client, 'x')).toBe('x');
    forgetful.forgetSessions();
    expect(await textOfCall(client, 'y')).toBe('y');
    expect(await textOfCall(client, 'x')).toBe('x');
    expect(forgetful.calls()).toBe(2);
    expect(forgetful.sessions()).toBe(2);
    expect(steady.sessions()).toBe(1);
  });

  test('GW-18 a server that went away is told, and used again when it is back', async () => {
    const server = await startHttpServer({ era: 'legacy', tools: { x: () => 'x' } });
    const port = Number(new URL(server.url).port);
    const gateway = await gatewayWith({ trust: 'annotations', mcpServers: { u: { url: server.url } } });
    await gateway.settled();
    const client = await clientOf(gateway);
    expect(await textOfCall(client, 'x')).toBe('x');
    await server.close();
    const failed = await client.callTool({ name: 'x', arguments: {} });
    expect(failed.isError).toBe(true);
    await until('the loss to be seen', () => stateOf(gateway, 'u') === 'stale');
    const again = await startHttpServer({ era: 'legacy', tools: { x: () => 'x again' }, port });
    open.push(again);
    expect(await textOfCall(client, 'x')).toBe('x again');
    expect(stateOf(gateway, 'u')).toBe('ready');
  });

  test('an address that refuses, and a body that is no protocol, are told with their reason', async () => {
    const plain = createServer((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>hello</html>'),
    );
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    open.push({ close: () => new Promise((resolve) => plain.close(resolve)) });
    const { port } = plain.address() as AddressInfo;
    const gateway = await gatewayWith({
      mcpServers: {
        html: { url: `http://127.0.0.1:${port}/`, connectTimeoutMs: 5_000 },
        closed: { url: 'http://127.0.0.1:10/mcp' },
      },
    });
    const statuses = await gateway.settled();
    for (const status of statuses) {
      expect(status.state).toBe('failed');
      expect(status.reason).not.toBe('');
    }
  });
});
