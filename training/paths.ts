import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));

/** Where intermediate results are kept; safe to delete. */
export function cacheDirectory(): string {
  return `${here}.cache`;
}

/** A file of an installed development package. */
export function packageFile(path: string): string {
  return `${here}node_modules/${path}`;
}

/** Where the evaluation sets are: `TOOLGATE_DATA`, else `../shared/data` beside the repository. */
export function dataDirectory(): string {
  return process.env['TOOLGATE_DATA'] ?? fileURLToPath(new URL('../../shared/data', import.meta.url));
}

/** Where generated modules go. */
export function generatedDirectory(): string {
  return fileURLToPath(new URL('../src/relevance/generated', import.meta.url));
}

/** Where the measured figures go. */
export function resultsFile(): string {
  return `${here}results.json`;
}
