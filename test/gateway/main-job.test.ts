import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createConfig, startGateway } from '../../src/gateway/index.ts';
import type { Gateway } from '../../src/gateway/index.ts';
import type { PauseView } from '../../src/confirm/types.ts';
import { connectClient, httpOf, textOf, until } from './gateway-client.ts';
import { referenceServer } from './reference-servers.ts';

interface Waiting {
  readonly status: string;
  readonly id: string;
  readonly link: string;
}

interface Decided {
  readonly answers: readonly { readonly answer: string; readonly state: string }[];
  readonly confirmation: PauseView;
}

describe('the main job over HTTP, in front of real servers', () => {
  let directory = '';
  let gateway: Gateway;
  let client: Client;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'toolgate-gateway-'));
    const config = createConfig({
      port: 0,
      holdMs: 0,
      stateDirectory: join(directory, 'state'),
      trust: 'annotations',
      mcpServers: {
        everything: referenceServer('everything'),
        files: referenceServer('filesystem', directory),
        memory: { ...referenceServer('memory'), env: { MEMORY_FILE_PATH: join(directory, 'memory.json') } },
        thinking: referenceServer('sequential-thinking'),
        none: { command: 'no-such-program-anywhere' },
        hang: { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'] },
      },
    });
    gateway = await startGateway(config);
    client = await connectClient(gateway);
    await until('four servers', () => gateway.upstreams().filter(({ state }) => state === 'ready').length === 4);
  });

  afterAll(async () => {
    await client.close();
    await gateway.close();
    await rm(directory, { recursive: true, force: true });
  });

  async function callWrite(
    path: string,
    content: string,
    extra: object = {},
  ): Promise<{ waiting: Waiting; text: string }> {
    const result = await client.callTool({
      name: 'call_destructive_tool',
      arguments: { name: 'write_file', arguments: { path, content }, ...extra },
    });
    return { waiting: result.structuredContent as unknown as Waiting, text: textOf(result) };
  }

  test('GW-03 one server that does not exist and one that hangs: the others work at once, and the program says which are missing and why', async () => {
    const { status, body } = await httpOf(gateway, 'nobody').get('/readyz');
    expect(status).toBe(503);
    expect(body).toMatchObject({
      ready: false,
      missing: [
        { name: 'none', state: 'failed', reason: 'the program "no-such-program-anywhere" was not found' },
        { name: 'hang', state: 'connecting', reason: 'It has not answered yet.' },
      ],
      upstreams: { everything: 'ready', files: 'ready', memory: 'ready', thinking: 'ready' },
    });
    const full = await httpOf(gateway, 'approver').get('/readyz');
    expect(JSON.stringify(full.body)).toContain('searched in PATH=');
  });

  test('the surface is fixed, honest and the same every time', async () => {
    const first = await client.listTools();
    expect(first.tools.map(({ name }) => name)).toEqual([
      'search_tools',
      'describe_tool',
      'call_read_tool',
      'call_write_tool',
      'call_destructive_tool',
      'get_confirmation',
    ]);
    const hints = Object.fromEntries(
      first.tools.map(({ name, annotations }) => [name, [annotations?.readOnlyHint, annotations?.destructiveHint]]),
    );
    expect(hints).toEqual({
      search_tools: [true, undefined],
      describe_tool: [true, undefined],
      call_read_tool: [true, undefined],
      call_write_tool: [false, false],
      call_destructive_tool: [false, true],
      get_confirmation: [false, false],
    });
    expect((await client.listTools()).tools).toEqual(first.tools);
  });

  test('a search finds the tool with its schema and the entry to call it through', async () => {
    const result = await client.callTool({ name: 'search_tools', arguments: { query: 'write a file', limit: 3 } });
    const { tools } = result.structuredContent as {
      tools: { name: string; server: string; class: string; callWith: string; inputSchema: object }[];
    };
    expect(tools[0]).toMatchObject({
      name: 'write_file',
      server: 'files',
      class: 'destructive',
      callWith: 'call_destructive_tool',
    });
    expect(Object.keys((tools[0]?.inputSchema as { properties: object } | undefined)?.properties ?? {})).toEqual([
      'path',
      'content',
    ]);
    expect(tools.length).toBeLessThanOrEqual(3);
    expect(textOf(result)).toContain('Not reachable at the moment, so their tools may be missing: none, hang.');
  });

  test('a reading tool runs at once, and a weaker entry is refused with the right one named', async () => {
    await writeFile(join(directory, 'there.txt'), 'text of a file');
    const read = await client.callTool({
      name: 'call_read_tool',
      arguments: { name: 'read_text_file', arguments: { path: join(directory, 'there.txt') } },
    });
    expect(textOf(read)).toContain('text of a file');
    const refused = await client.callTool({
      name: 'call_read_tool',
      arguments: { name: 'write_file', arguments: { path: join(directory, 'no.txt'), content: 'x' } },
    });
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toBe(
      'write_file was not called: it cannot be called through call_read_tool. It may destroy or overwrite. Call it through call_destructive_tool.',
    );
    expect(existsSync(join(directory, 'no.txt'))).toBe(false);
  });

  test('a call waits, is seen and approved over HTTP, runs once, and its result is fetched', async () => {
    const path = join(directory, 'hello.txt');
    const { waiting, text } = await callWrite(path, 'hello');
    expect(waiting.status).toBe('waiting');
    expect(waiting.link).toBe(`${gateway.url}/pauses/${waiting.id}`);
    expect(text).toContain(`id "${waiting.id}"`);
    expect(existsSync(path)).toBe(false);

    const caller = httpOf(gateway, 'caller');
    const approver = httpOf(gateway, 'approver');
    const list = await approver.get('/api/confirmations?state=open');
    expect((list.body as { items: PauseView[] }).items.map(({ id }) => id)).toContain(waiting.id);
    const before = (await approver.get(`/api/confirmations/${waiting.id}`)).body as PauseView;
    expect(before.calls[0]).toMatchObject({
      toolName: 'write_file',
      server: 'files',
      state: 'awaiting',
      proposedArguments: { path, content: 'hello' },
    });

    const refused = await caller.post(`/api/confirmations/${waiting.id}/decisions`, { decision: 'approve' });
    expect(refused.status).toBe(403);
    expect((await caller.get('/api/confirmations')).status).toBe(403);
    expect(
      (await httpOf(gateway, 'nobody').post(`/api/confirmations/${waiting.id}/decisions`, { decision: 'approve' }))
        .status,
    ).toBe(401);
    expect(existsSync(path)).toBe(false);

    // Twice at once, with the digest of what was seen.
    const decision = { type: 'approve', expected: before.calls[0]?.digest };
    const both = await Promise.all(
      [1, 2].map(() => approver.post(`/api/confirmations/${waiting.id}/decisions`, { decision })),
    );
    const decided = both.map(({ body }) => body as Decided);
    for (const { answers } of decided) expect(answers[0]?.answer).toMatch(/^(?:accepted|already-decided)$/);
    expect(decided[1]?.confirmation.calls[0]).toEqual(decided[0]?.confirmation.calls[0]);
    for (const { confirmation } of decided) expect(confirmation.calls[0]?.outcome?.status).toBe('succeeded');
    expect(await readFile(path, 'utf8')).toBe('hello');

    // And once more: nothing changes, not even a file that was changed meanwhile.
    await writeFile(path, 'changed by somebody else');
    const again = (await approver.post(`/api/confirmations/${waiting.id}/decisions`, { decision: 'approve' }))
      .body as Decided;
    expect(again.answers[0]?.state).toBe('succeeded');
    expect(again.confirmation.calls[0]?.outcome).toEqual(decided[0]?.confirmation.calls[0]?.outcome);
    expect(await readFile(path, 'utf8')).toBe('changed by somebody else');

    for (let round = 0; round < 2; round += 1) {
      const fetched = await client.callTool({ name: 'get_confirmation', arguments: { id: waiting.id } });
      expect(fetched.isError).toBeUndefined();
      expect(textOf(fetched)).toBe(`Successfully wrote to ${path}`);
    }
    expect(await readFile(path, 'utf8')).toBe('changed by somebody else');
  });

  test('the same call again attaches to the one that waits and to the one that has just run; new: true does not', async () => {
    const path = join(directory, 'attach.txt');
    const first = await callWrite(path, 'one');
    const second = await callWrite(path, 'one');
    expect(second.waiting.id).toBe(first.waiting.id);
    const other = await callWrite(path, 'one', { new: true });
    expect(other.waiting.id).not.toBe(first.waiting.id);
    await httpOf(gateway, 'approver').post(`/api/confirmations/${first.waiting.id}/decisions`, { decision: 'approve' });
    const third = await callWrite(path, 'one');
    expect(third.text).toBe(`Successfully wrote to ${path}`);
    await httpOf(gateway, 'approver').post(`/api/confirmations/${other.waiting.id}/decisions`, {
      decision: { type: 'deny', message: 'once is enough' },
    });
    const denied = await client.callTool({ name: 'get_confirmation', arguments: { id: other.waiting.id } });
    expect(denied.isError).toBe(true);
    expect(textOf(denied)).toContain('once is enough');
  });

  test('two identical calls at the same moment are one question', async () => {
    const path = join(directory, 'moment.txt');
    const both = await Promise.all([callWrite(path, 'x'), callWrite(path, 'x')]);
    expect(both[0].waiting.id).toBe(both[1].waiting.id);
  });

  test('a call that is held gets its result as soon as somebody approves', async () => {
    const path = join(directory, 'held.txt');
    const { waiting } = await callWrite(path, 'held');
    const fetching = client.callTool({ name: 'get_confirmation', arguments: { id: waiting.id, waitSeconds: 30 } });
    await httpOf(gateway, 'approver').post(`/api/confirmations/${waiting.id}/decisions`, {
      decision: 'approve',
      waitMs: 0,
    });
    expect(textOf(await fetching)).toBe(`Successfully wrote to ${path}`);
  });

  test('an edited approval runs with the edited arguments and says so', async () => {
    const path = join(directory, 'edited.txt');
    const { waiting } = await callWrite(path, 'before');
    const decided = await httpOf(gateway, 'approver').post(`/api/confirmations/${waiting.id}/decisions`, {
      decision: { type: 'approve', arguments: { path, content: 'after' } },
    });
    expect((decided.body as Decided).confirmation.calls[0]).toMatchObject({
      proposedArguments: { content: 'before' },
      effectiveArguments: { content: 'after' },
    });
    expect(await readFile(path, 'utf8')).toBe('after');
    const fetched = await client.callTool({ name: 'get_confirmation', arguments: { id: waiting.id } });
    expect(textOf(fetched)).toContain('after');
  });

  test.each([
    ['not json', 400, 'The body is not JSON'],
    [[], 400, 'The body must be a JSON object.'],
    [{}, 400, 'Give either "decision"'],
    [{ decision: 'perhaps' }, 400, 'decision must be "approve", "deny" or an object with a type.'],
    [{ decision: { type: 'respond' } }, 400, 'decision.result must be a text or a result with content.'],
    [{ decisions: {} }, 400, 'decisions is empty. Nothing was decided.'],
    [{ decision: 'approve', waitMs: -1 }, 400, 'waitMs must be a number from 0 to 60000.'],
  ])('a bad decision %j gets a clear error and changes nothing', async (body, status, message) => {
    const path = join(directory, 'bad.txt');
    const { waiting } = await callWrite(path, 'x');
    const answer = await httpOf(gateway, 'approver').post(`/api/confirmations/${waiting.id}/decisions`, body);
    expect(answer.status).toBe(status);
    expect((answer.body as { error: { message: string } }).error.message).toContain(message);
    const pause = (await httpOf(gateway, 'approver').get(`/api/confirmations/${waiting.id}`)).body as PauseView;
    expect(pause.calls[0]?.state).toBe('awaiting');
    expect(existsSync(path)).toBe(false);
  });

  test('unknown ids and keys are told, and run nothing', async () => {
    const approver = httpOf(gateway, 'approver');
    expect((await approver.post('/api/confirmations/pause_none/decisions', { decision: 'approve' })).status).toBe(404);
    const { waiting } = await callWrite(join(directory, 'key.txt'), 'x');
    const answer = (
      await approver.post(`/api/confirmations/${waiting.id}/decisions`, { decisions: { '7.nobody': 'approve' } })
    ).body as Decided;
    expect(answer.answers[0]?.answer).toBe('unknown');
    expect(answer.confirmation.calls[0]?.state).toBe('awaiting');
    const stranger = await client.callTool({ name: 'get_confirmation', arguments: { id: 'pause_none' } });
    expect(stranger.isError).toBe(true);
    expect(textOf(stranger)).toBe('There is no confirmation with the id "pause_none". Nothing was run.');
  });

  test('the audit tells what happened, and the tokens are for their owner only', async () => {
    const { waiting } = await callWrite(join(directory, 'audit.txt'), 'x');
    await httpOf(gateway, 'approver').post(`/api/confirmations/${waiting.id}/decisions`, { decision: 'approve' });
    const audit = (await httpOf(gateway, 'approver').get(`/api/audit?confirmation=${waiting.id}`)).body as {
      entries: { kind: string }[];
    };
    expect(audit.entries.length).toBeGreaterThanOrEqual(3);
    expect((await httpOf(gateway, 'caller').get(`/api/audit?confirmation=${waiting.id}`)).status).toBe(403);
    const names = await readdir(join(directory, 'state'));
    expect(names).toContain('tokens.json');
    const { mode } = await import('node:fs/promises').then((fs) => fs.stat(join(directory, 'state', 'tokens.json')));
    expect(mode & 0o777).toBe(0o600);
  });

  test('an older client gets the same surface and the same waiting', async () => {
    const older = await connectClient(gateway, { era: 'legacy' });
    expect(older.getProtocolEra()).toBe('legacy');
    expect((await older.listTools()).tools.map(({ name }) => name)).toEqual(
      (await client.listTools()).tools.map(({ name }) => name),
    );
    const path = join(directory, 'older.txt');
    const result = await older.callTool({
      name: 'call_destructive_tool',
      arguments: { name: 'write_file', arguments: { path, content: 'old' } },
    });
    const { id } = result.structuredContent as unknown as Waiting;
    await httpOf(gateway, 'approver').post(`/api/confirmations/${id}/decisions`, { decision: 'approve' });
    expect(textOf(await older.callTool({ name: 'get_confirmation', arguments: { id } }))).toBe(
      `Successfully wrote to ${path}`,
    );
    await older.close();
  });
});
