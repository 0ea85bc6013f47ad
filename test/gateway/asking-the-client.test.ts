import type { Client } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, test } from 'vitest';
import type { ConfigInput, Gateway } from '../../src/gateway/index.ts';
import type { PauseView } from '../../src/confirm/types.ts';
import { fakeServer, startTestGateway } from './fake-gateway.ts';
import { connectClient, httpOf, textOf, until } from './gateway-client.ts';

const open: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close().catch(() => undefined);
});

const tools = [
  { name: 'wipe', description: 'Wipes.', inputSchema: { type: 'object' }, annotations: { destructiveHint: true } },
  {
    name: 'note',
    description: 'Notes.',
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: false, destructiveHint: false },
  },
];

async function gatewayWith(more: ConfigInput): Promise<Gateway> {
  const gateway = await startTestGateway({
    mode: 'search',
    policy: { note: 'confirm' },
    mcpServers: { s: fakeServer({ tools }) },
    ...more,
  });
  open.push(gateway);
  await gateway.settled();
  return gateway;
}

interface Asked {
  readonly mode?: string;
  readonly message: string;
  readonly url?: string;
}

async function askedClient(
  gateway: Gateway,
  era: 'modern' | 'legacy',
  elicitation: object,
  answer: () => object | Promise<object>,
): Promise<{ client: Client; asked: Asked[] }> {
  const asked: Asked[] = [];
  const client = await connectClient(gateway, {
    era,
    capabilities: { elicitation: elicitation as never },
    prepare: (each) =>
      each.setRequestHandler('elicitation/create', async (request) => {
        asked.push(request.params as unknown as Asked);
        return (await answer()) as never;
      }),
  });
  open.push(client);
  return { client, asked };
}

const callNote = { name: 'call_write_tool', arguments: { name: 'note', arguments: { text: 'a\u202Eb' } } };
const callWipe = { name: 'call_destructive_tool', arguments: { name: 'wipe' } };

async function waitingOf(gateway: Gateway): Promise<readonly PauseView[]> {
  const { body } = await httpOf(gateway, 'approver').get('/api/confirmations?callState=awaiting');
  return (body as { items: PauseView[] }).items;
}

describe.each(['modern', 'legacy'] as const)('a client of the %s era that can ask its person', (era) => {
  test('decides there, where the configuration says that it counts; the question shows all arguments, inert', async () => {
    const gateway = await gatewayWith({ acceptIn: 'client' });
    const { client, asked } = await askedClient(gateway, era, { form: {} }, () => ({
      action: 'accept',
      content: { decision: 'approve' },
    }));
    expect(textOf(await client.callTool(callNote))).toBe('note');
    expect(asked).toHaveLength(1);
    expect(asked[0]?.message).toContain('Run note with these arguments?');
    expect(asked[0]?.message).not.toContain('\u202E');
    expect(asked[0]?.message).toContain('U+202E');
    const settled = (await httpOf(gateway, 'approver').get('/api/confirmations?state=settled')).body as {
      items: PauseView[];
    };
    expect(settled.items[0]?.calls[0]?.decision?.by).toEqual({ principal: { id: 'caller' }, via: 'client' });
  });

  test.each([
    ['a decline', { action: 'decline' }],
    ['a cancel', { action: 'cancel' }],
    ['an acceptance without a decision', { action: 'accept', content: { decision: 'keep waiting' } }],
  ])('%s in the client is not a no: the call goes on waiting', async (_title, answer) => {
    const gateway = await gatewayWith({ acceptIn: 'client' });
    const { client, asked } = await askedClient(gateway, era, { form: {} }, () => answer);
    const result = await client.callTool(callNote);
    expect((result.structuredContent as { status: string }).status).toBe('waiting');
    expect(asked).toHaveLength(1);
    expect((await waitingOf(gateway)).map(({ calls }) => calls[0]?.toolName)).toEqual(['note']);
  });

  test('is never asked in the client about destructive calls, and not at all by default', async () => {
    for (const input of [{ acceptIn: 'client' }, {}] as const) {
      const gateway = await gatewayWith(input);
      const { client, asked } = await askedClient(gateway, era, { form: {} }, () => ({
        action: 'accept',
        content: { decision: 'approve' },
      }));
      const result = await client.callTool(callWipe);
      expect((result.structuredContent as { status: string }).status).toBe('waiting');
      expect(asked).toEqual([]);
    }
  });

  test('that can open links gets the link to the page, without a credential, and opening it decides nothing', async () => {
    const gateway = await gatewayWith({ holdMs: 20_000 });
    let waiting: readonly PauseView[] = [];
    const { client, asked } = await askedClient(gateway, era, { url: {}, form: {} }, async () => {
      waiting = await waitingOf(gateway);
      expect((await fetch(String(asked.at(-1)?.url))).status).not.toBe(404);
      return { action: 'accept' };
    });
    const call = client.callTool(callWipe);
    await until('the question', () => waiting.length === 1);
    const id = waiting[0]?.id ?? '';
    expect(asked[0]).toMatchObject({ mode: 'url', url: `${gateway.url}/pauses/${id}` });
    expect((await waitingOf(gateway))[0]?.calls[0]?.state).toBe('awaiting');
    await httpOf(gateway, 'approver').post(`/api/confirmations/${id}/decisions`, { decision: 'approve' });
    expect(textOf(await call)).toBe('wipe');
    expect(asked).toHaveLength(1);
  });
});

