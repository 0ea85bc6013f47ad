import { describe, expect, it } from 'vitest';
import type { ToolDefinition } from '../core/tool.ts';
import { createToolIndex } from '../index/tool-index.ts';
import { Bm25ToolSearchStrategy } from './bm25-strategy.ts';
import type { FoundTool } from './port.ts';
import { createSearchService } from './search-service.ts';

/**
 * Failures reported from the field, each with both lexical ways to search. Those that selection decides (SQ-11, SQ-20, SQ-22) are
 * tested with the gate.
 */
const services = [
  ['words', createSearchService({ strategy: new Bm25ToolSearchStrategy() })],
  ['words and pieces', createSearchService()],
] as const;

function tool(
  name: string,
  description?: string,
  server?: string,
  properties: Record<string, { type: string; description?: string }> = {},
): ToolDefinition {
  return {
    name,
    description,
    inputSchema: { type: 'object', properties },
    ...(server === undefined ? {} : { server: { name: server, identity: server } }),
  };
}

const names = (outcome: { readonly found: readonly FoundTool[] }): string[] => outcome.found.map((one) => one.name);

describe.each(services)('reported failures of tool search, by %s', (_name, service) => {
  const first = async (pool: readonly ToolDefinition[], query: string): Promise<string | undefined> =>
    names(await service.search(query, { pool }))[0];

  it('SQ-01 names in camel case, with prefixes and with acronyms are found by any of their forms', async () => {
    const pool = [
      tool('addContact_mcp_crmhub', 'Create a contact', 'crmhub'),
      tool('addMeeting_mcp_crmhub', 'Create a meeting', 'crmhub'),
      tool('getDealHTTPLog_mcp_crmhub', 'Read the log', 'crmhub'),
    ];
    for (const query of ['addContact', 'addContact_mcp_crmhub', 'add contact'])
      expect(await first(pool, query), query).toBe('addContact_mcp_crmhub');
    expect(await first(pool, 'http log')).toBe('getDealHTTPLog_mcp_crmhub');
  });

  it('SQ-03 words of a name beat the same words in prose, whatever stands between them', async () => {
    const pool = [
      tool(
        'board_export_png',
        'Exports the picture. Tip: add a link list first, add links, add link files.',
        undefined,
        { path: { type: 'string', description: 'where to add the link file' } },
      ),
      tool('board_add_link', 'Connects two nodes', undefined, {
        source: { type: 'string' },
        target: { type: 'string' },
      }),
    ];
    for (const query of ['add link', 'board-add-link', 'board.add.link'])
      expect(await first(pool, query), query).toBe('board_add_link');
  });

  it('SQ-04 every exactly named tool of a list of names is found before anything else', async () => {
    const wanted = ['find_node', 'walk_path', 'fetch_snippet', 'build_index'];
    const pool = [
      ...Array.from({ length: 36 }, (_unused, place) =>
        tool(`find_item_${place + 1}`, 'find item node query '.repeat(10)),
      ),
      ...wanted.map((name) => tool(name, 'does a thing')),
    ];
    for (const limit of [5, 2]) {
      const outcome = await service.search(wanted.join(' '), { pool, limit });
      expect(names(outcome).slice(0, 4)).toEqual(wanted);
    }
  });

  it('SQ-06 a tool without a description is found by its name among many that describe themselves', async () => {
    const words = 'night mode garage script state of an entity in the house '.repeat(5);
    const pool = [
      ...Array.from({ length: 100 }, (_unused, place) => tool(`mcp__ha__get_entity_${place}`, `Gets ${words}`)),
      ...Array.from({ length: 100 }, (_unused, place) => tool(`mcp__ha__get_history_${place}`, `History ${words}`)),
      tool('mcp__ha__script_garage_night_mode', ''),
    ];
    for (const query of ['garage night mode', 'script_garage_night_mode']) {
      expect(names(await service.search(query, { pool, limit: 5 })), query).toContain(
        'mcp__ha__script_garage_night_mode',
      );
    }
  });

  it('SQ-07 text without spaces is found by a part of it', async () => {
    const pool = [
      tool('search_recipes', '料理のレシピを検索します。和食、洋食、中華に対応。'),
      tool('get_weather', '指定した都市の天気を返します。'),
      tool('find_station', '駅を検索します。'),
    ];
    expect(await first(pool, 'レシピを探して')).toBe('search_recipes');
    expect(await first(pool, '天気')).toBe('get_weather');
    expect(await first(pool, '天')).toBe('get_weather');
    expect(await first(pool, 'weather')).toBe('get_weather');
  });

  it('SQ-13 every answer says how many there are in all and how to get the rest', async () => {
    const pool = [
      ...Array.from({ length: 20 }, (_unused, place) => tool(`backup_job_${place}`, 'Backup tool', 'backup')),
      tool('other', 'x', 'mail'),
    ];
    const one = await service.search('list the backup tools', { pool, limit: 10 });
    expect(one).toMatchObject({ total: 20, nextOffset: 10 });
    expect(one.text).toContain('Showing 10 of 20 matches.');
    const page = await service.search('*', { pool, server: 'backup', offset: 0, limit: 10 });
    const rest = await service.search('*', { pool, server: 'backup', offset: 10, limit: 10 });
    expect(new Set([...names(page), ...names(rest)])).toEqual(new Set(pool.slice(0, 20).map((one) => one.name)));
    expect(names(rest)).toHaveLength(10);
    expect(await service.search('*', { pool, server: 'backup', offset: 10, limit: 10 })).toEqual(rest);
  });

  it('SQ-14 short names are understood, several meanings are told, unknown names are said to be unknown', async () => {
    const pool = [
      tool('get_briefing', undefined, 'agent-kit'),
      tool('query_rules', undefined, 'agent-kit'),
      tool('other_query_rules', undefined, 'other'),
    ];
    for (const name of ['get_briefing', 'mcp__agent-kit__get_briefing'])
      expect(names(await service.searchCall({ select: [name] }, { pool })), name).toEqual(['get_briefing']);
    const several = await service.searchCall(
      { select: ['queryRules'] },
      { pool: pool.map((one) => (one.name === 'query_rules' ? { ...one, name: 'agent-kit_query_rules' } : one)) },
    );
    expect(several.found).toEqual([]);
    expect(several.text).toContain('"queryRules" could be any of: agent-kit_query_rules, other_query_rules');
    const half = await service.searchCall({ select: ['get_briefing', 'nonexistent_tool'] }, { pool });
    expect(names(half)).toEqual(['get_briefing']);
    expect(half.text).toContain('Not found: nonexistent_tool');
  });

  it('SQ-17 single words of a name, and their other forms, keep working beside exact names', async () => {
    const pool = [
      tool('schedule_update', 'Changes the plan'),
      tool('schedule_delete', 'Removes it'),
      tool('file_write', 'Writes a file'),
    ];
    for (const query of ['update', 'schedule_update', 'updates schedules'])
      expect(await first(pool, query), query).toBe('schedule_update');
    expect(
      names(await service.search('schedule', { pool }))
        .slice(0, 2)
        .toSorted(),
    ).toEqual(['schedule_delete', 'schedule_update']);
  });

  it('SQ-18 a tool that is there already is said to be there', async () => {
    const pool = [tool('terminal', 'Run a command'), tool('git_log', 'Show history')];
    for (const query of ['terminal', 'run a shell command']) {
      const outcome = await service.search(query, { pool, alreadyFound: ['terminal'] });
      expect(names(outcome)).not.toContain('terminal');
      expect(outcome.text, query).toContain('Already available, call directly without searching: terminal');
    }
  });

  it('SQ-24 word forms share a stem on both sides, and a clip is a video', async () => {
    const pool = [
      tool('mediahost_video_rendering_job_create', 'Starts a job on the local machine'),
      tool('mediahost_video_rendering_job_get', 'Reads a job'),
      tool('video_metadata_read', 'Reads tags'),
    ];
    for (const query of ['video render', 'rendering videos', 'VIDEO_RENDERING']) {
      expect(names(await service.search(query, { pool })).slice(0, 2), query).toContain(
        'mediahost_video_rendering_job_create',
      );
    }
    expect(names(await service.search('make a clip', { pool })).slice(0, 3)).toContain(
      'mediahost_video_rendering_job_create',
    );
  });

  it('SQ-26 the search tool names the areas behind it, the same each turn, from what the caller may use', () => {
    const pool = [
      ...Array.from({ length: 40 }, (_unused, place) => tool(`gh_${place}`, 'x', 'github')),
      ...Array.from({ length: 25 }, (_unused, place) => tool(`dd_${place}`, 'x', 'datadog')),
    ];
    const [offered] = service.getToolSearchTools(pool);
    expect(offered?.description).toContain('datadog (25 tools), github (40 tools)');
    expect(service.getToolSearchTools(pool)).toEqual([offered]);
    expect(service.getToolSearchTools(pool.slice(40))[0]?.description).not.toContain('github');
  });
});

