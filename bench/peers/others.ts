import { create, insertMultiple, search } from '@orama/orama';
import { generateText, jsonSchema, tool, toolSearch } from 'ai';
import type { ToolSet } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import flexsearch from 'flexsearch';
import MiniSearch from 'minisearch';
import { documentOf } from './peer.ts';
import type { Peer } from './peer.ts';

function miniSearchPeer(name: string, setup: string, fields: readonly string[]): Peer {
  return {
    name,
    setup,
    create(tools) {
      const index = new MiniSearch({ fields: [...fields] });
      index.addAll(tools.map(documentOf));
      return (query, limit) => ({
        positions: index
          .search(query)
          .slice(0, limit)
          .map((hit) => hit.id as number),
      });
    },
  };
}

function flexSearchPeer(name: string, setup: string, suggest: boolean): Peer {
  return {
    name,
    setup,
    create(tools) {
      const index = new flexsearch.Document({ document: { id: 'id', index: ['name', 'description'] } });
      for (const document of tools.map(documentOf)) index.add(document);
      return (query, limit) => {
        // One list for each field; the name's comes first, as the order of fields says.
        const lists = index.search(query, { limit, suggest }) as readonly {
          readonly result: readonly (number | string)[];
        }[];
        const positions = new Set(lists.flatMap((list) => list.result.map(Number)));
        return { positions: [...positions].slice(0, limit) };
      };
    },
  };
}

const usage = {
  inputTokens: { total: 0, noCache: 0, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 0, text: 0, reasoning: undefined },
};

export const otherPeers: readonly Peer[] = [
  miniSearchPeer('minisearch', 'defaults, fields name and description', ['name', 'description']),
  miniSearchPeer('minisearch, all texts', 'defaults, also the parameters and the server', [
    'name',
    'description',
    'parameters',
    'server',
  ]),
  {
    name: 'orama',
    setup: 'defaults, fields name and description',
    async create(tools) {
      const database = create({ schema: { name: 'string', description: 'string' } });
      await insertMultiple(
        database,
        tools.map((definition, position) => ({ ...documentOf(definition, position), id: String(position) })),
        1000,
      );
      return async (query, limit) => {
        const { hits } = await search(database, { term: query, limit });
        return { positions: hits.map((hit) => Number(hit.id)) };
      };
    },
  },
  flexSearchPeer('flexsearch', 'defaults (every word must occur), fields name and description', false),
  flexSearchPeer('flexsearch, suggest', 'the same with `suggest: true` (any word may be missing)', true),
  {
    name: 'AI SDK 7 toolSearch',
    setup: 'the search tool of `ai` itself, run by generateText with a scripted model; only the tool is timed',
    create(tools) {
      const positions = new Map(tools.map((definition, position) => [`t${position} ${definition.name}`, position]));
      // Names are made unique by position, since a tool set is an object; the prefix is no word of a query.
      const deferred = Object.fromEntries(
        tools.map((definition, position) => [
          `t${position} ${definition.name}`,
          tool({
            description: definition.description ?? '',
            inputSchema: jsonSchema({ type: 'object' }),
            deferLoading: true,
          }),
        ]),
      );
      return async (query, limit) => {
        let found: readonly number[] = [];
        let milliseconds = 0;
        const model = new MockLanguageModelV4({
          doGenerate: {
            content: [{ type: 'tool-call', toolCallId: '1', toolName: 'find', input: JSON.stringify({ query }) }],
            finishReason: { unified: 'tool-calls', raw: undefined },
            usage,
            warnings: [],
          },
        });
        const all: ToolSet = { find: toolSearch({ maxResults: limit }), ...deferred };
        const { toolResults } = await generateText({
          model,
          tools: all,
          prompt: query,
          onToolExecutionEnd: (event) => {
            milliseconds = event.toolExecutionMs;
          },
        });
        const output = toolResults[0]?.output as { readonly tools: readonly { readonly name: string }[] } | undefined;
        found = (output?.tools ?? []).map(({ name }) => positions.get(name) as number);
        return { positions: found, milliseconds };
      };
    },
  },
];
