import { Option } from 'commander';
import type { Command } from 'commander';
import { ToolgateError } from '../../core/errors.ts';
import type { ToolDefinition } from '../../core/tool.ts';
import { defaultSearchStrategy } from '../../gate/default-search.ts';
import { situationFeatureNames } from '../../relevance/feature-names.ts';
import { localDecisionModel } from '../../relevance/local-decision-model.ts';
import { Bm25ToolSearchStrategy } from '../../search/bm25-strategy.ts';
import { HybridToolSearchStrategy } from '../../search/hybrid-strategy.ts';
import type { FoundTool, ToolSearchStrategy } from '../../search/port.ts';
import { createSearchService } from '../../search/search-service.ts';
import { SimpleToolSearchStrategy } from '../../search/simple-strategy.ts';
import { plainText, safeLine } from '../../text/safe-plain.ts';
import { safeText } from '../../text/safe-text.ts';
import { exitCodes } from '../io.ts';
import type { CommandIo } from '../io.ts';
import { countOption } from '../option-values.ts';
import { table } from '../table.ts';
import { addToolSourceOptions, readTools } from '../tool-sources.ts';
import type { ToolSourceOptions } from '../tool-sources.ts';

interface SearchOptions extends ToolSourceOptions {
  readonly strategy: string;
  readonly server?: string;
  readonly limit: number;
  readonly json?: boolean;
}

const strategies: Readonly<Record<string, () => ToolSearchStrategy>> = {
  local: defaultSearchStrategy,
  hybrid: () => new HybridToolSearchStrategy(),
  bm25: () => new Bm25ToolSearchStrategy(),
  simple: () => new SimpleToolSearchStrategy(),
};

/** `toolgate search`: what would the model's search find? */
export function addSearchCommand(program: Command, io: CommandIo, end: (code: number) => void): void {
  addToolSourceOptions(program.command('search <query...>'))
    .description('Search tools as a model would, with the parts of each score.')
    .addOption(
      new Option('--strategy <name>', 'how to search')
        .choices(Object.keys(strategies))
        .default('local', 'local, as gates and gateways do'),
    )
    .option('--server <name>', 'only tools of this server')
    .option('--limit <count>', 'at most this many', countOption, 10)
    .option('--json', 'the hits as JSON')
    .action(async (words: string[], options: SearchOptions) => end(await search(words.join(' '), options, io)));
}

async function search(query: string, options: SearchOptions, io: CommandIo): Promise<number> {
  const pool = await readTools(options, io);
  const make = strategies[options.strategy];
  if (make === undefined)
    throw new ToolgateError('invalid-option', `There is no strategy ${options.strategy}.`, {
      data: { option: 'strategy' },
    });
  const outcome = await createSearchService({ strategy: make() }).search(query, {
    pool,
    server: options.server,
    limit: options.limit,
    signal: io.signal,
  });
  const found = options.strategy === 'local' ? await withShares(query, pool, outcome.found, io.signal) : outcome.found;
  if (options.json === true) {
    io.stdout(`${JSON.stringify({ query, total: outcome.total, found }, null, 2)}\n`);
    return found.length > 0 ? exitCodes.ok : exitCodes.no;
  }
  if (found.length === 0) {
    io.stdout(`${plainText(safeText(outcome.text))}\n`);
    return exitCodes.no;
  }
  const byName = new Map(pool.map((tool) => [tool.name, tool]));
  io.stdout(
    table(
      [
        { title: '#', align: 'right' },
        { title: 'tool', maximum: 32 },
        { title: 'score', align: 'right' },
        { title: options.strategy === 'local' ? 'what moved the log-odds most' : 'parts', maximum: 62 },
        { title: 'description', maximum: Math.max(30, io.columns - 116) },
      ],
      found.map((hit, index) => [
        String(index + 1),
        safeLine(hit.name),
        hit.score.toFixed(2),
        partsText(hit),
        safeLine((byName.get(hit.name)?.description ?? '').split('\n')[0] ?? ''),
      ]),
    ),
  );
  io.stdout(`${outcome.total} of ${pool.length} tools match.\n`);
  return exitCodes.ok;
}

/** The embedded model's hits with what each of its features adds to the log-odds. */
async function withShares(
  query: string,
  pool: readonly ToolDefinition[],
  found: readonly FoundTool[],
  signal: AbortSignal,
): Promise<FoundTool[]> {
  const { tools } = await localDecisionModel().explain(
    { input: query, questions: {}, context: { messages: [{ role: 'user', content: query }], catalogue: pool } },
    { signal, limit: pool.length },
  );
  const shares = new Map(tools.map((tool) => [tool.name, tool.shares]));
  return found.map((hit) => {
    const own = shares.get(hit.name);
    return own === undefined
      ? hit
      : { ...hit, parts: Object.fromEntries(own.map(({ feature, share }) => [feature, share])) };
  });
}

/** Parts that are the same for every tool, and so tell none from another. */
const commonParts: ReadonlySet<string> = new Set(['intercept', ...situationFeatureNames]);

/** The largest parts of a score, with their sign. */
function partsText({ parts = {} }: FoundTool): string {
  return Object.entries(parts)
    .filter(([name, share]) => !commonParts.has(name) && Math.abs(share) >= 0.005)
    .toSorted(([, a], [, b]) => Math.abs(b) - Math.abs(a))
    .slice(0, 3)
    .map(([name, share]) => `${name} ${share < 0 ? '−' : '+'}${Math.abs(share).toFixed(2)}`)
    .join(', ');
}
