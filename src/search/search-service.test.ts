import { describe, expect, it } from 'vitest';
import type { ToolDefinition } from '../core/tool.ts';
import { Bm25ToolSearchStrategy } from './bm25-strategy.ts';
import type { ToolSearchStrategy } from './port.ts';
import { RegexToolSearchStrategy } from './regex-strategy.ts';
import { createSearchService } from './search-service.ts';
import { SimpleToolSearchStrategy } from './simple-strategy.ts';

function tool(name: string, description?: string, server?: string, more: Partial<ToolDefinition> = {}): ToolDefinition {
  return {
    name,
    description,
    inputSchema: { type: 'object', properties: {} },
    ...(server === undefined ? {} : { server: { name: server, identity: server } }),
    ...more,
  };
}

const pool = [
  tool('create_issue', 'Creates an issue', 'github'),
  tool('list_issues', 'Lists issues', 'github'),
  tool('get_issue', 'Reads an issue', 'github'),
  tool('github_enterprise_audit', 'Reads the audit log', 'github-enterprise'),
  tool('send_mail', 'Sends a mail', 'mail', { aliases: ['email somebody'] }),
  tool('search', 'Searches the web'),
];

const service = createSearchService({ strategy: new Bm25ToolSearchStrategy() });
const names = (outcome: { readonly found: readonly { readonly name: string }[] }): string[] =>
  outcome.found.map((one) => one.name);

