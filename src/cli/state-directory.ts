import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadConfig } from '../config/load-config.ts';
import { defaultConfigFile } from './config-file.ts';
import type { CommandIo } from './io.ts';

/** Where a gateway of this folder keeps its state: as said, else as the configuration here says, else `.toolgate`. */
export async function stateDirectoryOf(given: string | undefined, io: CommandIo): Promise<string> {
  if (given !== undefined) return resolve(io.directory, given);
  const file = resolve(io.directory, defaultConfigFile);
  if (!existsSync(file)) return resolve(io.directory, '.toolgate');
  return (await loadConfig(file, { environment: io.environment })).config.stateDirectory;
}
