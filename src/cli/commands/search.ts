import type { Command } from 'commander';
import { defaultSearchStrategy } from '../../gate/default-search.ts';
import { createSearchService } from '../../search/search-service.ts';
import { plainText, safeLine } from '../../text/safe-plain.ts';
import { safeText } from '../../text/safe-text.ts';
import { exitCodes } from '../io.ts';
import type { CommandIo } from '../io.ts';
import { countOption } from '../option-values.ts';
import { table } from '../table.ts';
import { addToolSourceOptions, readTools } from '../tool-sources.ts';
import type { ToolSourceOptions } from '../tool-sources.ts';

interface SearchOptions extends ToolSourceOptions {
  readonly server?: string;
  readonly limit: number;
  readonly json?: boolean;
}

/** `toolgate search`: what would the model's search find? */
export function addSearchCommand(program: Command, io: CommandIo, end: (code: number) => void): void {
  addToolSourceOptions(program.command('search <query...>'))
    .description('Search tools as a model would, with the parts of each score.')
    .option('--server <name>', 'only tools of this server')
    .option('--limit <count>', 'at most this many', countOption, 10)
    .option('--json', 'the hits as JSON')
    .action(async (words: string[], options: SearchOptions) => end(await search(words.join(' '), options, io)));
}

async function search(query: string, options: SearchOptions, io: CommandIo): Promise<number> {
  const pool = await readTools(options, io);
  const outcome = await createSearchService({ strategy: defaultSearchStrategy() }).search(query, {
    pool,
    server: options.server,
    limit: options.limit,
    signal: io.signal,
  });
  if (options.json === true) {
    io.stdout(`${JSON.stringify({ query, total: outcome.total, found: outcome.found }, null, 2)}\n`);
    return outcome.found.length > 0 ? exitCodes.ok : exitCodes.no;
  }
  if (outcome.found.length === 0) {
    io.stdout(`${plainText(safeText(outcome.text))}\n`);
    return exitCodes.no;
  }
  const byName = new Map(pool.map((tool) => [tool.name, tool]));
  const parts = [...new Set(outcome.found.flatMap(({ parts: own }) => Object.keys(own ?? {})))];
  io.stdout(
    table(
      [
        { title: '#', align: 'right' },
        { title: 'tool', maximum: 32 },
        { title: 'score', align: 'right' },
        ...parts.map((title) => ({ title, align: 'right' as const })),
        { title: 'description', maximum: Math.max(30, io.columns - 52 - 8 * parts.length) },
      ],
      outcome.found.map((hit, index) => [
        String(index + 1),
        safeLine(hit.name),
        hit.score.toFixed(2),
        ...parts.map((part) => hit.parts?.[part]?.toFixed(2) ?? ''),
        safeLine((byName.get(hit.name)?.description ?? '').split('\n')[0] ?? ''),
      ]),
    ),
  );
  io.stdout(`${outcome.total} of ${pool.length} tools match.\n`);
  return exitCodes.ok;
}
