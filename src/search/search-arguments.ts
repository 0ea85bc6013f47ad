import { ToolgateError } from '../core/errors.ts';
import { isPlainObject } from '../core/json.ts';

/** More than this of a bad input is not repeated to the model. */
const quotedLength = 500;

/**
 * The arguments of a search call as an object. An object stays as it is; a text is parsed as JSON. Throws `search-arguments`
 * with the wording of LangChain4j for anything else.
 */
export function readSearchArguments(input: unknown, abort = false): Readonly<Record<string, unknown>> {
  if (isPlainObject(input)) return input;
  const text = typeof input === 'string' ? input : (safeJson(input) ?? String(input));
  const parsed = parse(text);
  if (isPlainObject(parsed)) return parsed;
  const quoted = text.length > quotedLength ? `${text.slice(0, quotedLength)}…` : text;
  throw searchArgumentsError(
    '',
    `Failed to parse tool search arguments: '${quoted}' (base64: '${base64(quoted)}')`,
    abort,
  );
}

/** The value of an own member; undefined when it is missing or null. */
export function searchArgument(parsed: Readonly<Record<string, unknown>>, name: string): unknown {
  const value = Object.hasOwn(parsed, name) ? parsed[name] : undefined;
  return value === null ? undefined : value;
}

/**
 * `search-arguments`. With `abort` the error's data says so: the caller of the strategy lets it end the loop in place of giving its text to
 * the model (LangChain4j: `throwToolArgumentsExceptions`).
 */
export function searchArgumentsError(argument: string, message: string, abort: boolean): ToolgateError {
  return new ToolgateError('search-arguments', message, { data: abort ? { argument, abort: true } : { argument } });
}

/** Whatever a model gave, as text: texts as they are, objects and lists as JSON. */
export function argumentText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'object' && value !== null) return safeJson(value) ?? '';
  return String(value);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function safeJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value) as string | undefined;
  } catch {
    return undefined;
  }
}

function base64(text: string): string {
  let binary = '';
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte);
  return btoa(binary);
}