describe('reported failures that need more than words', () => {
  it('SQ-09 a change of topic ranks the new tool first', () => {
    const index = createToolIndex();
    index.set([
      tool('gmail_search', 'Search mail'),
      tool('calendar_list', 'List events'),
      tool('get_weather', 'Weather for a city'),
      tool('web_search', 'Search the web'),
    ]);
    expect(index.search('Thanks. Now which meetings do I have?')[0]?.name).toBe('calendar_list');
  });

  it('SQ-15 two servers with the same tool stay apart, and the server counts', async () => {
    const pool = [
      tool('pg-staging_query_db', 'Run a read query', 'pg-staging'),
      tool('pg-prod_query_db', 'Run a read query', 'pg-prod'),
    ];
    const [, service] = services[0];
    expect(names(await service.search('query prod', { pool }))).toEqual(['pg-prod_query_db', 'pg-staging_query_db']);
    expect(names(await service.search('query_db', { pool }))).toHaveLength(2);
  });

  it('SQ-23 the index reads a description to its end', () => {
    const index = createToolIndex();
    const filler = Array.from({ length: 156 }, (_unused, place) =>
      tool(`tool_${place}`, 'Reads a value. '.repeat(200)),
    );
    index.set([
      ...filler,
      tool('get_store_report', `${'Licence text of the maker. '.repeat(120)} Tells how full the metrics store is.`),
    ]);
    expect(index.search('how full is the metrics store?')[0]?.name).toBe('get_store_report');
  });
});

