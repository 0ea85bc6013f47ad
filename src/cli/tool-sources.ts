import type { Command } from 'commander';
import { ToolgateError } from '../core/errors.ts';
import type { ToolDefinition } from '../core/tool.ts';
import { findRunningGateway } from '../gateway/process-lock.ts';
import type { CommandIo } from './io.ts';
import { readCatalogue } from './read-catalogue.ts';
import { readConfigTools } from './read-config-tools.ts';
import { readGatewayTools } from './read-gateway-tools.ts';
import { stateDirectoryOf } from './state-directory.ts';

/** The options by which a command is told where its tools are. */
export interface ToolSourceOptions {
  readonly tools?: string;
  readonly config?: string;
  readonly gateway?: string;
  readonly state?: string;
}

/** Adds those options to a command. */
export function addToolSourceOptions(command: Command): Command {
  return command
    .option('--tools <file>', 'a file of tools: one JSON object a line, a JSON array, or an answer of tools/list')
    .option('--config <file>', 'a configuration: its servers are started and asked')
    .option('--gateway <address>', 'a running gateway, for example http://127.0.0.1:4222')
    .option(
      '--state <directory>',
      'where the running gateway keeps its tokens (default: as the configuration here says, else .toolgate)',
    );
}

/** The tools from wherever the options say; without any, from the gateway that runs here, else from the configuration here. Names are unique. */
export async function readTools(options: ToolSourceOptions, io: CommandIo): Promise<ToolDefinition[]> {
  const given = [options.tools, options.config, options.gateway].filter((value) => value !== undefined);
  if (given.length > 1)
    throw new ToolgateError('invalid-option', 'Give one of --tools, --config and --gateway, not several.', {
      data: { option: 'tools' },
    });
  if (options.tools !== undefined) return uniqueNames(readCatalogue(options.tools), options.tools);
  if (options.gateway !== undefined) return await readGatewayTools(options.gateway, options.state, io);
  if (
    options.config === undefined &&
    (await findRunningGateway(await stateDirectoryOf(options.state, io))) !== undefined
  ) {
    return await readGatewayTools(undefined, options.state, io);
  }
  return await readConfigTools(options.config, io);
}

/** Tools of a file may share a name; the later ones get their server's name or a number in front. */
function uniqueNames(tools: readonly ToolDefinition[], file: string): ToolDefinition[] {
  const seen = new Set<string>();
  return tools.map((tool) => {
    let { name } = tool;
    for (let attempt = 0; seen.has(name); attempt += 1) {
      if (attempt > tools.length)
        throw new ToolgateError('duplicate-tool', `${file} has the tool ${tool.name} too often.`, {
          data: { tool: tool.name },
        });
      name =
        attempt === 0 && tool.server !== undefined ? `${tool.server.name}_${tool.name}` : `${tool.name}_${attempt + 2}`;
    }
    seen.add(name);
    return name === tool.name ? tool : { ...tool, name };
  });
}