test('a client that cannot be asked is held, hears progress, and gets the result when somebody approves', async () => {
  const gateway = await gatewayWith({ holdMs: 20_000 });
  const client = await connectClient(gateway);
  open.push(client);
  const heard: string[] = [];
  const call = client.callTool(callWipe, { onprogress: ({ message }) => void heard.push(message ?? '') });
  await until('a sign of life', () => heard.length > 0);
  expect(heard[0]).toMatch(/^Waiting for a decision at http:\/\/127\.0\.0\.1:\d+\/pauses\/pause_/);
  const [pause] = await waitingOf(gateway);
  await httpOf(gateway, 'approver').post(`/api/confirmations/${pause?.id ?? ''}/decisions`, {
    decision: { type: 'respond', result: 'Do it by hand.' },
  });
  const result = await call;
  expect(result.isError).toBeUndefined();
  expect(textOf(result)).toContain('Do it by hand.');
});

test('sealed state of another call, or a changed one, is refused and nothing runs', async () => {
  const gateway = await gatewayWith({ acceptIn: 'client' });
  const body = (params: object): string =>
    JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        ...callNote,
        ...params,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
        },
      },
    });
  const send = async (
    params: object,
  ): Promise<{ result?: { requestState?: string; resultType?: string }; error?: { code: number } }> => {
    const response = await fetch(gateway.mcpUrl, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${gateway.tokens?.caller ?? ''}`,
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'call_write_tool',
      },
      body: body(params),
    });
    return (await response.json()) as never;
  };
  const first = await send({});
  expect(first.result?.resultType).toBe('input_required');
  const state = first.result?.requestState ?? '';
  const responses = { decision: { action: 'accept', content: { decision: 'approve' } } };
  const changed = await send({
    inputResponses: responses,
    requestState: `${state.slice(0, -2)}${state.endsWith('AA') ? 'BB' : 'AA'}`,
  });
  expect(changed.error?.code).toBe(-32602);
  const foreign = await send({
    arguments: { name: 'note', arguments: { text: 'other' } },
    inputResponses: responses,
    requestState: state,
  });
  expect(foreign.result?.resultType).toBe('input_required');
  expect((await waitingOf(gateway)).map(({ calls }) => calls[0]?.state)).toEqual(['awaiting', 'awaiting']);
  const right = await send({ inputResponses: responses, requestState: state });
  expect(JSON.stringify(right.result)).toContain('"text":"note"');
});

test('an answer that is sent again, or for another call, runs nothing again', async () => {
  const special = ['book', 'stats'].map((name) => ({
    name,
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: true },
  }));
  const gateway = await gatewayWith({ mode: 'all', mcpServers: { s: fakeServer({ tools: special }) } });
  const send = async (
    name: string,
    params: object,
  ): Promise<{ resultType?: string; requestState?: string; isError?: boolean; content?: { text: string }[] }> => {
    const response = await fetch(gateway.mcpUrl, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${gateway.tokens?.caller ?? ''}`,
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': name,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name,
          arguments: {},
          ...params,
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
            'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
          },
        },
      }),
    });
    return ((await response.json()) as { result: never }).result;
  };
  const first = await send('book', {});
  expect(first.resultType).toBe('input_required');
  const answer = {
    inputResponses: { answer: { action: 'accept', content: { day: 'Tuesday' } } },
    requestState: first.requestState,
  };
  const foreign = await send('stats', answer);
  expect(foreign.isError).toBe(true);
  const second = await send('book', answer);
  expect(second.content?.[0]?.text).toContain('Tuesday');
  const third = await send('book', answer);
  expect(third.isError).toBe(true);
  expect(third.content?.[0]?.text).toBe(
    'The question is not open any more. The call may have been carried out; it was not started again.',
  );
  const stats = await send('stats', {});
  expect((JSON.parse(stats.content?.[0]?.text ?? '{}') as { calls: string[] }).calls).toEqual(['book', 'stats']);
});