describe('reading and destroying', () => {
  const pool = [
    tool('delete_old_files', 'Deletes old files for ever'),
    tool('list_files', 'Lists files'),
    tool('get_file', 'Reads one file'),
    tool('delete_file', 'Deletes one file'),
    tool('files', 'Everything about files'),
    tool('files_upload_large_archive_part', 'Uploads files'),
  ];

  it.each([
    ['show the file', 'get_file'],
    ['view file', 'get_file'],
    ['erase the file', 'delete_file'],
    ['remove file', 'delete_file'],
    ['files', 'files'],
    ['about files', 'files'],
  ])('%s: %s', async (query, name) => {
    for (const [way, service] of services) expect(names(await service.search(query, { pool }))[0], way).toBe(name);
  });

  it('never derives a destroying word from a reading one, or the other way round', () => {
    const index = createToolIndex();
    index.set(pool);
    const destroying = new Set(
      ['delete', 'remove', 'erase', 'destroy', 'purge', 'drop'].map((word) => index.tokenizer.stem(word)),
    );
    for (const wish of ['show', 'get', 'list', 'read', 'view', 'find', 'search', 'fetch', 'display', 'browse']) {
      for (const { term } of index.analyse(`${wish} file`))
        expect(destroying.has(term), `${wish} gives ${term}`).toBe(false);
    }
  });
});