describe('createSearchService', () => {
  it.each([
    ['get_issue', 'get_issue'],
    ['getIssue', 'get_issue'],
    ['GET-ISSUE', 'get_issue'],
    ['github.get_issue', 'get_issue'],
    ['mcp__github__get_issue', 'get_issue'],
    ['please use get_issue for the audit log of github enterprise', 'get_issue'],
    ['email somebody', 'send_mail'],
  ])('puts the tool named in %j first', async (query, name) => {
    const outcome = await service.search(query, { pool });
    expect(outcome.found[0]).toMatchObject({ name, parts: { exact: 1 } });
  });

  it('does not take a word of a sentence for a name', async () => {
    const outcome = await service.search('search for the audit log', { pool });
    expect(names(outcome)[0]).toBe('github_enterprise_audit');
    expect((await service.search('search', { pool })).found[0]).toMatchObject({ name: 'search', parts: { exact: 1 } });
  });

  it('says how many more there are, and gives them page by page', async () => {
    const first = await service.search('issue', { pool, limit: 2 });
    const second = await service.search('issue', { pool, limit: '2', offset: first.nextOffset });
    expect(first).toMatchObject({ total: 3, nextOffset: 2 });
    expect(first.text).toContain('Showing 2 of 3 matches. For more, search again with "offset": 2');
    expect(second.nextOffset).toBeUndefined();
    expect(second.text).toContain('Showing 3 to 3 of 3 matches.');
    expect(new Set([...names(first), ...names(second)])).toEqual(new Set(['create_issue', 'list_issues', 'get_issue']));
    const beyond = await service.search('issue', { pool, offset: 10 });
    expect(beyond).toMatchObject({ found: [], total: 3 });
    expect(beyond.text).toContain('only 3 matches');
  });

  it('names the searched areas when nothing matches', async () => {
    const outcome = await service.search('xylophone', { pool });
    expect(outcome).toMatchObject({ found: [], total: 0 });
    expect(outcome.text).toBe(
      'No matching tools found\nSearched: github (3 tools), github-enterprise (1 tool), mail (1 tool). Try other words, or "*" to list everything.',
    );
  });

  it('limits candidates by server, an exact name before a partial one, and ranks the rest as ever', async () => {
    expect(names(await service.search('reads', { pool, server: 'github' }))).toEqual(['get_issue']);
    expect(names(await service.search('reads', { pool, server: 'GitHub Enterprise' }))).toEqual([
      'github_enterprise_audit',
    ]);
    expect(names(await service.search('reads', { pool, server: 'enterprise' }))).toEqual(['github_enterprise_audit']);
    const unknown = await service.search('reads', { pool, server: 'slack' });
    expect(unknown.found).toEqual([]);
    expect(unknown.text).toContain('No server "slack" is known. Servers: github (3 tools)');
    expect(names(await service.search('*', { pool, server: 'mail' }))).toEqual(['send_mail']);
  });

  it('does not find again what is there already, and says so when that is what is looked for', async () => {
    const outcome = await service.search('get_issue', { pool, alreadyFound: ['get_issue'] });
    expect(names(outcome)).not.toContain('get_issue');
    expect(outcome.alreadyAvailable).toEqual(['get_issue']);
    expect(outcome.text).toContain('Already available, call directly without searching: get_issue');
    const other = await service.search('create issue', { pool, alreadyFound: new Set(['send_mail']) });
    expect(other.alreadyAvailable).toEqual([]);
  });

  it('knows nothing of what is not in the pool', async () => {
    const allowed = pool.filter((one) => one.server?.name !== 'github');
    const outcome = await service.search('list_issues', { pool: allowed, alreadyFound: ['list_issues'] });
    expect(outcome).toMatchObject({ found: [], total: 0, alreadyAvailable: [], unknown: ['list_issues'] });
    expect(outcome.text).not.toContain('github (');
    expect(JSON.stringify(service.getToolSearchTools(allowed))).not.toContain('github (');
  });

  it.each([
    [true, pool.map((one) => one.name)],
    [false, ['create_issue', 'list_issues']],
  ])(
    'asks a strategy that ranks the whole pool (%s) about the same tools each time',
    async (ranksWholePool, expected) => {
      const asked: string[][] = [];
      const strategy = {
        ranksWholePool,
        getToolSearchTools: () => [],
        search: () => Promise.reject(new Error('not used')),
        rank({ tools }: { readonly tools: readonly ToolDefinition[] }) {
          asked.push(tools.map((one) => one.name));
          return Promise.resolve(tools.map((one) => ({ name: one.name, score: 1 })));
        },
      };
      const limited = createSearchService({ strategy });
      const outcome = await limited.search('anything', {
        pool,
        server: 'github',
        alreadyFound: ['get_issue', 'send_mail'],
      });
      expect(asked).toEqual([expected]);
      expect(names(outcome)).toEqual(['create_issue', 'list_issues']);
      expect(outcome.total).toBe(2);
    },
  );

  it('does no harm with names that a strategy makes up or repeats', async () => {
    const strategy: ToolSearchStrategy = {
      getToolSearchTools: () => [
        tool('s', 'd', undefined, {
          inputSchema: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] },
        }),
      ],
      search: ({ call }) =>
        Promise.resolve({
          foundToolNames: ['nope', 'send_mail', 'send_mail', '__proto__'],
          toolResultMessageText: JSON.stringify(call.input),
        }),
    };
    const outcome = await createSearchService({ strategy }).search('anything', { pool });
    expect(names(outcome)).toEqual(['send_mail']);
  });

  it('falls back to words when the strategy fails', async () => {
    const strategy: ToolSearchStrategy = {
      getToolSearchTools: () => [],
      search: () => Promise.reject(new Error('down')),
    };
    const outcome = await createSearchService({ strategy }).search('mail', { pool });
    expect(outcome).toMatchObject({ degraded: true });
    expect(names(outcome)).toEqual(['send_mail']);
  });

  it('gives the text of a problem to the model, unless the strategy wants the loop to end', async () => {
    const outcome = await createSearchService({ strategy: new RegexToolSearchStrategy() }).searchCall(
      { pattern: '(a' },
      { pool },
    );
    expect(outcome.text).toContain('a group that is not closed');
    const strict = createSearchService({
      strategy: new RegexToolSearchStrategy({ throwToolArgumentsExceptions: true }),
    });
    await expect(strict.searchCall({ pattern: '(a' }, { pool })).rejects.toMatchObject({ code: 'search-arguments' });
  });

  it('stops when it is given up', async () => {
    await expect(service.search('x', { pool, signal: AbortSignal.abort(new Error('stop')) })).rejects.toThrow('stop');
  });

  it('lists everything for a star, in the order of the pool', async () => {
    const outcome = await service.search('*', { pool, limit: 50 });
    expect(names(outcome)).toEqual(pool.map((one) => one.name));
  });

  it('finds signs that make no words by the text as it is', async () => {
    const outcome = await service.search('→', { pool: [tool('a', 'x → y'), tool('b', 'z')] });
    expect(names(outcome)).toEqual(['a']);
  });

  it('shows a first sentence with each name where wanted', async () => {
    const speaking = createSearchService({ strategy: new Bm25ToolSearchStrategy(), summaries: true });
    const outcome = await speaking.search('mail', {
      pool: [tool('send_mail', 'Sends a mail to one person. Then more.\nAnd more.')],
    });
    expect(outcome.text).toBe('- send_mail: Sends a mail to one person.');
  });
});

