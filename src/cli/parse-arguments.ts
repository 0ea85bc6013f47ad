import { ToolgateError } from '../core/errors.ts';
import { isPlainObject } from '../core/json.ts';

/**
 * Arguments of a call from the command line: `name=value` pairs, or one JSON object. A value that is JSON is read as JSON, unless the tool's
 * schema wants a text there.
 */
export function parseArguments(args: readonly string[], schema?: unknown): Record<string, unknown> {
  const [only] = args;
  if (args.length === 1 && only !== undefined && only.trimStart().startsWith('{')) {
    const value = json(only);
    if (isPlainObject(value)) return value;
    throw wrong(`${JSON.stringify(only)} is not a JSON object.`);
  }
  const pairs = args.map((text): [string, unknown] => {
    const at = text.indexOf('=');
    if (at < 1) throw wrong(`${JSON.stringify(text)} is neither name=value nor a JSON object.`);
    const value = text.slice(at + 1);
    const name = text.slice(0, at);
    return [name, wantsText(schema, name) ? value : (json(value) ?? value)];
  });
  return Object.fromEntries(pairs);
}

/** The value of a JSON text; undefined when it is none, and for `null`, which nobody means by a word on a command line. */
function json(text: string): unknown {
  try {
    return (JSON.parse(text) as unknown) ?? undefined;
  } catch {
    return undefined;
  }
}

function wrong(problem: string): ToolgateError {
  return new ToolgateError('invalid-option', `These arguments cannot be read: ${problem}`, {
    data: { option: 'arguments' },
  });
}

function wantsText(schema: unknown, name: string): boolean {
  const properties = isPlainObject(schema) && isPlainObject(schema['properties']) ? schema['properties'] : {};
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
  return isPlainObject(property) && property['type'] === 'string';
}
