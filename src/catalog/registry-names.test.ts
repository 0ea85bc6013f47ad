import { describe, expect, it } from 'vitest';
import { matchingTools } from './match-tools.ts';
import { createRegistry } from './registry.ts';
import { makeTool, providerOf, requestOf, serverOf, serverTool } from '../../test/support/sample-tools.ts';
import type { NameStore } from './types.ts';

const namesOf = (catalogue: { tools: readonly { name: string }[] }): readonly string[] =>
  catalogue.tools.map((tool) => tool.name);

function memoryNames(): NameStore & { entries: readonly (readonly [string, string])[] } {
  const store = {
    entries: [] as readonly (readonly [string, string])[],
    load: () => store.entries,
    save: (entries: readonly (readonly [string, string])[]) => {
      store.entries = structuredClone(entries);
    },
  };
  return store;
}

describe('exposed names', () => {
  it('SM-08: a name that two servers have leads to the server it names, and the bare name to none', async () => {
    const ocean = serverTool('oceanbase', 'execute_sql');
    const click = serverTool('clickhouse', 'execute_sql');
    const catalogue = await createRegistry({
      providers: [providerOf('oceanbase', [ocean]), providerOf('clickhouse', [click])],
    }).catalogue(requestOf());
    expect(namesOf(catalogue)).toEqual(['oceanbase__execute_sql', 'clickhouse__execute_sql']);
    expect(catalogue.get('clickhouse__execute_sql')?.tool).toBe(click);
    expect(catalogue.get('clickhouse__execute_sql')?.tool.name).toBe('execute_sql');
    expect(catalogue.get('execute_sql')).toBeUndefined();
    expect(catalogue.resolve('execute_sql')).toBeUndefined();
    expect(matchingTools(catalogue, 'execute_sql').map((tool) => tool.name)).toEqual([
      'oceanbase__execute_sql',
      'clickhouse__execute_sql',
    ]);
    expect(catalogue.resolve('clickhouse.execute_sql')?.tool).toBe(click);
  });

  it('SM-10: long names are cut, stay distinct, and map back', async () => {
    const server = 'awslabs.billing-cost-management-mcp-server';
    const one = serverTool(server, 'billing_cost_management_get_cost_and_usage_with_resources');
    const two = serverTool(server, 'billing_cost_management_get_cost_and_usage_with_resource');
    const short = serverTool('x', 'short');
    for (const prefix of ['always', 'on-collision', 'never'] as const) {
      const catalogue = await createRegistry({
        prefix,
        providers: [providerOf('aws', [one, two]), providerOf('x', [short])],
      }).catalogue(requestOf());
      for (const tool of catalogue.tools) expect(tool.name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      expect(new Set(namesOf(catalogue)).size).toBe(3);
      expect(catalogue.tools.map((tool) => tool.tool)).toEqual([one, two, short]);
      expect(catalogue.tools[2]?.name).toBe(prefix === 'always' ? 'x__short' : 'short');
    }
  });

  it('SM-12: names that a provider refuses are exposed in an accepted form, an empty one is left out with a warning', async () => {
    const own = ['admin.tools.list', 'user-profile/update', '1st_tool', 'größe_messen', 'send message', '', '工具'];
    const tools = own.map((name) => serverTool('s', name));
    const catalogue = await createRegistry({ providers: [providerOf('the-server', tools)] }).catalogue(requestOf());
    expect(namesOf(catalogue).slice(0, 5)).toEqual([
      'admin_tools_list',
      'user-profile_update',
      '_1st_tool',
      'grosse_messen',
      'send_message',
    ]);
    expect(namesOf(catalogue)[5]).toMatch(/^tool_[0-9a-f]{8}$/);
    expect(catalogue.problems.filter((problem) => problem.code === 'invalid-tool')).toMatchObject([
      { provider: 'the-server' },
    ]);
    expect(catalogue.problems.filter((problem) => problem.code === 'renamed-tool')).toHaveLength(6);
    expect(catalogue.resolve('admin.tools.list')?.name).toBe('admin_tools_list');
  });

  it('SM-28: nothing shadows a reserved name or is shadowed by it', async () => {
    const shop = serverTool('shop', 'search_tools');
    const other = serverTool('search', 'x');
    const callers = makeTool('search_tools', { description: "caller's own" });
    const registry = createRegistry({
      tools: [callers],
      providers: [providerOf('shop', [shop]), providerOf('search', [other])],
      reservedNames: ['search_tools'],
    });
    const catalogue = await registry.catalogue(requestOf());
    expect(namesOf(catalogue)).toEqual(['tools__search_tools', 'shop__search_tools', 'x']);
    expect(catalogue.tools.map((tool) => tool.tool)).toEqual([callers, shop, other]);
    expect(catalogue.get('search_tools')).toBeUndefined();
    expect(catalogue.problems.map((problem) => problem.code)).toEqual(['renamed-tool', 'renamed-tool']);
  });

  it('SM-31: one exposed name everywhere, and the server still gets its own', async () => {
    const catalogue = await createRegistry({
      providers: [
        providerOf('a', [serverTool('a', 'fetch')]),
        providerOf('b', [serverTool('b', 'fetch'), serverTool('b', 'only_one')]),
      ],
    }).catalogue(requestOf());
    expect(namesOf(catalogue)).toEqual(['a__fetch', 'b__fetch', 'only_one']);
    for (const tool of catalogue.tools) {
      expect(catalogue.get(tool.name)).toBe(tool);
      expect(tool.definition.name).toBe(tool.name);
    }
    expect(catalogue.tools.map((tool) => [tool.tool.server?.name, tool.tool.name])).toEqual([
      ['a', 'fetch'],
      ['b', 'fetch'],
      ['b', 'only_one'],
    ]);
  });

  it('keeps a name once given, and renames the newcomer, also over a restart', async () => {
    const names = memoryNames();
    const a = providerOf('a', [serverTool('a', 'fetch')]);
    const b = providerOf('b', [serverTool('b', 'fetch')]);
    const before = await createRegistry({ providers: [a], names }).catalogue(requestOf());
    expect(namesOf(before)).toEqual(['fetch']);
    // The other server comes first now, and the first one is not there at all.
    expect(namesOf(await createRegistry({ providers: [b], names }).catalogue(requestOf()))).toEqual(['b__fetch']);
    const after = createRegistry({ providers: [b, a], names });
    expect(namesOf(await after.catalogue(requestOf()))).toEqual(['b__fetch', 'fetch']);
    expect(after.wasKnown('fetch')).toBe(true);
  });

  it('keeps the name when a server is called otherwise but is the same one', async () => {
    const names = memoryNames();
    const tool = (label: string) => makeTool('fetch', { server: serverOf(label, 'stdio:npx same-server') });
    await createRegistry({ providers: [providerOf('old', [tool('old')])], names, prefix: 'always' }).catalogue(
      requestOf(),
    );
    const later = await createRegistry({
      providers: [providerOf('new', [tool('new')])],
      names,
      prefix: 'always',
    }).catalogue(requestOf());
    expect(namesOf(later)).toEqual(['old__fetch']);
  });

  it('tells names apart that differ in case only, and repeated names of one server', async () => {
    const tools = [serverTool('s', 'Read'), serverTool('s', 'read'), serverTool('s', 'same'), serverTool('s', 'same')];
    const catalogue = await createRegistry({ providers: [providerOf('s', tools)] }).catalogue(requestOf());
    expect(new Set(namesOf(catalogue).map((name) => name.toLowerCase())).size).toBe(4);
    expect(catalogue.tools.map((tool) => tool.tool)).toEqual(tools);
    expect(catalogue.problems.filter((problem) => problem.code === 'duplicate-tool')).toHaveLength(1);
  });

  it("gives the host's own tool its name although a server had it before", async () => {
    const names = memoryNames();
    const provider = providerOf('s', [serverTool('s', 'refund')]);
    await createRegistry({ providers: [provider], names }).catalogue(requestOf());
    const catalogue = await createRegistry({ tools: [makeTool('refund')], providers: [provider], names }).catalogue(
      requestOf(),
    );
    expect(catalogue.tools.map((tool) => [tool.name, tool.direct])).toEqual([
      ['refund', true],
      ['s__refund', false],
    ]);
  });

  it('survives a name store that throws or holds rubbish', async () => {
    const throwing: NameStore = {
      load: () => {
        throw new Error('disk');
      },
      save: () => {
        throw new Error('disk');
      },
    };
    expect(namesOf(await createRegistry({ tools: [makeTool('a')], names: throwing }).catalogue(requestOf()))).toEqual([
      'a',
    ]);
    const rubbish = {
      load: () => [null, ['x'], ['o', 'not a name!'], ['p', 'dup'], ['q', 'DUP']],
      save: () => undefined,
    } as unknown as NameStore;
    const registry = createRegistry({ tools: [makeTool('a')], names: rubbish });
    expect(namesOf(await registry.catalogue(requestOf()))).toEqual(['a']);
    expect(registry.wasKnown('dup')).toBe(true);
    expect(registry.wasKnown('DUP')).toBe(false);
  });

  it('resolves loosely: own name, alias, server forms and case styles; exact beats loose, ambiguity gives none', async () => {
    const issue = serverTool('github', 'createIssue', { aliases: ['new_ticket'] });
    const exact = makeTool('create_issue');
    const alone = serverTool('github', 'listRepos');
    const catalogue = await createRegistry({
      tools: [exact],
      providers: [providerOf('github', [issue, alone])],
    }).catalogue(requestOf());
    expect(catalogue.resolve('create_issue')?.tool).toBe(exact);
    expect(catalogue.resolve('createIssue')?.tool).toBe(issue);
    expect(catalogue.resolve('CREATE-ISSUE')).toBeUndefined();
    expect(catalogue.resolve('New Ticket')?.tool).toBe(issue);
    for (const form of [
      'list_repos',
      'github.listRepos',
      'github/list-repos',
      'GitHub:list_repos',
      'github__listRepos',
    ]) {
      expect(catalogue.resolve(form)?.tool).toBe(alone);
    }
    for (const name of ['', '__proto__', 'constructor', 'toString', '___', 'x'.repeat(10_000)])
      expect(catalogue.resolve(name)).toBeUndefined();
  });
});
