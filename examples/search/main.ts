// Searching for tools: strategies, the service around them, languages, synonyms, embeddings. Checks itself; exits with 1 when something is
// not as the guide says. The regions are what the guide shows.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ToolDefinition } from 'toolgate';
// #region search-service
import { createSearchService, HybridToolSearchStrategy } from 'toolgate';

const service = createSearchService({ strategy: new HybridToolSearchStrategy(), maxResults: 5 });
// #endregion
// #region search-gate
import { Bm25ToolSearchStrategy, createToolGate } from 'toolgate';
// #endregion
// #region search-embedding
import { EmbeddingToolSearchStrategy, fileEmbeddingCache } from 'toolgate';
// #endregion
// #region search-simple
import { SimpleToolSearchStrategy } from 'toolgate';
// #endregion
// #region search-language
import { createTokenizer } from 'toolgate';
// #endregion
// #region search-contract
import { describe, it } from 'node:test'; // or those of Vitest, Jest or Mocha
import { searchStrategyContract } from 'toolgate/testing';
// #endregion

function definition(name: string, description: string, server: string): ToolDefinition {
  return {
    name,
    description,
    inputSchema: { type: 'object', properties: {} },
    server: { name: server, identity: server },
  };
}

const tools: readonly ToolDefinition[] = [
  definition('create_issue', 'Creates an issue', 'github'),
  definition('list_issues', 'Lists issues of a repository', 'github'),
  definition('get_issue', 'Reads one issue', 'github'),
  definition('send_mail', 'Sends a mail to somebody', 'mail'),
  definition('search_mail', 'Searches the mails of a mailbox', 'mail'),
  definition('get_weather', 'Weather of a city', 'weather'),
];
const names = (found: readonly { readonly name: string }[]): string[] => found.map(({ name }) => name);

// What the service does, whatever the strategy.
// #region search-call
const outcome = await service.search('open a ticket: create issue', {
  pool: tools, // everything that this principal may call
  alreadyFound: ['send_mail'], // what the model sees already
});
console.log(outcome.text); // what the model reads
for (const { name, score, parts } of outcome.found) console.log(name, score, parts); // the parts add up to the score
// #endregion
assert.equal(outcome.found[0]?.name, 'create_issue');
for (const { score, parts } of outcome.found) {
  const sum = Object.values(parts ?? {}).reduce((all, part) => all + part, 0);
  assert.ok(Math.abs(sum - score) < 1e-9, 'the parts add up');
}

for (const name of ['get_issue', 'getIssue', 'github.get_issue', 'mcp__github__get_issue']) {
  const { found } = await service.search(name, { pool: tools });
  assert.equal(found[0]?.name, 'get_issue', name);
  assert.equal(found[0]?.parts?.['exact'], 1, name);
}
assert.deepEqual(names((await service.search('*', { pool: tools, limit: 50 })).found), names(tools));
assert.deepEqual(names((await service.search('select:send_mail,get_weather', { pool: tools })).found), [
  'send_mail',
  'get_weather',
]);
assert.deepEqual(names((await service.search('*', { pool: tools, server: 'GitHub', limit: 2 })).found), [
  'create_issue',
  'list_issues',
]);
const there = await service.search('send_mail', { pool: tools, alreadyFound: ['send_mail'] });
assert.match(there.text, /Already available, call directly without searching: send_mail/u);
const nothing = await service.search('xylophone', { pool: tools });
assert.deepEqual(nothing.found, []);
assert.match(
  nothing.text,
  /^No matching tools found\nSearched: github \(3 tools\), mail \(2 tools\), weather \(1 tool\)\./u,
);
const [offered] = service.getToolSearchTools(tools);
assert.match(offered?.description ?? '', /Searches: github \(3 tools\), mail \(2 tools\), weather \(1 tool\)\.$/u);
// Misspelt, run together, cut short.
for (const [query, name] of [
  ['wether', 'get_weather'],
  ['waether', 'get_weather'],
  ['sendmail', 'send_mail'],
  ['repo', 'list_issues'],
] as const) {
  assert.equal((await service.search(query, { pool: tools })).found[0]?.name, name, query);
}

