import type { Command } from 'commander';
import type { ToolDefinition } from '../../core/tool.ts';
import { toolTokens } from '../../select/tool-tokens.ts';
import { safeLine } from '../../text/safe-plain.ts';
import { exitCodes } from '../io.ts';
import type { CommandIo } from '../io.ts';
import { table } from '../table.ts';
import { addToolSourceOptions, readTools } from '../tool-sources.ts';
import type { ToolSourceOptions } from '../tool-sources.ts';

/** `toolgate tools`: everything behind a configuration, a gateway or in a file. */
export function addToolsCommand(program: Command, io: CommandIo, end: (code: number) => void): void {
  addToolSourceOptions(program.command('tools'))
    .description('List tools with their servers, what they may do, and what they cost in a prompt.')
    .option('--json', 'the definitions as JSON, one a line: a catalogue that --tools reads')
    .action(async (options: ToolSourceOptions & { readonly json?: boolean }) => end(await list(options, io)));
}

async function list(options: ToolSourceOptions & { readonly json?: boolean }, io: CommandIo): Promise<number> {
  const tools = await readTools(options, io);
  if (options.json === true) {
    for (const { server, ...tool } of tools)
      io.stdout(`${JSON.stringify(server === undefined ? tool : { ...tool, server: server.name })}\n`);
    return tools.length > 0 ? exitCodes.ok : exitCodes.no;
  }
  let total = 0;
  const rows = tools.map((tool) => {
    const tokens = toolTokens(tool);
    total += tokens;
    return [
      safeLine(tool.name),
      safeLine(tool.server?.name ?? ''),
      effectOf(tool),
      String(tokens),
      safeLine((tool.description ?? '').split('\n')[0] ?? ''),
    ];
  });
  io.stdout(
    table(
      [
        { title: 'tool', maximum: 40 },
        { title: 'server', maximum: 20 },
        { title: 'hint' },
        { title: 'tokens', align: 'right' },
        { title: 'description', maximum: Math.max(20, io.columns - 84) },
      ],
      rows,
    ),
  );
  io.stdout(`${tools.length} tools, about ${total.toLocaleString('en')} tokens if all are shown.\n`);
  return tools.length > 0 ? exitCodes.ok : exitCodes.no;
}

/** What the tool's own hints say; nothing is believed because of it. */
function effectOf({ annotations }: ToolDefinition): string {
  if (annotations?.readOnlyHint === true) return 'reads';
  if (annotations?.destructiveHint === true) return 'destroys';
  return annotations?.destructiveHint === false ? 'writes' : '';
}
