import { digestText } from '../core/digest.ts';
import { ToolgateError } from '../core/errors.ts';
import { isPlainObject } from '../core/json.ts';
import type { EmbeddingCache } from './embedding-cache.ts';

const magic = 'toolgate-embeddings-1';

/**
 * Keeps embeddings on disk: one file for each model below `directory`, written whole beside the old one and then renamed, so that a cut
 * never leaves half a file. A file that cannot be read is empty. Several processes may share it; the last one to write wins.
 * Throws `invalid-option` where there is no file system to write to, as in a browser.
 */
export function fileEmbeddingCache(options: { readonly directory: string; readonly model: string }): EmbeddingCache {
  const { mkdir, readFile, rename, rm, writeFile } = fileSystem();
  const path = `${options.directory}/${hex(options.model).slice(0, 32)}.json`;
  let loading: Promise<Map<string, readonly number[]>> | undefined;
  let writing: Promise<void> = Promise.resolve();

  const loaded = (): Promise<Map<string, readonly number[]>> =>
    (loading ??= read(() => readFile(path, 'utf8'), options.model));

  async function write(): Promise<void> {
    const kept = await loaded();
    await mkdir(options.directory, { recursive: true });
    const beside = `${path}.${process.pid}.tmp`;
    await writeFile(beside, JSON.stringify({ magic, model: options.model, entries: [...kept] }));
    await rename(beside, path);
  }

  function inTurn(step: () => Promise<void>): Promise<void> {
    const next = writing.then(step);
    writing = next.catch(() => undefined);
    return next;
  }

  return {
    async get(texts) {
      const kept = await loaded();
      return texts.map((text) => kept.get(hex(text)));
    },
    async set(entries) {
      const kept = await loaded();
      for (const [text, embedding] of entries) kept.set(hex(text), Array.from(embedding));
      await inTurn(write);
    },
    async clear() {
      (await loaded()).clear();
      await inTurn(() => rm(path, { force: true }));
    },
  };
}

async function read(readText: () => Promise<string>, model: string): Promise<Map<string, readonly number[]>> {
  const kept = new Map<string, readonly number[]>();
  let stored: unknown;
  try {
    stored = JSON.parse(await readText());
  } catch {
    return kept;
  }
  if (!isPlainObject(stored) || stored['magic'] !== magic || stored['model'] !== model) return kept;
  const entries: unknown = stored['entries'];
  for (const entry of Array.isArray(entries) ? (entries as unknown[]) : []) {
    if (!Array.isArray(entry) || typeof entry[0] !== 'string' || !isVector(entry[1])) continue;
    kept.set(entry[0], entry[1]);
  }
  return kept;
}

function isVector(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.length > 0 && value.every((number) => Number.isFinite(number));
}

function hex(text: string): string {
  return digestText(text).slice('sha256:'.length);
}

/** Asked for when it is needed, so that the package's main entry loads where there is no Node. */
function fileSystem() {
  const files = (globalThis.process as NodeJS.Process | undefined)?.getBuiltinModule?.('node:fs/promises');
  if (files === undefined) {
    throw new ToolgateError(
      'invalid-option',
      'fileEmbeddingCache needs a file system, which this platform does not have. Use memoryEmbeddingCache or a cache of your own.',
      { data: { option: 'cache' } },
    );
  }
  return files;
}