describe('calls of the search tool', () => {
  const simple = createSearchService({ strategy: new SimpleToolSearchStrategy() });

  it.each<[unknown, string[]]>([
    [{ query: 'mail' }, ['send_mail']],
    ['{"query":"mail"}', ['send_mail']],
    ['mail', ['send_mail']],
    [{ query: ['mail', 'send'] }, ['send_mail']],
    [{ query: 'mail', limit: 'x', server: 3, offset: null }, ['send_mail']],
    [{ select: ['send_mail', 'getIssue'] }, ['send_mail', 'get_issue']],
    [{ query: 'select:send_mail' }, ['send_mail']],
    [{ server: 'mail' }, ['send_mail']],
  ])('reads %j', async (input, expected) => {
    expect(names(await service.searchCall(input, { pool }))).toEqual(expected);
  });

  it.each<[unknown, string]>([
    [undefined, 'Failed to parse'],
    [null, 'Failed to parse'],
    ['null', 'Failed to parse'],
    ['{"query":', 'Failed to parse'],
    [[], 'Failed to parse'],
    [{}, "Missing required tool argument 'query'"],
    [{ query: '  ' }, "Missing required tool argument 'query'"],
  ])('answers %j with what is wrong', async (input, text) => {
    const outcome = await service.searchCall(input, { pool });
    expect(outcome.found).toEqual([]);
    expect(outcome.text).toContain(text);
  });

  it('takes the terms of the simple strategy as a list and as a text', async () => {
    const list = await simple.searchCall({ terms: ['issue', 'reads'] }, { pool, limit: 1 });
    expect(names(list)).toEqual(['get_issue']);
    expect(names(await simple.searchCall({ terms: 'issue reads' }, { pool, limit: 1 }))).toEqual(['get_issue']);
    expect(list.text).toContain('Tools found: get_issue');
  });

  it('adds filters to the tool and says what is behind it, in one stable text', () => {
    const [offered] = service.getToolSearchTools(pool);
    expect(offered?.description).toMatch(
      / Searches: github \(3 tools\), github-enterprise \(1 tool\), mail \(1 tool\)\.$/u,
    );
    expect(Object.keys(offered?.inputSchema['properties'] ?? {})).toEqual(['server', 'limit', 'offset', 'query']);
    expect(service.getToolSearchTools([...pool].reverse())).toEqual([offered]);
    const quiet = createSearchService({ describeAreas: false }).getToolSearchTools(pool)[0]?.description;
    expect(quiet).not.toContain('Searches');
    const own = createSearchService({ describeAreas: (areas) => `Has ${areas}` }).getToolSearchTools(pool)[0]
      ?.description;
    expect(own).toContain('Has github (3 tools)');
  });
});
