import { describe, expect, it } from 'vitest';
import type { ToolProvider } from '../core/provider.ts';
import type { Tool } from '../core/tool.ts';
import { matchingTools } from './match-tools.ts';
import { createRegistry } from './registry.ts';
import {
  emptySchema,
  makeTool,
  providerOf,
  requestOf,
  serverTool,
  steppedClock,
} from '../../test/support/sample-tools.ts';

const namesOf = (catalogue: { tools: readonly { name: string }[] }): readonly string[] =>
  catalogue.tools.map((tool) => tool.name);

describe('createRegistry', () => {
  it("keeps the provider's own object and order: the host's tools first, then providers in order", async () => {
    const own = makeTool('own');
    const first = makeTool('first');
    const second = makeTool('second');
    const registry = createRegistry({ tools: [own], providers: [providerOf('p', [second]), providerOf('q', [first])] });
    const catalogue = await registry.catalogue(requestOf());
    expect(namesOf(catalogue)).toEqual(['own', 'second', 'first']);
    expect(catalogue.get('second')?.tool).toBe(second);
    expect(catalogue.tools.map((tool) => [tool.provider, tool.direct])).toEqual([
      ['tools', true],
      ['p', false],
      ['q', false],
    ]);
  });

  it("refuses two of the host's tools with one name, a tool without a schema of an object, and a wrong limit", () => {
    expect(() => createRegistry({ tools: [makeTool('a'), makeTool('a')] })).toThrow(
      expect.objectContaining({ code: 'duplicate-tool' }),
    );
    expect(() => createRegistry({ tools: [makeTool('bad', { inputSchema: { type: 'array' } })] })).toThrow('"bad"');
    expect(() => createRegistry({ providerTimeoutMs: 0 })).toThrow(expect.objectContaining({ code: 'invalid-option' }));
  });

  it('isolates providers: what throws, rejects, lies or gives rubbish takes out only itself', async () => {
    const broken = (id: string, provideTools: () => unknown): ToolProvider => ({
      id,
      provideTools: provideTools as ToolProvider['provideTools'],
    });
    const hostile = new Proxy({} as Tool, {
      get: () => {
        throw new Error('no reading');
      },
    });
    const registry = createRegistry({
      providers: [
        broken('throws', () => {
          throw new Error('boom');
        }),
        broken('rejects', () => Promise.reject(new Error('later'))),
        broken('null', () => null),
        broken('object', () => ({ a: 1 })),
        broken('rubbish', () => [
          null,
          undefined,
          7,
          {},
          { name: 'x' },
          hostile,
          makeTool('kept'),
          makeTool('no schema', { inputSchema: 'text' as never }),
        ]),
        broken('circular', () => {
          const circular: Record<string, unknown> = {};
          circular['self'] = circular;
          throw circular;
        }),
        providerOf('fine', [makeTool('fine')]),
      ],
    });
    const catalogue = await registry.catalogue(requestOf());
    expect(namesOf(catalogue)).toEqual(['kept', 'fine']);
    const failed = catalogue.problems
      .filter((problem) => problem.code === 'provider-failed')
      .map((problem) => problem.provider);
    expect(failed).toEqual(['throws', 'rejects', 'null', 'object', 'circular']);
    expect(catalogue.problems.filter((problem) => problem.code === 'invalid-tool')).toHaveLength(7);
    expect(catalogue.problems.find((problem) => problem.tool === 'no schema')?.message).toContain('"no schema"');
  });

  it('does not wait for a provider beyond its time, and aborts it', async () => {
    const clock = steppedClock();
    let signal: AbortSignal | undefined;
    const hangs: ToolProvider = {
      id: 'hangs',
      provideTools: (request) => {
        signal = request.signal;
        return new Promise<never>(() => undefined);
      },
    };
    const registry = createRegistry({
      providers: [hangs, providerOf('fine', [makeTool('fine')])],
      clock,
      providerTimeoutMs: 50,
    });
    const pending = registry.catalogue(requestOf());
    await Promise.resolve();
    await Promise.resolve();
    clock.fire();
    const catalogue = await pending;
    expect(namesOf(catalogue)).toEqual(['fine']);
    expect(catalogue.problems).toEqual([
      {
        code: 'provider-timeout',
        provider: 'hangs',
        message: 'Provider "hangs" did not answer within 50 ms; its tools are missing.',
      },
    ]);
    expect(signal?.aborted).toBe(true);
    expect(clock.pending).toBe(0);
  });

  it('rejects with aborted when the caller gives up', async () => {
    const stop = new AbortController();
    const registry = createRegistry({
      providers: [{ provideTools: () => new Promise<never>(() => undefined) }],
      clock: steppedClock(),
    });
    const pending = registry.catalogue(requestOf({ signal: stop.signal }));
    stop.abort();
    await expect(pending).rejects.toMatchObject({ code: 'aborted' });
    await expect(registry.catalogue(requestOf({ signal: stop.signal }))).rejects.toMatchObject({ code: 'aborted' });
  });

  it('asks static providers once per loop and dynamic ones again', async () => {
    let staticCalls = 0;
    let dynamicCalls = 0;
    const registry = createRegistry({
      providers: [
        { id: 's', provideTools: () => [makeTool(`static_${(staticCalls += 1)}`)] },
        { id: 'd', dynamic: true, provideTools: () => [makeTool(`dynamic_${(dynamicCalls += 1)}`)] },
      ],
    });
    const first = await registry.catalogue(requestOf());
    const second = await registry.refresh(first, requestOf());
    expect(namesOf(first)).toEqual(['static_1', 'dynamic_1']);
    expect(namesOf(second)).toEqual(['static_1', 'dynamic_2']);
    expect(second.fingerprint).not.toBe(first.fingerprint);
    expect(registry.wasKnown('dynamic_1')).toBe(true);
    expect(registry.wasKnown('never')).toBe(false);
    expect(namesOf(await registry.catalogue(requestOf()))).toEqual(['static_2', 'dynamic_3']);
  });

  it('gives the same catalogue for the same tools, and a new fingerprint for a changed one', async () => {
    const tools = [makeTool('a'), makeTool('b')];
    let given = tools;
    const registry = createRegistry({ providers: [{ id: 'p', provideTools: () => [...given] }] });
    const first = await registry.catalogue(requestOf());
    expect(await registry.catalogue(requestOf())).toBe(first);
    given = [makeTool('a', { description: 'changed' }), makeTool('b')];
    const changed = await registry.catalogue(requestOf());
    expect(changed.fingerprint).not.toBe(first.fingerprint);
    given = [makeTool('a'), makeTool('b')];
    expect((await registry.catalogue(requestOf())).fingerprint).toBe(first.fingerprint);
  });

  it('SM-20: never shares tools, or the knowledge of them, between principals', async () => {
    const common = makeTool('common');
    const secret = makeTool('a_secret_tool');
    const registry = createRegistry({
      providers: [
        { id: 'p', provideTools: (request) => (request.principal?.tenant === 'a' ? [secret, common] : [common]) },
      ],
    });
    const alice = { tenant: 'a', id: 'alice' };
    const bob = { tenant: 'b', id: 'bob' };
    const [forAlice, forBob] = await Promise.all([
      registry.catalogue(requestOf({ principal: alice })),
      registry.catalogue(requestOf({ principal: bob })),
    ]);
    expect(namesOf(forAlice)).toEqual(['a_secret_tool', 'common']);
    expect(namesOf(forBob)).toEqual(['common']);
    expect(forBob.get('a_secret_tool')).toBeUndefined();
    expect(matchingTools(forBob, 'aSecretTool')).toEqual([]);
    expect(JSON.stringify([forBob.tools, forBob.problems])).not.toContain('secret');
    expect(registry.wasKnown('a_secret_tool', alice)).toBe(true);
    expect(registry.wasKnown('a_secret_tool', bob)).toBe(false);
    expect(registry.wasKnown('a_secret_tool', { id: 'alice' })).toBe(false);
  });

  it('SM-05: no list of providers, an empty one and an empty answer all mean no tools; nothing is read as everything', async () => {
    expect(namesOf(await createRegistry({}).catalogue(requestOf()))).toEqual([]);
    expect(namesOf(await createRegistry({ tools: [], providers: [] }).catalogue(requestOf()))).toEqual([]);
    expect(namesOf(await createRegistry({ providers: [providerOf('p', [])] }).catalogue(requestOf()))).toEqual([]);
    expect(
      namesOf(await createRegistry({ providers: [providerOf('p', [makeTool('a')])] }).catalogue(requestOf())),
    ).toEqual(['a']);
  });

  it('SM-13: the catalogue counts every tool that can go out, the host’s own included', async () => {
    const server = Array.from({ length: 125 }, (_, index) => serverTool('s', `tool_${index}`));
    const own = Array.from({ length: 6 }, (_, index) => makeTool(`built_in_${index}`));
    const catalogue = await createRegistry({ tools: own, providers: [providerOf('s', server)] }).catalogue(requestOf());
    expect(catalogue.tools).toHaveLength(131);
    expect(catalogue.tools.filter((tool) => tool.direct)).toHaveLength(6);
  });

  it('GW-24: lists tools without or with odd descriptions, and passes unknown fields through', async () => {
    const more = { _meta: { x: 1 }, icons: [{ src: 'data:,' }] };
    const tools = [
      makeTool('a', { inputSchema: { type: 'object' } }),
      makeTool('b', { description: null as never }),
      makeTool('c', { description: '', title: 'Nice title' }),
      makeTool('d', { description: 'ok', annotations: { title: 'D', destructiveHint: true }, ...(more as object) }),
    ];
    const catalogue = await createRegistry({ providers: [providerOf('p', tools)] }).catalogue(requestOf());
    expect(namesOf(catalogue)).toEqual(['a', 'b', 'c', 'd']);
    expect(catalogue.get('b')?.definition.description).toBeUndefined();
    expect(catalogue.get('c')?.definition).toMatchObject({ description: '', title: 'Nice title' });
    expect(catalogue.get('d')?.definition).toEqual({
      name: 'd',
      description: 'ok',
      inputSchema: emptySchema,
      annotations: { title: 'D', destructiveHint: true },
      ...more,
    });
    // {"name":"d","description":"ok","inputSchema":{"type":"object","properties":{}}} has 78 characters.
    expect(catalogue.get('d')?.tokens).toBe(20);
  });

  it('reports a mended schema once, and shows the mended one', async () => {
    const messages: string[] = [];
    const note = (message: string): void => void messages.push(message);
    const logger = { debug: note, info: note, warn: note, error: note };
    const tools = [makeTool('fetch', { inputSchema: { type: 'object', properties: { filters: { type: 'array' } } } })];
    const registry = createRegistry({ providers: [providerOf('p', tools, { dynamic: true })], logger });
    const catalogue = await registry.catalogue(requestOf());
    await registry.refresh(catalogue, requestOf());
    expect(catalogue.get('fetch')?.definition.inputSchema).toEqual({
      type: 'object',
      properties: { filters: { type: 'array', items: {} } },
    });
    expect(catalogue.problems.map((problem) => problem.code)).toEqual(['repaired-schema']);
    expect(messages).toHaveLength(1);
  });
});
