import { readFile } from 'node:fs/promises';
import { dirname, extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { errorMessage, ToolgateError } from '../core/errors.ts';
import { isPlainObject } from '../core/json.ts';
import { processEnvironment } from './environment.ts';
import { escapePointer, JsonSyntaxError, parseJsonWithPositions } from './json-with-positions.ts';
import type { TextPosition } from './json-with-positions.ts';
import { resolveConfig } from './resolve-config.ts';
import { checkConfig, knownKeys } from './schema.ts';
import { suggestWord } from './suggest.ts';
import type { ConfigWarning, GatewayConfig, LoadedConfig } from './types.ts';

/** What `loadConfig` and `parseConfig` may be told. */
export interface LoadConfigOptions {
  /** For placeholders and default paths. Default: the environment of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** How many of the things that are wrong one error names. */
const mostIssues = 3;

type Positions = ReadonlyMap<string, TextPosition>;

/**
 * Reads a configuration file. JSON (with comments) is data; a `.js`, `.mjs` or `.ts` file is a program and is only run when
 * its path is given here. Throws `config-invalid` with file, line, column and path of what is wrong.
 */
export async function loadConfig(path: string, options?: LoadConfigOptions): Promise<LoadedConfig> {
  const file = resolve(path);
  if (['.js', '.mjs', '.ts', '.mts'].includes(extname(file)))
    return finish(await importConfig(file), file, dirname(file), options, new Map());
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const missing = (error as { code?: unknown }).code === 'ENOENT';
    throw new ToolgateError(
      'config-invalid',
      missing ? `There is no file ${file}.` : `${file} cannot be read: ${errorMessage(error)}`,
      {
        data: { file },
        cause: error,
      },
    );
  }
  return parseConfig(text, file, options);
}

/** As {@link loadConfig}, for a text that is already there; `file` is only named in errors and as the base of relative paths. */
export function parseConfig(text: string, file: string, options?: LoadConfigOptions): LoadedConfig {
  try {
    const { value, positions } = parseJsonWithPositions(text);
    return finish(value, file, dirname(resolve(file)), options, positions);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw invalid(file, error.path, error.position, `not valid JSON: ${error.message}.`);
  }
}

/** A configuration made by a program instead of a file. Throws `config-invalid` as a file would. */
export function createConfig(
  input: unknown,
  options?: LoadConfigOptions & { readonly directory?: string },
): GatewayConfig {
  return finish(input, undefined, options?.directory ?? '.', options, new Map()).config;
}

function finish(
  value: unknown,
  file: string | undefined,
  directory: string,
  options: LoadConfigOptions | undefined,
  positions: Positions,
): LoadedConfig {
  const place = file ?? 'the configuration';
  const parsed = checkConfig(value);
  if (!parsed.ok) {
    const [first, ...others] = parsed.issues.map((issue) => {
      const path = issue.path.map((part) => `/${escapePointer(part)}`).join('');
      return { path, position: nearestPosition(positions, path), message: issue.message.replace(/\.$/, '') };
    });
    const also = others.slice(0, mostIssues - 1).map(({ path, position, message }) => {
      const line = position === undefined ? '' : ` (line ${position.line})`;
      return `; ${path === '' ? 'the whole' : path}${line}: ${message}`;
    });
    const more = parsed.issues.length - mostIssues;
    const message = `${first?.message ?? 'not a configuration'}${also.join('')}${more > 0 ? ` (and ${more} more)` : ''}.`;
    throw invalid(place, first?.path ?? '', first?.position, message);
  }
  const warnings = collectWarnings(value, positions);
  const environment = options?.environment ?? processEnvironment();
  return { config: resolveConfig(parsed.value, { file, directory: resolve(directory), environment }), warnings };
}

function invalid(file: string, path: string, position: TextPosition | undefined, message: string): ToolgateError {
  const at = position === undefined ? '' : `:${position.line}:${position.column}`;
  const where = path === '' ? '' : ` at ${path}`;
  return new ToolgateError('config-invalid', `${file}${at}${where}: ${message}`, {
    data: { file, path, ...(position === undefined ? {} : { line: position.line, column: position.column }) },
  });
}

/** The place of a value, or of the nearest value around it (for one that is missing). */
function nearestPosition(positions: Positions, path: string): TextPosition | undefined {
  for (let current = path; ; current = current.slice(0, current.lastIndexOf('/'))) {
    const position = positions.get(current);
    if (position !== undefined || current === '') return position;
  }
}

function collectWarnings(value: unknown, positions: Positions): readonly ConfigWarning[] {
  const warnings: ConfigWarning[] = [];
  function warn(path: string, message: string): void {
    const position = nearestPosition(positions, path);
    warnings.push({ path, line: position?.line, column: position?.column, message });
  }
  function unknownKeys(object: unknown, path: string, kind: keyof typeof knownKeys): void {
    if (!isPlainObject(object)) return;
    for (const key of Object.keys(object)) {
      if (knownKeys[kind].includes(key)) continue;
      const meant = suggestWord(key, knownKeys[kind]);
      warn(
        `${path}/${escapePointer(key)}`,
        `${JSON.stringify(key)} is not known here and has no effect.${meant === undefined ? '' : ` Did you mean ${JSON.stringify(meant)}?`}`,
      );
    }
  }
  unknownKeys(value, '', 'top');
  if (!isPlainObject(value)) return warnings;
  unknownKeys(value['defaults'], '/defaults', 'defaults');
  let count = 0;
  for (const block of ['mcpServers', 'servers']) {
    const servers = value[block];
    if (!isPlainObject(servers)) continue;
    for (const [name, server] of Object.entries(servers)) {
      const path = `/${block}/${escapePointer(name)}`;
      count += 1;
      unknownKeys(server, path, 'server');
      if (!isPlainObject(server)) continue;
      for (const key of ['autoApprove', 'alwaysAllow']) {
        if (Object.hasOwn(server, key))
          warn(
            `${path}/${key}`,
            `${JSON.stringify(key)} is a setting of other clients and has no effect: write rules under "policy".`,
          );
      }
    }
  }
  if (count === 0) warn('', 'No server is configured: add some under "mcpServers".');
  return warnings;
}

async function importConfig(file: string): Promise<unknown> {
  let module: unknown;
  try {
    module = await import(pathToFileURL(file).href);
  } catch (error) {
    throw new ToolgateError('config-invalid', `${file} cannot be loaded: ${errorMessage(error)}`, {
      data: { file },
      cause: error,
    });
  }
  const exported = (module as { default?: unknown }).default;
  if (exported === undefined)
    throw new ToolgateError('config-invalid', `${file} has no default export.`, { data: { file } });
  return exported;
}