// In a gate.
// #region search-in-gate
const gate = createToolGate({
  providers: [{ provideTools: () => tools.map((tool) => ({ ...tool, execute: () => 'done' })) }],
  search: new Bm25ToolSearchStrategy(), // without it: the embedded decision model
});
const { found, total, text } = await gate.search({ query: 'mail', server: 'mail', limit: 1 }); // for people and programs
// #endregion
assert.equal(found.length, 1);
assert.equal(total, 2);
assert.match(text, /Showing 1 of 2 matches/u);

// Words of one's own.
// #region search-synonyms
const own = new Bm25ToolSearchStrategy({
  synonyms: [
    ['ticket', 'issue', 'bug report'],
    ['brolly', 'weather'],
  ],
});
// #endregion
assert.equal((await own.rank({ query: 'file a bug report', tools }))[0]?.name.endsWith('issue'), true);
assert.deepEqual(names(await own.rank({ query: 'brolly', tools })), ['get_weather']);
assert.deepEqual(names(await new Bm25ToolSearchStrategy().rank({ query: 'brolly', tools })), []);

// Another language.
// #region search-german
const german = new Bm25ToolSearchStrategy({ tokenizer: createTokenizer({ language: 'german' }) });
// #endregion
const inGerman = [
  definition('termine', 'Zeigt die Termine einer Woche', 'kalender'),
  definition('rechnungen', 'Listet offene Rechnungen', 'buchhaltung'),
];
assert.deepEqual(names(await german.rank({ query: 'Welche Rechnung ist noch offen?', tools: inGerman })), [
  'rechnungen',
]);
const inJapanese = [
  definition('get_weather', '指定した都市の天気を返します。', 'weather'),
  definition('find_station', '駅を検索します。', 'trains'),
];
assert.equal((await service.search('天気', { pool: inJapanese })).found[0]?.name, 'get_weather');

// Meaning, by an embedding model. A stand-in with three directions takes its place here.
const directory = await mkdtemp(join(tmpdir(), 'toolgate-example-'));
let embedded = 0;
const topics = [/issue|ticket|bug/iu, /mail|letter|post/iu, /weather|umbrella|rain/iu];
const embed = (texts: readonly string[]): readonly number[][] => {
  embedded += texts.length;
  return texts.map((value) => topics.map((topic) => (topic.test(value) ? 1 : 0.01)));
};
try {
  // #region search-meaning
  const meaning = new EmbeddingToolSearchStrategy({
    model: embed, // (texts) => vectors, or an embedding model of the AI SDK
    cache: fileEmbeddingCache({ directory, model: 'the-model-and-its-version' }),
    minScore: 0.3,
  });
  const both = new HybridToolSearchStrategy({
    strategies: [
      { name: 'words', strategy: new Bm25ToolSearchStrategy() },
      { name: 'meaning', strategy: meaning, weight: 0.7 },
    ],
  });
  // #endregion
  assert.equal((await both.rank({ query: 'do I need an umbrella', tools }))[0]?.name, 'get_weather');
  assert.equal(embedded, tools.length + 1);
  const later = new EmbeddingToolSearchStrategy({
    model: embed,
    cache: fileEmbeddingCache({ directory, model: 'the-model-and-its-version' }),
  });
  await later.rank({ query: 'rain', tools });
  assert.equal(embedded, tools.length + 2, 'after a restart only the query is embedded');
} finally {
  await rm(directory, { recursive: true, force: true });
}

// The simple strategy, extended.
// #region search-extend
class WithServer extends SimpleToolSearchStrategy {
  protected override clean(terms: readonly string[]): readonly string[] {
    return super.clean(terms).filter((term) => !['the', 'a', 'of', 'to'].includes(term));
  }
  protected override score(tool: ToolDefinition, terms: readonly string[]): number {
    const server = tool.server?.name.toLowerCase() ?? '';
    return super.score(tool, terms) + terms.filter((term) => server.includes(term)).length;
  }
}
// #endregion
const extended = await new WithServer({ maxResults: 2 }).search({
  call: { toolCallId: '1', toolName: 'tool_search_tool', input: { terms: ['the', 'github', 'issue'] } },
  searchableTools: tools,
  invocation: { id: 'example', attributes: {} },
});
assert.equal(extended.toolResultMessageText, 'Tools found: create_issue, list_issues');
console.log('ok: every strategy, name, filter, language and cache did what the guide says');

// #region search-keeps-contract
searchStrategyContract({ describe, it }, 'WithServer', { create: (options) => new WithServer(options) });
// #endregion
