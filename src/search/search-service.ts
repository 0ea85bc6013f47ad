import { isToolgateError } from '../core/errors.ts';
import type { Invocation } from '../core/provider.ts';
import type { ToolDefinition } from '../core/tool.ts';
import { fold } from '../text/fold.ts';
import { Bm25ToolSearchStrategy } from './bm25-strategy.ts';
import { HybridToolSearchStrategy } from './hybrid-strategy.ts';
import { collect, namedTools } from './named-tools.ts';
import type { NamedTools } from './named-tools.ts';
import type { FoundTool, ToolSearchStrategy } from './port.ts';
import { runStrategy } from './run-strategy.ts';
import { readSearchArguments, searchArgument } from './search-arguments.ts';
import { countFrom, mainArgument, mostResults, queryFrom, selectedNames, withFilters } from './search-filters.ts';
import { describeOutcome } from './search-outcome.ts';
import type { SearchOutcome } from './search-outcome.ts';
import { checkCount } from './search-tool-options.ts';
import { describeAreas, searchAreas, toolsOfServer } from './servers.ts';
import { canRank } from './text-query-strategy.ts';
import { createToolNames } from './tool-names.ts';
import type { ToolNames } from './tool-names.ts';

/** Options of {@link createSearchService}. */
export interface SearchServiceOptions {
  /** Default: {@link HybridToolSearchStrategy} over words and pieces of words. */
  readonly strategy?: ToolSearchStrategy | undefined;
  /** Tools in one answer when the search sets no limit, 1 to 50. Default 5. */
  readonly maxResults?: number | undefined;
  /** What a search tool's description says after the strategy's own text. Default: `Searches: github (40 tools), …`. Given the areas as text; `false`: nothing. */
  readonly describeAreas?: ((areas: string) => string) | false | undefined;
  /** True: each found tool on a line of its own with the first sentence of its description. Default false: names only. */
  readonly summaries?: boolean | undefined;
}

