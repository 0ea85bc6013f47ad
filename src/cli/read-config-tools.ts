import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadConfig } from '../config/load-config.ts';
import { ToolgateError } from '../core/errors.ts';
import type { ToolDefinition } from '../core/tool.ts';
import { defaultConfigFile } from './config-file.ts';
import type { CommandIo } from './io.ts';
import { readServerTools } from './read-server-tools.ts';

/** The tools of a configuration's servers: they are started, asked and stopped again. What does not answer is said on standard error. */
export async function readConfigTools(config: string | undefined, io: CommandIo): Promise<ToolDefinition[]> {
  const file = resolve(io.directory, config ?? defaultConfigFile);
  if (config === undefined && !existsSync(file)) {
    throw new ToolgateError(
      'invalid-option',
      `There are no tools: give --tools, --config or --gateway, or have a ${defaultConfigFile} here.`,
      { data: { option: 'tools' } },
    );
  }
  const loaded = await loadConfig(file, { environment: io.environment });
  const { tools, statuses } = await readServerTools(loaded.config, io.signal);
  for (const status of statuses) {
    if (status.state !== 'ready' && status.state !== 'stale')
      io.stderr(`${status.name}: ${status.state}${status.reason === undefined ? '' : ` (${status.reason})`}\n`);
  }
  return [...tools];
}
