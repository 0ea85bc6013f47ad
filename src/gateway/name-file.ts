import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pid } from 'node:process';
import type { NameStore } from '../catalog/types.ts';

/** Exposed names in a file of the state directory, so that a tool keeps its name over restarts. */
export function nameFile(stateDirectory: string): NameStore {
  const path = join(stateDirectory, 'names.json');
  return {
    load() {
      let text: string;
      try {
        text = readFileSync(path, 'utf8');
      } catch (error) {
        if ((error as { code?: unknown }).code === 'ENOENT') return [];
        throw error;
      }
      const value: unknown = JSON.parse(text);
      if (!Array.isArray(value)) return [];
      return value.filter(
        (entry): entry is [string, string] =>
          Array.isArray(entry) && typeof entry[0] === 'string' && typeof entry[1] === 'string',
      );
    },
    save(entries) {
      mkdirSync(stateDirectory, { recursive: true, mode: 0o700 });
      const temporary = `${path}.${pid}.tmp`;
      writeFileSync(temporary, JSON.stringify(entries), { mode: 0o600 });
      renameSync(temporary, path);
    },
  };
}