/** Where and how to search. Values that come from a model may be anything; what cannot be used counts as absent. */
export interface SearchContext {
  /** Every tool that this principal may call, in a stable order, shown and found ones included. Nothing else is found, counted or named. */
  readonly pool: readonly ToolDefinition[];
  /** Names of tools that the model sees already. They are not found again; where they are what is looked for, the answer says so. */
  readonly alreadyFound?: Iterable<string> | undefined;
  /** Only tools of this server; an exact name beats a partial one. */
  readonly server?: unknown;
  /** 1 to 50. */
  readonly limit?: unknown;
  /** How many of the best to skip. Default 0. */
  readonly offset?: unknown;
  readonly invocation?: Invocation | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Finds tools for models and people, whatever the strategy. */
export interface SearchService {
  /** The strategy's search tools, with optional `server`, `limit` and `offset`, and a description that names the areas in the pool. */
  getToolSearchTools(pool: readonly ToolDefinition[], invocation?: Invocation): readonly ToolDefinition[];
  /** Searches for a text or a list of words. `*` lists everything; `select:a,b` gives exactly the tools of these names. */
  search(query: unknown, context: SearchContext): Promise<SearchOutcome>;
  /** Answers a call of a search tool. Throws only when the signal is aborted, and where `throwToolArgumentsExceptions` asks for it. */
  searchCall(input: unknown, context: SearchContext): Promise<SearchOutcome>;
}

type Result = Omit<SearchOutcome, 'text'>;

/** What being named adds to a score. */
const exactParts = { exact: 1 } as const;

const noInvocation: Invocation = { id: 'search', attributes: {} };

/**
 * What is common to all searches: exactly named tools first and never cut by the limit; how many more there are; the searched areas when nothing
 * matches; names that no tool has, from a model or from a strategy, do no harm; filters limit the candidates and never replace the ranking;
 * tools that are there already are not found again. When the strategy fails, words alone decide, and the outcome says so.
 */
export function createSearchService(options: SearchServiceOptions = {}): SearchService {
  const strategy = options.strategy ?? new HybridToolSearchStrategy();
  const words = new Bm25ToolSearchStrategy();
  const maxResults = Math.min(mostResults, checkCount('maxResults', options.maxResults ?? 5));
  const remembered = new WeakMap<readonly ToolDefinition[], ToolNames>();

  function namesOf(tools: readonly ToolDefinition[]): ToolNames {
    let names = remembered.get(tools);
    if (names === undefined) remembered.set(tools, (names = createToolNames(tools)));
    return names;
  }

  function inWords(result: Result, pool: readonly ToolDefinition[]): SearchOutcome {
    const foundText = canRank(strategy) ? strategy.foundText?.bind(strategy) : undefined;
    return {
      ...result,
      text: describeOutcome(result, { foundText, summaries: options.summaries === true ? pool : undefined }),
    };
  }

  async function find(query: string, input: unknown, context: SearchContext): Promise<SearchOutcome> {
    context.signal?.throwIfAborted();
    const wanted = typeof context.server === 'string' && context.server.trim() !== '' ? context.server : undefined;
    const ofServer = wanted === undefined ? context.pool : toolsOfServer(context.pool, wanted);
    if (ofServer === undefined) return inWords(unknownServer(query, wanted as string, context.pool), context.pool);
    const taken = new Set(context.alreadyFound ?? []);
    const already = new Set(ofServer.map((tool) => tool.name).filter((name) => taken.has(name)));
    const base = {
      ...emptyResult(query, ofServer),
      offset: countFrom(context.offset, 0, Number.MAX_SAFE_INTEGER) ?? 0,
    };
    const limit = countFrom(context.limit, 1, mostResults) ?? maxResults;
    const selected = selectedNames(query);
    if (selected !== undefined) return inWords(select(base, collect(selected, namesOf(ofServer)), already), ofServer);
    const searchable = ofServer.filter((tool) => !already.has(tool.name));
    if (query === '*' || query === '') {
      const all = searchable.map((tool) => ({ name: tool.name, score: 0 }));
      return inWords({ ...base, ...page(all, 0, base.offset, limit) }, ofServer);
    }
    const named = namedTools(query, namesOf(ofServer));
    const exact = named.tools.filter((tool) => !already.has(tool.name));
    const invocation = context.invocation ?? noInvocation;
    const tools = canRank(strategy) && strategy.ranksWholePool === true ? context.pool : searchable;
    const run = { query, input, tools, invocation, signal: context.signal };
    const { ranked, problem, degraded } = await runStrategy(strategy, run, words);
    const merged = merge(exact, ranked, searchable);
    if (merged.length === 0) merged.push(...containing(query, searchable));
    return inWords(
      {
        ...base,
        ...page(merged, exact.length, base.offset, limit),
        alreadyAvailable: await available(query, named, context.pool, already),
        unknown: named.unknown,
        problem: merged.length === 0 ? problem : undefined,
        degraded,
      },
      ofServer,
    );
  }

  /** Tools that are there already and are named, or suit the query better, by words, than everything that is not. */
  async function available(
    query: string,
    named: NamedTools,
    pool: readonly ToolDefinition[],
    already: ReadonlySet<string>,
  ): Promise<readonly string[]> {
    if (already.size === 0) return [];
    const names = named.tools.map((tool) => tool.name).filter((name) => already.has(name));
    if (names.length > 0) return names;
    // The whole pool, so that the index stays the same from search to search.
    const [best] = await words.rank({ query, tools: pool });
    return best !== undefined && already.has(best.name) ? [best.name] : [];
  }

  return {
    getToolSearchTools(pool, invocation = noInvocation) {
      const areas = describeAreas(searchAreas(pool));
      const note =
        options.describeAreas === undefined
          ? areas === ''
            ? ''
            : `Searches: ${areas}.`
          : options.describeAreas === false
            ? ''
            : options.describeAreas(areas);
      return strategy.getToolSearchTools(invocation).map((tool) => withFilters(tool, note));
    },
    search: (query, context) => find(queryFrom(query), undefined, context),
    searchCall(input, context) {
      const argument = mainArgument(strategy.getToolSearchTools(context.invocation ?? noInvocation)[0]).name;
      const call = readCall(input, argument);
      if (typeof call === 'string')
        return Promise.resolve(inWords({ ...emptyResult('', context.pool), problem: call }, context.pool));
      const { query, filters, read } = call;
      return find(query, read, { ...context, ...filters });
    },
  };
}

/** The query and the filters of a call; a text says what is wrong with it. */
function readCall(
  input: unknown,
  argument: string,
): { query: string; filters: Partial<SearchContext>; read: unknown } | string {
  // A bare text is taken for the query itself.
  if (typeof input === 'string' && input.trim() !== '' && !/^\s*[[{"]|^\s*null\s*$/u.test(input))
    return { query: queryFrom(input), filters: {}, read: undefined };
  let read: Readonly<Record<string, unknown>>;
  try {
    read = readSearchArguments(input);
  } catch (error) {
    return isToolgateError(error) ? error.message : 'The arguments of the search cannot be read';
  }
  const select = searchArgument(read, 'select');
  const query = queryFrom(searchArgument(read, argument) ?? searchArgument(read, 'query'));
  const filters = Object.fromEntries(
    (['server', 'limit', 'offset'] as const)
      .map((name) => [name, searchArgument(read, name)])
      .filter(([, value]) => value !== undefined),
  ) as Partial<SearchContext>;
  if (select !== undefined) return { query: `select:${queryFrom(select)}`, filters, read };
  return query === '' && filters.server === undefined
    ? `Missing required tool argument '${argument}'`
    : { query, filters, read };
}

function emptyResult(query: string, pool: readonly ToolDefinition[]): Result {
  return {
    query,
    found: [],
    total: 0,
    offset: 0,
    alreadyAvailable: [],
    ambiguous: [],
    unknown: [],
    areas: searchAreas(pool),
  };
}

function unknownServer(query: string, server: string, pool: readonly ToolDefinition[]): Result {
  const areas = describeAreas(searchAreas(pool));
  const problem = `No server "${server.slice(0, 80)}" is known.${areas === '' ? '' : ` Servers: ${areas}.`}`;
  return { ...emptyResult(query, pool), problem };
}

/** Exactly the named tools; a name that several tools could have is not guessed at. */
function select(base: Result, named: NamedTools, already: ReadonlySet<string>): Result {
  const unclear = new Set(named.ambiguous.flatMap((one) => one.tools));
  const clear = named.tools.filter((tool) => !unclear.has(tool)).map((tool) => tool.name);
  const found = clear.filter((name) => !already.has(name)).map(exactly);
  return {
    ...base,
    found,
    total: found.length,
    offset: 0,
    alreadyAvailable: clear.filter((name) => already.has(name)),
    ambiguous: named.ambiguous.map(({ name, tools }) => ({ name, candidates: tools.map((tool) => tool.name) })),
    unknown: named.unknown,
  };
}

/** Exactly named tools, then what was ranked, as far as it is searchable, each once. */
function merge(
  exact: readonly ToolDefinition[],
  ranked: readonly FoundTool[],
  searchable: readonly ToolDefinition[],
): FoundTool[] {
  const known = new Set(searchable.map((tool) => tool.name));
  const merged = new Map(exact.map((tool) => [tool.name, exactly(tool.name)]));
  for (const tool of ranked) {
    const before = merged.get(tool.name);
    if (before?.parts === exactParts)
      merged.set(tool.name, { ...tool, score: tool.score + 1, parts: { ...tool.parts, ...exactParts } });
    else if (before === undefined && known.has(tool.name)) merged.set(tool.name, tool);
  }
  return [...merged.values()];
}

/** Tools whose name or description contains the query as it is: for scripts and signs that make no words. */
function containing(query: string, searchable: readonly ToolDefinition[]): readonly FoundTool[] {
  const wanted = fold(query.slice(0, 200));
  const found: FoundTool[] = [];
  for (const { name, description } of searchable) {
    const score =
      (fold(name).includes(wanted) ? 2 : 0) + (fold((description ?? '').slice(0, 5_000)).includes(wanted) ? 1 : 0);
    if (score > 0) found.push({ name, score });
  }
  return found.sort((a, b) => b.score - a.score);
}

function exactly(name: string): FoundTool {
  return { name, score: 1, parts: exactParts };
}

/** One page of the results; the first one holds every exactly named tool, whatever the limit. */
function page(
  all: readonly FoundTool[],
  exact: number,
  offset: number,
  limit: number,
): Pick<Result, 'found' | 'total' | 'nextOffset'> {
  const end = offset === 0 ? Math.max(limit, exact) : offset + limit;
  const found = all.slice(offset, end);
  return { found, total: all.length, nextOffset: end < all.length && found.length > 0 ? end : undefined };
}
